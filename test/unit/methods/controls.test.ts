import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cohort } from '../../../src/domain/cohort.ts';
import type { MethodOptions } from '../../../src/domain/method-options.ts';
import { judgedReward } from '../../../src/methods/llm-judge.ts';
import { drawReward } from '../../../src/methods/random.ts';
import { methodOf } from '../../../src/methods/registry.ts';
import { agentOf, buildCohort, buildGroup, buildStored, buildTruth } from '../../support/builders.ts';

type Keys = readonly (string | null)[];

function judge(cohort: Cohort, keys: Keys, truth: string | null = null) {
  const method = methodOf(cohort.method);
  const agent = agentOf(cohort, 'a');
  const own = buildGroup('a', keys);
  const teachers = method
    .waitsFor(cohort, agent, null)
    .map((name) => ({ agent: name, round: 0, group: own }));
  const judgement = method.judge({
    cohort,
    agent,
    promptId: 'p',
    round: 0,
    own,
    truth: truth === null ? null : buildTruth(truth),
    teachers,
  });
  return { ...judgement, rewards: own.rollouts.map(judgement.reward) };
}

describe('random', () => {
  const seed = { cohort: 'c', promptId: 'p', round: 0, agent: 'a', rollout: 'r' };

  it('gives 1 as often as the probability says, and depends on every name', () => {
    const draws = (part: Partial<typeof seed>, p: number) =>
      Array.from({ length: 4_000 }, (_, at) => drawReward({ ...seed, ...part, rollout: `r${at}` }, p));
    for (const p of [0.1, 0.5, 0.9]) {
      const ones = draws({}, p).filter((draw) => draw === 1).length / 4_000;
      expect(Math.abs(ones - p)).toBeLessThan(0.03);
    }
    const plain = draws({}, 0.5);
    for (const part of [{ cohort: 'd' }, { promptId: 'q' }, { round: 1 }, { agent: 'b' }]) {
      const same = draws(part, 0.5).filter((draw, at) => draw === plain[at]).length / 4_000;
      expect(Math.abs(same - 0.5)).toBeLessThan(0.03);
    }
  });

  it('gives nobody 1 at probability 0 and everybody at 1', () => {
    fc.assert(
      fc.property(fc.string(), (rollout) => {
        expect(drawReward({ ...seed, rollout }, 0)).toBe(0);
        expect(drawReward({ ...seed, rollout }, 1)).toBe(1);
      }),
    );
  });

  it('depends on the text of a rollout without id, not on when it arrived', () => {
    const cohort = buildCohort({ agents: ['a'], method: 'random' });
    const agent = agentOf(cohort, 'a');
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
    const rewardsOf = (ids: readonly number[]) => {
      const rollouts = texts.map((digest, at) =>
        buildStored(`~${ids[at]}`, null, { digest, anonymous: true }),
      );
      const own = buildGroup('a', [], { rollouts });
      const input = { cohort, agent, promptId: 'p', round: 0, own, truth: null, teachers: [] };
      return rollouts.map(methodOf('random').judge(input).reward);
    };
    const order = texts.map((_, at) => at);
    expect(rewardsOf(order)).toEqual(rewardsOf([...order].reverse()));
    expect(new Set(rewardsOf(order))).toEqual(new Set([0, 1]));
  });

  it('hangs on no answer', () => {
    const cohort = buildCohort({ agents: ['a'], method: 'random' });
    expect(judge(cohort, ['4', '5', '6', null])).toMatchObject({
      status: 'scored',
      source: 'control',
      rewards: judge(cohort, [null, null, '1', '1']).rewards,
    });
  });
});

describe('format', () => {
  it('pays every answer, right or wrong, and no silence', () => {
    const cohort = buildCohort({ agents: ['a'], method: 'format' });
    expect(judge(cohort, ['4', null, '5'], '4')).toMatchObject({ source: 'control', rewards: [1, 0, 1] });
  });
});

describe('inverted', () => {
  function invertedOf(inverted: Partial<MethodOptions['inverted']>): Cohort {
    const options = { inverted: { label: 'ground-truth', abstention: 0, ...inverted } as const };
    return buildCohort({ agents: ['a'], method: 'inverted', options });
  }

  it('pays answers that are not the truth, and silence only where asked', () => {
    expect(judge(invertedOf({}), ['4', '5', null], '4')).toMatchObject({
      label: { answer: '4' },
      source: 'control',
      rewards: [0, 1, 0],
    });
    expect(judge(invertedOf({ abstention: 1 }), ['4', '5', null], '4').rewards).toEqual([0, 1, 1]);
  });

  it("pays answers that are not the group's own majority", () => {
    const cohort = invertedOf({ label: 'self-vote' });
    expect(methodOf('inverted').waitsFor(cohort, agentOf(cohort, 'a'), null)).toEqual(['a']);
    expect(judge(cohort, ['4', '5', '4', null])).toMatchObject({ source: 'control', rewards: [0, 1, 0, 0] });
  });

  it('does not turn round the reward of a group without a label', () => {
    expect(judge(invertedOf({ label: 'self-vote' }), [null, null])).toMatchObject({
      status: 'unlabeled',
      source: 'none',
      rewards: [0, 0],
    });
    expect(judge(invertedOf({}), ['4'])).toMatchObject({ status: 'unlabeled', source: 'none', rewards: [0] });
  });

  it('needs the truth only where it turns it round', () => {
    expect(methodOf('inverted').needsTruth(invertedOf({}))).toBe(true);
    expect(methodOf('inverted').needsTruth(invertedOf({ label: 'self-vote' }))).toBe(false);
  });
});

describe('llm-judge', () => {
  it('pays the score that the judge gave, and nothing for a judge that failed', () => {
    expect(judgedReward({ score: 0.25 })).toEqual({ reward: 0.25 });
    expect(judgedReward({ score: 0 })).toEqual({ reward: 0 });
    expect(judgedReward({ fault: 'The judge timed out.' })).toEqual({
      reward: null,
      reason: 'The judge timed out.',
    });
    expect(judgedReward(null)).toEqual({
      reward: null,
      reason: 'No judge has scored it: is one configured?',
    });
  });
});
