import { describe, expect, test } from 'vitest';
import { parseCohort, toCohortConfig } from '../../../src/config/parse-cohort.ts';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { DEFAULT_REWARD_RULES } from '../../../src/domain/reward-rules.ts';

const pair = { agents: ['a', 'b'] };
const pool = { agents: ['a', 'b', 'c'], supervision: 'pooled' };
const graph = { ...pair, supervision: 'graph', teachers: { a: ['b'], b: ['a'] } };

function cohortOf(raw: unknown): Cohort {
  const parsed = parseCohort('math', raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.cohort;
}

/** Problems as `path: message`; none for a cohort that is accepted. */
function problemsOf(raw: unknown): readonly string[] {
  const parsed = parseCohort('math', raw);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('section reward', () => {
  test('pays 1 and 0 by the label unless told otherwise', () => {
    expect(cohortOf(pair).reward).toEqual(DEFAULT_REWARD_RULES);
    expect(cohortOf({ ...pair, reward: {} }).reward).toEqual(DEFAULT_REWARD_RULES);
  });

  test('keeps every setting that is written, with the defaults of the rest', () => {
    const reward = {
      kind: 'four-regime',
      scale: 2,
      four_regime: { tau_high: 0.7, penalty: 0.1 },
      weight: 'jsd',
      w_min: 0.2,
      flip_gate: { floor: 0.3 },
      entropy_window: { max: 1.5 },
    };
    expect(cohortOf({ ...pair, reward }).reward).toEqual({
      ...DEFAULT_REWARD_RULES,
      kind: 'four-regime',
      scale: 2,
      fourRegime: { tauHigh: 0.7, tauMid: 0.25, penalty: 0.1 },
      weight: 'jsd',
      minWeight: 0.2,
      flipGate: { flipPenalty: 0.5, confidentPenalty: 0.3, tauFlip: 0.3, tauShare: 0.6, floor: 0.3 },
      entropyWindow: { min: 0, max: 1.5 },
    });
  });

  test.each([
    [{ ...pair, reward: { kind: 'soft', scale: 0.5, weight: 'tv', w_min: 0.1 } }],
    [{ ...pair, reward: { kind: 'restrain', restrain: { min_count: 3, advantage_penalty: 0.5 } } }],
    [
      {
        agents: ['a', { name: 'b', role: 'teacher' }],
        reward: { kind: 'restrain', restrain: { prompt_weight: true } },
      },
    ],
    [{ ...pair, reward: { kind: 'four-regime', flip_gate: {}, entropy_window: { min: 0.1 } } }],
    [{ ...pair, reward: { kind: 'log-distill', weight: 'top1' } }],
    [{ agents: ['a'], method: 'ttrl', reward: { kind: 'novelty' } }],
    [{ ...pool, vote: { weighting: 'harmonic', include_own: true } }],
  ])('is written so that it parses back to an equal one: %j', (raw) => {
    const cohort = cohortOf(raw);
    expect(cohortOf(toCohortConfig(cohort))).toEqual(cohort);
  });

  test('reports every problem at once', () => {
    const reward = { kind: 'hard', restrain: {}, four_regime: { tau_mid: 0.9 }, w_min: 0.5 };
    expect(problemsOf({ ...pair, vote: { tie: 'last' }, reward }).map((text) => text.split(':')[0])).toEqual([
      'vote.tie',
      'reward.four_regime',
      'reward.restrain',
      'reward.w_min',
      'reward.four_regime.tau_mid',
    ]);
  });

  test.each([
    [{ kind: 'firm' }, 'reward.kind'],
    [{ scale: 0 }, 'reward.scale'],
    [{ scale: Number.POSITIVE_INFINITY }, 'reward.scale'],
    [{ weight: 'l2' }, 'reward.weight'],
    [{ tau_high: 0.5 }, 'reward.tau_high'],
    [{ kind: 'restrain', restrain: { width: 0 } }, 'reward.restrain.width'],
    [{ kind: 'restrain', restrain: { prompt_weight: true } }, 'reward.restrain.prompt_weight'],
    [{ flip_gate: { floor: 2 } }, 'reward.flip_gate.floor'],
    [{ flip_gate: { flor: 0.2 } }, 'reward.flip_gate.flor'],
    [{ entropy_window: { min: -1 } }, 'reward.entropy_window.min'],
  ])('refuses a wrong value where it stands: %j', (reward, path) => {
    const problems = problemsOf({ ...pair, reward });
    expect(problems.map((text) => text.split(':')[0])).toEqual([path]);
  });
});

describe('rewards that make no sense are refused with a sentence', () => {
  const ttrl = { agents: ['a'], method: 'ttrl' };
  const stale = { ...pair, barrier: 'last-label' };

  test.each([
    [{ agents: ['a'], method: 'ground-truth', reward: {} }, 'reward', 'a method that votes'],
    [
      { ...pair, reward: { four_regime: {} } },
      'reward.four_regime',
      'kind: four-regime, and reward.kind is hard',
    ],
    [
      { ...pair, reward: { w_min: 0.1 } },
      'reward.w_min',
      'weight: top1, tv or jsd, and reward.weight is none',
    ],
    [
      { ...pair, reward: { kind: 'four-regime', four_regime: { tau_high: 0.2 } } },
      'reward.four_regime.tau_mid',
      'must not exceed tau_high (0.2)',
    ],
    [
      { ...pair, reward: { entropy_window: { min: 1, max: 1 } } },
      'reward.entropy_window.max',
      'must exceed min',
    ],
    [{ ...ttrl, reward: { kind: 'log-distill' } }, 'reward.kind', 'method: co-rl, and method is ttrl'],
    [{ ...ttrl, reward: { weight: 'tv' } }, 'reward.weight', 'nobody disagrees'],
    [{ ...pair, reward: { kind: 'log-distill', flip_gate: {} } }, 'reward.flip_gate', 'need no label'],
    [{ ...stale, reward: { kind: 'novelty' } }, 'reward.kind', 'last-label answers before it is'],
    [{ ...stale, reward: { weight: 'jsd' } }, 'reward.weight', 'last-label answers before it is'],
    [{ ...stale, reward: { flip_gate: {} } }, 'reward.flip_gate', 'the labels of two rounds'],
    [{ ...pair, vote: { tie: 'random' }, reward: { flip_gate: {} } }, 'reward.flip_gate', 'drawn anew'],
    [{ ...pair, vote: { allow_empty_vote: true }, reward: { kind: 'soft' } }, 'reward.kind', '"no answer"'],
    [
      { ...pair, supervision: 'peer-majority', reward: { kind: 'soft' } },
      'reward.kind',
      'one vote over rollouts',
    ],
    [{ ...graph, reward: { weight: 'tv' } }, 'reward.weight', 'aggregate to pooled'],
    [
      { ...pool, vote: { weighting: 'harmonic' }, reward: { entropy_window: {} } },
      'reward.entropy_window',
      'vote.weighting is harmonic',
    ],
  ])('%j', (raw, path, reason) => {
    expect(problemsOf(raw)).toEqual([expect.stringContaining(reason)]);
    expect(problemsOf(raw)[0]?.startsWith(`${path}: `)).toBe(true);
  });

  test('and those that do are taken', () => {
    for (const raw of [
      { ...ttrl, reward: { kind: 'soft', entropy_window: { max: 2 } } },
      { ...graph, aggregate: 'pooled', reward: { kind: 'restrain', weight: 'tv' } },
      { ...pair, supervision: 'peer-majority', reward: { kind: 'novelty', flip_gate: {} } },
      { ...stale, reward: { kind: 'soft' } },
    ]) {
      expect(problemsOf(raw)).toEqual([]);
    }
  });
});

describe('a weighted vote', () => {
  test('needs pooled rollouts of several agents', () => {
    expect(problemsOf({ ...pool, vote: { weighting: 'self-consistency' } })).toEqual([]);
    expect(problemsOf({ ...pair, supervision: 'pooled', vote: { weighting: 'harmonic' } })).toEqual([
      'vote.weighting: harmonic weighs several agents, and with two there is one peer: set vote.include_own',
    ]);
    expect(
      problemsOf({ ...pair, supervision: 'pooled', vote: { weighting: 'harmonic', include_own: true } }),
    ).toEqual([]);
    expect(problemsOf({ ...pair, vote: { weighting: 'harmonic', include_own: true } })).toEqual([
      expect.stringContaining('vote.weighting: harmonic needs the rollouts of several agents in one vote'),
      expect.stringContaining(
        'vote.include_own: include_own needs the rollouts of several agents in one vote',
      ),
    ]);
    expect(problemsOf({ agents: ['a'], method: 'ttrl', vote: { include_own: true } })).toEqual([
      'vote.include_own: include_own only makes sense with method: co-rl, and method is ttrl',
    ]);
  });

  test('or a ring may doubt its labels, which needs peers and labels', () => {
    const three = { agents: ['a', 'b', 'c'] };
    const doubtful = { ...three, reliability: { min_posterior: 0.7, truth_share: 0.05 } };
    for (const supervision of ['ring', 'peer-majority', 'pooled']) {
      const cohort = cohortOf({ ...doubtful, supervision });
      expect(cohort.reliability).toMatchObject({ minPosterior: 0.7, truthShare: 0.05 });
      expect(cohortOf(toCohortConfig(cohort))).toEqual(cohort);
    }
    expect(problemsOf({ ...three, reliability: { every: 7 } })).toEqual([
      expect.stringContaining('or with a min_posterior above 0'),
    ]);
    expect(problemsOf({ ...doubtful, agents: ['a', 'b'] })).toEqual([
      'reliability.min_posterior: needs at least 3 agents, got 2',
    ]);
    expect(problemsOf({ ...doubtful, reward: { kind: 'log-distill' } })).toEqual([
      expect.stringContaining('judges labels'),
    ]);
    expect(problemsOf({ ...doubtful, method: 'ttrl' })).toEqual([
      expect.stringContaining('only makes sense with method: co-rl'),
    ]);
    expect(problemsOf({ ...doubtful, supervision: 'adaptive' })).toEqual([
      expect.stringContaining('section adaptive has the same settings'),
    ]);
  });

  test('by reliability needs labels of at least 3 agents', () => {
    const vote = { weighting: 'dawid-skene' };
    const merged = { agents: ['a', 'b', 'c'], supervision: 'peer-majority', vote };
    expect(problemsOf({ ...merged, reliability: { every: 10, prior_alpha: 2 } })).toEqual([]);
    const cohort = cohortOf({ ...merged, reliability: { every: 10, prior_alpha: 2 } });
    expect(cohort.reliability).toEqual({
      every: 10,
      window: 500,
      classes: 10,
      prior: [2, 2],
      minPosterior: 0,
      truthShare: 0,
    });
    expect(cohortOf(toCohortConfig(cohort))).toEqual(cohort);
    expect(problemsOf({ ...pair, supervision: 'peer-majority', vote })).toEqual([
      'vote.weighting: dawid-skene needs at least 3 agents, got 2',
    ]);
    expect(problemsOf({ ...pool, vote })).toEqual([
      'vote.weighting: dawid-skene weighs labels: set supervision to peer-majority, or aggregate to peer-majority',
    ]);
    expect(problemsOf({ ...pair, reliability: {} })).toEqual([
      'reliability: only makes sense with vote.weighting: dawid-skene, or with a min_posterior above 0, and vote.weighting is none',
    ]);
    expect(problemsOf({ ...merged, reliability: { every: 100, window: 50 } })).toEqual([
      'reliability.window: must be at least every (100), got 50',
    ]);
  });

  test('has shares of scores, and the own group only once it is complete', () => {
    expect(problemsOf({ ...pool, vote: { weighting: 'harmonic', denominator: 'all' } })).toEqual([
      expect.stringContaining('vote.denominator all does not apply'),
    ]);
    expect(problemsOf({ ...pool, barrier: 'last-label', vote: { include_own: true } })).toEqual([
      expect.stringContaining('barrier last-label answers before it is'),
    ]);
  });
});
