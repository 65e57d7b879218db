import { describe, expect, it } from 'vitest';
import type { DecidedGroup, Group } from '../../../src/domain/bucket.ts';
import { DEFAULT_METHOD_OPTIONS } from '../../../src/domain/method-options.ts';
import { DEFAULT_REWARD_RULES, type RewardRules } from '../../../src/domain/reward-rules.ts';
import type { TeacherGroup } from '../../../src/methods/method.ts';
import { methodOf } from '../../../src/methods/registry.ts';
import {
  agentOf,
  buildCohort,
  buildGroup,
  buildStored,
  type CohortOverrides,
} from '../../support/builders.ts';

type Keys = readonly (string | null)[];

const rules = (some: Partial<RewardRules>): RewardRules => ({ ...DEFAULT_REWARD_RULES, ...some });

/** Judges agent `a` of the cohort, given everybody's group. */
function judge(overrides: CohortOverrides, groups: Readonly<Record<string, Keys | DecidedGroup>>) {
  const cohort = buildCohort({ agents: Object.keys(groups), ...overrides });
  const group = (name: string): DecidedGroup => {
    const given = groups[name] ?? [];
    return 'agent' in given ? given : buildGroup(name, given);
  };
  const method = methodOf(cohort.method);
  const agent = agentOf(cohort, 'a');
  const teachers = method
    .waitsFor(cohort, agent, null)
    .map((name): TeacherGroup => ({ agent: name, round: 0, group: group(name) }));
  const own = group('a');
  const judgement = method.judge({ cohort, agent, promptId: 'p', round: 0, own, truth: null, teachers });
  return { ...judgement, rewards: own.rollouts.map(judgement.reward) };
}

const PEER = ['4', '4', '4', '4', '4', '5', '5', null];
const MINE = ['4', '5', '6', null];

describe('reward kinds of a group with a label', () => {
  it('soft: the share of the answer among the rollouts behind the label', () => {
    const judged = judge({ reward: rules({ kind: 'soft' }) }, { a: MINE, b: PEER });
    expect(judged).toMatchObject({ status: 'scored', label: { key: '4' }, source: 'peer-vote' });
    expect(judged.rewards).toEqual([0.625, 0.25, 0, 0]);
  });

  it('soft under ttrl: the reward of EMPO', () => {
    const own = ['4', '4', '4', '5', '5', '6', null, '4'];
    const judged = judge({ method: 'ttrl', reward: rules({ kind: 'soft' }) }, { a: own });
    expect(judged.rewards).toEqual([0.5, 0.5, 0.5, 0.25, 0.25, 0.125, 0, 0.5]);
  });

  it('four-regime: a tied top leaves the whole group unlabeled', () => {
    const reward = rules({ kind: 'four-regime' });
    expect(judge({ reward }, { a: MINE, b: PEER }).rewards).toEqual([1, 0, -0.5, -0.5]);
    const tied = judge({ reward, unlabeledReward: null }, { a: MINE, b: ['4', '4', '5', '5'] });
    expect(tied).toMatchObject({ status: 'unlabeled', label: null, reason: 'The votes of b are tied.' });
    expect(tied.rewards).toEqual([null, null, null, null]);
  });

  it('writes a penalty of nothing as 0, not as minus 0', () => {
    const fourRegime = { tauHigh: 0.5, tauMid: 0.25, penalty: 0 };
    const { rewards } = judge({ reward: rules({ kind: 'four-regime', fourRegime }) }, { a: MINE, b: PEER });
    expect(rewards.map((reward) => Object.is(reward, -0))).toEqual([false, false, false, false]);
  });

  it('restrain: the weight of the answer, and a penalty of the advantages where the top is too small', () => {
    const restrain = { center: 1, width: 0.5, minCount: 2, advantagePenalty: 0.5, promptWeight: false };
    const reward = rules({ kind: 'restrain', restrain });
    const judged = judge({ reward }, { a: MINE, b: ['4', '4', '5', '6'] });
    expect(judged.rewards).toEqual([
      expect.closeTo(0.48297, 5),
      expect.closeTo(0.258515, 5),
      expect.closeTo(0.258515, 5),
      0,
    ]);
    expect(judged.advantageOffset).toBe(0);
    const scattered = judge({ reward }, { a: MINE, b: ['4', '5', '6', '7'] });
    expect(scattered).toMatchObject({ status: 'scored', rewards: [0, 0, 0, 0], advantageOffset: -0.5 });
  });

  it('restrain: weighs a prompt by how much a frozen teacher agrees with itself, and says so', () => {
    const restrain = { center: 1, width: 0.5, minCount: 1, advantagePenalty: 0, promptWeight: true };
    const reward = rules({ kind: 'restrain', restrain });
    const groups = { a: MINE, b: ['4', '4', '5', '6'] };
    const plain = judge(
      { reward: rules({ kind: 'restrain', restrain: { ...restrain, promptWeight: false } }) },
      groups,
    );
    const frozen = judge({ reward, agents: ['a', { name: 'b', role: 'teacher' }] }, groups);
    // exp(-(0.5 - 1)^2 / (2 · 0.25))
    expect(frozen.weight).toBeCloseTo(0.60653, 5);
    for (const [at, paid] of frozen.rewards.entries()) {
      expect(paid).toBeCloseTo(0.60653 * (plain.rewards[at] ?? 0), 5);
    }
    expect(judge({ reward }, groups).weight).toBe(1);
  });

  it("novelty: within the agent's own group, with the late ones on its scale", () => {
    const novel = (at: number, key: string | null, novelty?: number, late = false) =>
      buildStored(`r${at}`, key, { index: at, late, signals: novelty === undefined ? null : { novelty } });
    const a = buildGroup('a', [], {
      k: 6,
      rollouts: [
        novel(0, '4', 0.2),
        novel(1, '4', 0.5),
        novel(2, '4', 0.8),
        novel(3, '5', 0.1),
        novel(4, '6', 0.3),
        novel(5, null),
        novel(6, '4', 1, true),
        novel(7, '4'),
      ],
    });
    const judged = judge({ reward: rules({ kind: 'novelty' }) }, { a, b: ['4', '4'] });
    expect(judged.rewards).toEqual([0.5, 0.75, 1, -1, -0.5, -1, 1, null]);
    expect(a.rollouts.map((rollout) => judged.reasonOf?.(rollout) ?? null)).toEqual([
      ...Array.from({ length: 7 }, () => null),
      'No novelty was sent for this rollout.',
    ]);
  });

  it('log-distill: waits for nobody and needs no label', () => {
    const cohort = buildCohort({ reward: rules({ kind: 'log-distill' }) });
    expect(methodOf('co-rl').waitsFor(cohort, agentOf(cohort, 'a'), null)).toEqual([]);
    const said = (at: number, peerLogprob: number | null, tokens: number) =>
      buildStored(`r${at}`, null, { tokens, signals: peerLogprob === null ? null : { peerLogprob } });
    const a = buildGroup('a', [], { rollouts: [said(0, -12, 10), said(1, -3, 0), said(2, null, 5)] });
    const judged = judge({ reward: rules({ kind: 'log-distill' }) }, { a, b: [] });
    expect(judged).toMatchObject({ status: 'scored', label: null, source: 'peer-logprob' });
    expect(judged.rewards).toEqual([-1.2, expect.closeTo(-23.02585), expect.closeTo(-23.02585)]);
  });

  it('scales every reward but that of an unlabeled group', () => {
    const reward = rules({ kind: 'four-regime', scale: 10 });
    expect(judge({ reward }, { a: MINE, b: PEER }).rewards).toEqual([10, 0, -5, -5]);
    expect(judge({ reward }, { a: MINE, b: [null] }).rewards).toEqual([0, 0, 0, 0]);
  });
});

describe('co-rewarding', () => {
  const views = ['a', { name: 'b', view: 'rephrased' }] as const;

  it('pays the label of the other view by the same rules', () => {
    const judged = judge(
      { method: 'co-rewarding-i', agents: views, reward: rules({ kind: 'soft', weight: 'top1' }) },
      { a: MINE, b: PEER },
    );
    expect(judged).toMatchObject({ source: 'other-view', teachers: ['b'] });
    // f_a f_b = 0.25 * 0.625, both for 4.
    expect(judged.rewards).toEqual([0.625, 0.25, 0, 0].map((share) => expect.closeTo(share * 0.84375)));
  });

  it('compares the answers themselves where it matches exactly', () => {
    const said = (at: number, answer: string) => buildStored(`r${at}`, '1/2', { index: at, answer });
    const group = (agent: string, ...answers: string[]) =>
      buildGroup(agent, [], { rollouts: answers.map((answer, at) => said(at, answer)) });
    const options = {
      ...DEFAULT_METHOD_OPTIONS,
      coRewarding: { ...DEFAULT_METHOD_OPTIONS.coRewarding, match: 'exact' as const },
    };
    const judged = judge(
      { method: 'co-rewarding-i', agents: views, options, reward: rules({ kind: 'soft' }) },
      { a: group('a', '0.5', '1/2'), b: group('b', '0.5', '0.5', '1/2', '0.50') },
    );
    expect(judged.rewards).toEqual([0.5, 0.25]);
  });

  it('waits for the own group where the rules read it, and a teacher for nobody', () => {
    const cohort = buildCohort({
      method: 'co-rewarding-ii',
      agents: ['a', { name: 'ema', role: 'teacher' }],
      reward: rules({ weight: 'tv' }),
    });
    const { waitsFor } = methodOf('co-rewarding-ii');
    expect(waitsFor(cohort, agentOf(cohort, 'a'), null)).toEqual(['a', 'ema']);
    expect(waitsFor(cohort, agentOf(cohort, 'ema'), null)).toEqual([]);
  });
});

describe('weights of a group', () => {
  const DISAGREEING = ['4', '4', '6', '6', '6', null, '4', '4'];

  it("weigh by how much the agent's own group disagrees, which is then waited for", () => {
    const weights = (['top1', 'tv', 'jsd'] as const).map(
      (weight) => judge({ reward: rules({ weight }) }, { a: DISAGREEING, b: PEER }).weight,
    );
    expect(weights).toEqual([0.6875, 0.375, expect.closeTo(0.317519716341)]);
    const cohort = buildCohort({ agents: ['a', 'b', 'c'], reward: rules({ weight: 'tv' }) });
    expect(methodOf('co-rl').waitsFor(cohort, agentOf(cohort, 'b'), null)).toEqual(['a', 'b']);
  });

  it('are part of the reward, and stop at the least one', () => {
    const judged = judge({ reward: rules({ weight: 'tv', scale: 2 }) }, { a: DISAGREEING, b: PEER });
    expect(judged.rewards.slice(0, 3)).toEqual([0.75, 0.75, 0]);
    const same = judge({ reward: rules({ weight: 'jsd', minWeight: 0.25 }) }, { a: ['4'], b: ['4'] });
    expect(same.rewards).toEqual([0.25]);
  });

  it('leave out rollouts that came late', () => {
    const late = buildStored('late', '7', { index: 9, late: true });
    const group = buildGroup('a', DISAGREEING);
    const a = { ...group, rollouts: [...group.rollouts, late] };
    expect(judge({ reward: rules({ weight: 'tv' }) }, { a, b: PEER }).weight).toBe(0.375);
  });

  it('fall where the label has changed since the round before', () => {
    const flipGate = { flipPenalty: 0.5, confidentPenalty: 0.3, tauFlip: 0.3, tauShare: 0.6, floor: 0.1 };
    const reward = rules({ flipGate });
    const paid = (previous: Group | null, keys: Keys) =>
      judge({ reward }, { a: ['4'], b: buildGroup('b', keys, { previous }) }).rewards[0];
    expect(paid(null, ['4', '4'])).toBe(1);
    expect(paid(buildGroup('b', ['4']), ['4', '4'])).toBe(1);
    expect(paid(buildGroup('b', [null]), ['4', '4'])).toBe(1);
    expect(paid(buildGroup('b', ['5']), ['4', '4'])).toBeCloseTo(0.35);
    expect(paid(buildGroup('b', ['5']), ['4', '4', '6', '7'])).toBe(0.5);
  });

  it('count the flips of those whose labels were merged', () => {
    const flipGate = { flipPenalty: 0.5, confidentPenalty: 0, tauFlip: 1, tauShare: 1, floor: 0 };
    const judged = judge(
      { reward: rules({ flipGate }), supervision: { kind: 'peer-majority' } },
      {
        a: ['4'],
        b: buildGroup('b', ['4'], { previous: buildGroup('b', ['5']) }),
        c: buildGroup('c', ['4'], { previous: buildGroup('c', ['4']) }),
      },
    );
    expect(judged.rewards).toEqual([0.75]);
  });
});

describe('the entropy window', () => {
  const of = (min: number, max: number | null, b: Keys) =>
    judge({ reward: rules({ entropyWindow: { min, max } }) }, { a: ['4'], b });

  it('leaves a group unlabeled whose answers are too much alike, or too little', () => {
    expect(of(0, null, ['4', '4'])).toMatchObject({
      status: 'unlabeled',
      reason: 'The answers of b have an entropy of 0.000 nats, and a label needs one above 0.',
    });
    expect(of(0.1, 0.5, ['4', '5']).reason).toContain(
      '0.693 nats, and a label needs one between 0.1 and 0.5',
    );
    expect(of(0.1, 0.7, ['4', '5'])).toMatchObject({ status: 'scored', rewards: [1] });
  });
});

describe('weighted votes over pooled rollouts', () => {
  const pooled = { supervision: { kind: 'pooled' } } as const;
  const groups = {
    a: ['5', '6'],
    b: ['4', '4', '4', '4'],
    c: ['5', '5', '5', '6', '7', '8'],
    d: ['5', '5', '6', '7', '8', '9'],
  };

  it('self-consistency: an agent that agrees with itself counts for more', () => {
    expect(judge(pooled, groups).label?.key).toBe('5');
    const judged = judge({ ...pooled, weighting: 'self-consistency' }, groups);
    // b: 4 rollouts at 1. c: 3 at 0.5, d: 2 at 1/3, both for 5. All others: 0.5 + 1/3 each for 6, 7, 8, and 1/3 for 9.
    expect(judged.label?.key).toBe('4');
    expect(judged.share).toBeCloseTo(4 / (4 + 1.5 + 2 / 3 + 3 * (0.5 + 1 / 3) + 1 / 3));
    expect(judged.teachers).toEqual(['b', 'c', 'd']);
  });

  it('harmonic: only what all of them gave can win', () => {
    const both = { ...pooled, weighting: 'harmonic' } as const;
    expect(judge(both, { a: [], b: ['4', '4', '4', '5'], c: ['6', '6', '6', '5'] }).label?.key).toBe('5');
    const apart = judge(both, { a: ['4'], b: ['4', '4'], c: ['6', '6'] });
    expect(apart).toMatchObject({ status: 'unlabeled', reason: 'No answer was given by all of b, c.' });
  });

  it('a threshold applies to the share of the scores', () => {
    const vote = { threshold: 0.9 };
    const judged = judge({ ...pooled, vote, weighting: 'self-consistency' }, groups);
    expect(judged).toMatchObject({ status: 'unlabeled', label: null });
    expect(judged.reason).toContain('a label needs 90 %');
  });

  it("pool the agent's own rollouts when asked, so that all agents learn from one label", () => {
    const own = { ...pooled, includeOwn: true, weighting: 'harmonic' } as const;
    const judged = judge(own, { a: ['4', '4', '4', '5'], b: ['4', '5', '5', '6'] });
    expect(judged).toMatchObject({ label: { key: '4' }, teachers: ['a', 'b'], rewards: [1, 1, 1, 0] });
  });

  it('never make a self-vote of a peer that did not come', () => {
    const absent = buildGroup('b', [], { state: 'empty', cause: 'deadline' });
    const judged = judge({ ...pooled, includeOwn: true }, { a: ['4', '4'], b: absent });
    expect(judged).toMatchObject({ status: 'expired', label: null, rewards: [0, 0] });
  });
});
