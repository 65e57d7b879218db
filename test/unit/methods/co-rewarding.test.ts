import { describe, expect, it } from 'vitest';
import type { Rollout } from '../../../src/domain/bucket.ts';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { DEFAULT_METHOD_OPTIONS, type MethodOptions } from '../../../src/domain/method-options.ts';
import { emaCoefficient, isEmaStep } from '../../../src/methods/ema-schedule.ts';
import type { TeacherGroup } from '../../../src/methods/method.ts';
import { methodOf } from '../../../src/methods/registry.ts';
import { agentOf, buildCohort, buildGroup, buildStored } from '../../support/builders.ts';

type Keys = readonly (string | null)[];

/** Answers as they are written, `1/2` and `0.5` having one key. */
function rolloutsOf(answers: Keys): readonly Rollout[] {
  return answers.map((answer, index) =>
    buildStored(`r${index}`, answer === '0.5' ? '1/2' : answer, { answer, index }),
  );
}

function judge(
  cohort: Cohort,
  name: string,
  answers: Readonly<Record<string, Keys>>,
  step: number | null = null,
) {
  const method = methodOf(cohort.method);
  const agent = agentOf(cohort, name);
  const groupOf = (of: string) => buildGroup(of, [], { rollouts: rolloutsOf(answers[of] ?? []), step });
  const teachers = method
    .waitsFor(cohort, agent, null)
    .map((of): TeacherGroup => ({ agent: of, round: 0, group: groupOf(of) }));
  const own = groupOf(name);
  const judgement = method.judge({ cohort, agent, promptId: 'p', round: 0, own, truth: null, teachers });
  return { ...judgement, rewards: own.rollouts.map(judgement.reward) };
}

function optionsOf(overrides: Partial<MethodOptions['coRewarding']>): Partial<MethodOptions> {
  return { coRewarding: { ...DEFAULT_METHOD_OPTIONS.coRewarding, ...overrides } };
}

describe('co-rewarding-i', () => {
  const views = [{ name: 'a' }, { name: 'b', view: 'rephrased' }];
  const graded = buildCohort({ method: 'co-rewarding-i', agents: views });
  const exact = buildCohort({
    method: 'co-rewarding-i',
    agents: views,
    options: optionsOf({ match: 'exact' }),
  });

  it('lets each view learn from the majority of the other, and wait for nobody else', () => {
    const answers = { a: ['4', '4', '5', null], b: ['4', '5', '5', '5'] };
    expect(judge(graded, 'a', answers)).toMatchObject({
      status: 'scored',
      label: { answer: '5' },
      teachers: ['b'],
      source: 'other-view',
      rewards: [0, 0, 1, 0],
    });
    expect(judge(graded, 'b', answers)).toMatchObject({ label: { answer: '4' }, rewards: [1, 0, 0, 0] });
    expect(methodOf('co-rewarding-i').waitsFor(graded, agentOf(graded, 'a'), null)).toEqual(['b']);
    expect(methodOf('co-rewarding-i').waitsFor(graded, agentOf(graded, 'b'), null)).toEqual(['a']);
  });

  it('is unlabeled where the other view has no answer', () => {
    const answers = { a: ['9', '9', '8', '7'], b: [null, null] };
    expect(judge(graded, 'a', answers)).toMatchObject({ status: 'unlabeled', rewards: [0, 0, 0, 0] });
    expect(judge(graded, 'b', answers)).toMatchObject({ label: { answer: '9' }, rewards: [0, 0] });
  });

  it('takes answers with one key for one answer, and with match: exact only what is written the same', () => {
    const answers = { a: ['1/2', '0.5', '0.5', '2'], b: ['\\frac{1}{2}', '1/2', '1/2', '0.5'] };
    expect(judge(graded, 'a', answers).rewards).toEqual([1, 1, 1, 0]);
    expect(judge(exact, 'a', answers)).toMatchObject({ label: { answer: '1/2' }, rewards: [1, 0, 0, 0] });
    expect(judge(exact, 'b', answers)).toMatchObject({ label: { answer: '0.5' }, rewards: [0, 0, 0, 1] });
    expect(judge(exact, 'a', { a: ['4', null], b: [null] })).toMatchObject({ status: 'unlabeled' });
  });
});

describe('co-rewarding-ii', () => {
  const agents = [{ name: 'policy' }, { name: 'slow', role: 'teacher' as const }];
  const schedule = { start: 0.01, end: 1e-5, steps: 100, interval: 1 };
  const cohort = buildCohort({ method: 'co-rewarding-ii', agents, options: optionsOf({ ema: schedule }) });

  it('pays the majority of the slow copy, the earliest of tied answers', () => {
    const answers = { policy: ['4', '4', '5', null], slow: ['5', '5', '4', '4'] };
    expect(judge(cohort, 'policy', answers)).toMatchObject({
      label: { answer: '5' },
      teachers: ['slow'],
      source: 'ema-teacher',
      rewards: [0, 0, 1, 0],
    });
  });

  it('neither rewards the slow copy nor lets it wait', () => {
    expect(methodOf('co-rewarding-ii').waitsFor(cohort, agentOf(cohort, 'slow'), null)).toEqual([]);
    expect(judge(cohort, 'slow', { slow: ['4'] }).rewards).toEqual([null]);
  });

  it('leaves what the slow copy has no answer for unlabeled', () => {
    expect(judge(cohort, 'policy', { policy: ['1', '2'], slow: [null, null] })).toMatchObject({
      status: 'unlabeled',
      rewards: [0, 0],
    });
  });

  it('tells a(s) of the step that the rollouts are of', () => {
    const answers = { policy: ['4'], slow: ['4'] };
    expect(judge(cohort, 'policy', answers, 51).emaCoefficient).toBeCloseTo(0.005005, 12);
    expect(judge(cohort, 'slow', answers, 1).emaCoefficient).toBe(0.01);
    expect(judge(cohort, 'policy', answers).emaCoefficient).toBeNull();
  });
});

describe('the EMA schedule', () => {
  const schedule = { start: 0.01, end: 1e-5, steps: 100, interval: 30 };

  it('is the cosine of the reference, from step 1 to step T + 1', () => {
    const steps = [0, 1, 26, 51, 76, 101, 150];
    const expected = [0.01, 0.01, 0.008536998372026804, 0.005005, 0.0014730016279731956, 1e-5, 1e-5];
    for (const [at, step] of steps.entries()) {
      expect(emaCoefficient(schedule, step)).toBeCloseTo(expected[at] ?? Number.NaN, 15);
    }
  });

  it('does not exist without its length', () => {
    expect(emaCoefficient({ ...schedule, steps: null }, 1)).toBeNull();
  });

  it('moves the teacher at multiples of the interval, not before the first', () => {
    expect([0, 1, 29, 30, 31, 60].map((step) => isEmaStep(schedule, step))).toEqual([
      false,
      false,
      false,
      true,
      false,
      true,
    ]);
  });
});
