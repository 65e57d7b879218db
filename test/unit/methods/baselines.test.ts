import { describe, expect, it } from 'vitest';
import type { Truth } from '../../../src/domain/bucket.ts';
import { type Cohort, METHOD_NAMES } from '../../../src/domain/cohort.ts';
import { groundTruth, isTrue } from '../../../src/methods/ground-truth.ts';
import type { TeacherGroup } from '../../../src/methods/method.ts';
import { methodOf } from '../../../src/methods/registry.ts';
import { ttrl } from '../../../src/methods/ttrl.ts';
import { agentOf, buildCohort, buildGroup, buildTruth } from '../../support/builders.ts';

type Keys = readonly (string | null)[];

const self = buildCohort({ agents: ['a'], method: 'ttrl' });
const truthful = buildCohort({ agents: ['a'], method: 'ground-truth' });

function own(keys: Keys, overrides: Partial<TeacherGroup> = {}): TeacherGroup {
  return { agent: 'a', round: 0, group: buildGroup('a', keys) as TeacherGroup['group'], ...overrides };
}

function judge(cohort: Cohort, keys: Keys, teachers: readonly TeacherGroup[], truth: Truth | null = null) {
  const group = buildGroup('a', keys);
  const agent = agentOf(cohort, 'a');
  const judgement = methodOf(cohort.method).judge({
    cohort,
    agent,
    promptId: 'p',
    round: 3,
    own: group,
    truth,
    teachers,
  });
  return { ...judgement, rewards: group.rollouts.map(judgement.reward) };
}

describe('ttrl', () => {
  it("rewards by the agent's own majority and says that it was a self-vote", () => {
    const keys = ['4', '5', '4', null];
    expect(judge(self, keys, [own(keys, { round: 3 })])).toMatchObject({
      status: 'scored',
      label: { key: '4' },
      teachers: ['a'],
      source: 'self-vote',
      staleness: 0,
      rewards: [1, 0, 1, 0],
    });
  });

  it('waits for its own group alone', () => {
    expect(ttrl.waitsFor(self, agentOf(self, 'a'), null)).toEqual(['a']);
  });

  it('leaves a group without any answer unlabeled', () => {
    expect(judge(self, [null, null], [own([null, null])])).toMatchObject({
      status: 'unlabeled',
      reason: 'None of the answers of a could be read.',
      rewards: [0, 0],
    });
  });

  it.each([
    [1, 2],
    [3, 0],
    [5, 0],
  ])('calls a label of round %i %i rounds stale in round 3', (round, staleness) => {
    expect(judge(self, ['4'], [own(['4'], { round })]).staleness).toBe(staleness);
  });

  it('has no label without votes of its own', () => {
    expect(judge(self, ['4'], [own([], { group: null })]).status).toBe('unlabeled');
    const empty = { ...buildGroup('a', []), state: 'empty', cause: 'skip' } as TeacherGroup['group'];
    expect(judge(self, ['4'], [own([], { group: empty })]).status).toBe('skipped');
  });

  it('neither rewards an agent of role teacher nor lets it wait', () => {
    const cohort = buildCohort({ agents: [{ name: 'a', role: 'teacher' }, 'b'], method: 'ttrl' });
    expect(ttrl.waitsFor(cohort, agentOf(cohort, 'a'), null)).toEqual([]);
    expect(judge(cohort, ['4'], []).rewards).toEqual([null]);
  });
});

describe('ground-truth', () => {
  it('pays 1 to the true answer, 0 to others and to none, and waits for nobody', () => {
    expect(groundTruth.waitsFor(truthful, agentOf(truthful, 'a'), null)).toEqual([]);
    expect(judge(truthful, ['4', '5', null], [], buildTruth('4'))).toMatchObject({
      status: 'scored',
      label: { answer: '4' },
      source: 'ground-truth',
      rewards: [1, 0, 0],
    });
  });

  it('is unlabeled where the truth is not known', () => {
    expect(judge(truthful, ['4'], [])).toMatchObject({
      status: 'unlabeled',
      source: 'none',
      reason: 'No ground truth that can be read was sent for this prompt.',
      rewards: [0],
    });
  });

  it('does not reward an agent of role teacher', () => {
    const cohort = buildCohort({ agents: [{ name: 'a', role: 'teacher' }, 'b'], method: 'ground-truth' });
    expect(judge(cohort, ['4'], [], buildTruth('4')).rewards).toEqual([null]);
  });

  it('grades in the mode that the truth came with', () => {
    expect(isTrue('b', { text: 'B', key: 'B', mode: 'choice' })).toBe(true);
    expect(isTrue('0.5', { text: '1/2', key: '1/2', mode: 'raw' })).toBe(true);
    expect(isTrue(null, buildTruth('4'))).toBe(false);
  });
});

describe('the registry', () => {
  it('has every method under its own name', () => {
    expect(METHOD_NAMES.map((name) => methodOf(name).name)).toEqual([...METHOD_NAMES]);
  });
});
