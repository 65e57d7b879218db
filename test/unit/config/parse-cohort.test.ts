import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXTRACTION_MODES } from '../../../src/answers/modes.ts';
import { type CohortProblem, parseCohort, toCohortConfig } from '../../../src/config/parse-cohort.ts';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { DEFAULT_METHOD_OPTIONS } from '../../../src/domain/method-options.ts';
import { DEFAULT_RELIABILITY_RULES } from '../../../src/domain/plan.ts';
import { DEFAULT_REWARD_RULES } from '../../../src/domain/reward-rules.ts';

function cohortOf(raw: unknown, name = 'math'): Cohort {
  const parsed = parseCohort(name, raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.cohort;
}

function problemsOf(raw: unknown, name = 'math'): readonly CohortProblem[] {
  const parsed = parseCohort(name, raw);
  return parsed.ok ? [] : parsed.problems;
}

const paths = (raw: unknown) => problemsOf(raw).map(({ path }) => path);

describe('a cohort as written', () => {
  test('gets every documented default from its list of agents alone', () => {
    expect(cohortOf({ agents: ['qwen', 'llama'] })).toEqual({
      name: 'math',
      edition: 0,
      agents: [
        { name: 'qwen', k: 8, view: 'original', role: 'learner' },
        { name: 'llama', k: 8, view: 'original', role: 'learner' },
      ],
      method: 'co-rl',
      options: DEFAULT_METHOD_OPTIONS,
      supervision: { kind: 'ring', direction: 'predecessor' },
      vote: { threshold: 0, denominator: 'parseable', minVotes: 1, tie: 'first', allowEmptyVote: false },
      weighting: 'none',
      includeOwn: false,
      reliability: DEFAULT_RELIABILITY_RULES,
      reward: DEFAULT_REWARD_RULES,
      answers: { mode: 'auto', pattern: null },
      barrier: { mode: 'sync', maxStaleness: 1, deadlineMs: 840_000, quorum: null, graceMs: 30_000 },
      unlabeledReward: 0,
      retentionMs: 3_600_000,
      promptRetentionMs: 604_800_000,
      watchdog: { silentAfterMs: 45_000, stalledAfterMs: 30_000 },
      limits: { openBuckets: 100_000, heldRequests: 10_000 },
    });
  });

  test('keeps every setting that is written', () => {
    const cohort = cohortOf({
      agents: [{ name: 'qwen', k: 4, view: 'rephrased' }, 'llama', { name: 'big', role: 'teacher' }],
      k: 16,
      supervision: 'graph',
      teachers: { qwen: ['big'], llama: ['qwen', 'big'] },
      aggregate: 'pooled',
      vote: { threshold: 0.5, denominator: 'all', min_votes: 3, tie: 'discard', allow_empty_vote: true },
      reward: { scale: 2 },
      answers: { mode: 'gsm8k', reasoning: 'opened-by-prompt', fallback: 'formula' },
      barrier: 'last-label',
      max_staleness: 3,
      deadline_ms: 60_000,
      quorum: 4,
      grace_ms: 0,
      unlabeled_reward: null,
      retention_ms: 1_800_000,
      prompt_retention_ms: 7_200_000,
      watchdog: { silent_after_ms: 5_000, stalled_after_ms: 6_000 },
      limits: { open_buckets: 7, held_requests: 8 },
    });
    expect(cohort).toEqual({
      name: 'math',
      edition: 0,
      agents: [
        { name: 'qwen', k: 4, view: 'rephrased', role: 'learner' },
        { name: 'llama', k: 16, view: 'original', role: 'learner' },
        { name: 'big', k: 16, view: 'original', role: 'teacher' },
      ],
      method: 'co-rl',
      options: DEFAULT_METHOD_OPTIONS,
      supervision: {
        kind: 'graph',
        teachers: { qwen: ['big'], llama: ['qwen', 'big'], big: [] },
        aggregate: 'pooled',
      },
      vote: { threshold: 0.5, denominator: 'all', minVotes: 3, tie: 'discard', allowEmptyVote: true },
      weighting: 'none',
      includeOwn: false,
      reliability: DEFAULT_RELIABILITY_RULES,
      reward: { ...DEFAULT_REWARD_RULES, scale: 2 },
      answers: { mode: 'gsm8k', pattern: null, reasoning: 'opened-by-prompt', fallback: 'formula' },
      barrier: { mode: 'last-label', maxStaleness: 3, deadlineMs: 60_000, quorum: 4, graceMs: 0 },
      unlabeledReward: null,
      retentionMs: 1_800_000,
      promptRetentionMs: 7_200_000,
      watchdog: { silentAfterMs: 5_000, stalledAfterMs: 6_000 },
      limits: { openBuckets: 7, heldRequests: 8 },
    });
  });

  test('takes every extraction mode', () => {
    for (const mode of EXTRACTION_MODES) {
      const pattern = mode === 'regex' ? 'ANSWER=(\\d+)' : undefined;
      const { answers } = cohortOf({ agents: ['a', 'b'], answers: { mode, pattern } });
      expect(answers).toEqual({ mode, pattern: pattern ?? null });
    }
  });

  test('takes a pattern with mode regex only, and one that matches in linear time only', () => {
    const problemsOf = (answers: object) => {
      const parsed = parseCohort('math', { agents: ['a', 'b'], answers });
      return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
    };
    expect(problemsOf({ mode: 'regex' })).toEqual(['answers.pattern: is required with mode regex']);
    expect(problemsOf({ mode: 'boxed', pattern: 'x' })).toHaveLength(1);
    expect(problemsOf({ mode: 'regex', pattern: '(a)\\1' })).toHaveLength(1);
    expect(problemsOf({ mode: 'regex', pattern: '(unclosed' })).toHaveLength(1);
  });

  test.each([
    ['supervision: peer-majority', { supervision: 'peer-majority' }, { kind: 'peer-majority' }],
    ['supervision: pooled', { supervision: 'pooled' }, { kind: 'pooled' }],
    ['ring: successor', { ring: 'successor' }, { kind: 'ring', direction: 'successor' }],
  ])('%s becomes that supervision', (_, settings, supervision) => {
    expect(cohortOf({ agents: ['a', 'b'], ...settings }).supervision).toEqual(supervision);
  });

  test('merges the labels of several teachers by majority unless told to pool', () => {
    const cohort = cohortOf({ agents: ['a', 'b'], supervision: 'graph', teachers: { a: ['b'], b: ['a'] } });
    expect(cohort.supervision).toMatchObject({ kind: 'graph', aggregate: 'peer-majority' });
  });

  test('an agent may be called like a member of every object', () => {
    const cohort = cohortOf({
      agents: ['a', { name: 'constructor', role: 'teacher' }],
      supervision: 'graph',
      teachers: { a: ['constructor'] },
    });
    const { supervision } = cohort;
    expect(supervision.kind === 'graph' && supervision.teachers.constructor).toEqual([]);
  });
});

describe('problems', () => {
  test('are all reported at once, with the path, what was expected and what was there', () => {
    const problems = problemsOf({
      agents: ['qwen', { name: 'llama', k: 0, rol: 'teacher' }, 7],
      metod: 'ttrl',
      vote: { tie: 'first', threshold: 2, treshold: 0 },
      unlabeled_reward: 1,
      watchdog: { silent_after_ms: '5s' },
      limits: null,
      quorum: 9,
    });
    expect(problems.map(({ path }) => path).sort()).toEqual([
      'agents[1].k',
      'agents[1].rol',
      'agents[2]',
      'limits',
      'metod',
      'quorum',
      'unlabeled_reward',
      'vote.threshold',
      'vote.treshold',
      'watchdog.silent_after_ms',
    ]);
    const messages = Object.fromEntries(problems.map(({ path, message }) => [path, message]));
    expect(messages['agents[1].k']).toBe('expected a whole number from 1 to 4096, got 0');
    expect(messages['agents[1].rol']).toBe('unknown key; the keys here are name, k, view, role');
    expect(messages['vote.threshold']).toBe('expected a number from 0 to 1, got 2');
    expect(messages.unlabeled_reward).toBe('expected 0 or null, got 1');
    expect(messages['watchdog.silent_after_ms']).toContain('got "5s"');
    expect(messages.quorum).toBe("must not exceed any agent's k: it is 9, but qwen has k 8");
  });

  test('a missing list of agents is called required', () => {
    expect(problemsOf({})).toEqual([
      { path: 'agents', message: 'is required: expected a list of 1 to 64 agents' },
    ]);
  });

  test.each([null, undefined, 3, 'qwen,llama', ['qwen']])(
    'something that is no object is refused: %j',
    (raw) => {
      expect(problemsOf(raw)).toHaveLength(1);
      expect(problemsOf(raw)[0]?.message).toContain('expected an object');
    },
  );

  test.each([
    ['k', { k: 8.5 }],
    ['k', { k: '8' }],
    ['method', { method: 'grpo' }],
    ['supervision', { supervision: 'star' }],
    ['ring', { ring: 'both' }],
    ['vote.denominator', { vote: { denominator: 'some' } }],
    ['vote.min_votes', { vote: { min_votes: 0 } }],
    ['vote.tie', { vote: { tie: 'last' } }],
    ['vote.allow_empty_vote', { vote: { allow_empty_vote: 1 } }],
    ['answers.mode', { answers: { mode: 'guess' } }],
    ['answers.modes', { answers: { modes: 'raw' } }],
    ['answers.reasoning', { answers: { reasoning: 'opened' } }],
    ['answers.fallback', { answers: { fallback: 'number' } }],
    ['barrier', { barrier: 'async' }],
    ['max_staleness', { barrier: 'last-label', max_staleness: -1 }],
    ['deadline_ms', { deadline_ms: 999 }],
    ['deadline_ms', { deadline_ms: 3_600_001 }],
    ['deadline_ms', { deadline_ms: Number.NaN }],
    ['quorum', { quorum: 0 }],
    ['grace_ms', { quorum: 2, grace_ms: -1 }],
    ['retention_ms', { retention_ms: 1_799_999 }],
    ['prompt_retention_ms', { prompt_retention_ms: null }],
    ['watchdog.stalled_after_ms', { watchdog: { stalled_after_ms: 0 } }],
    ['limits.open_buckets', { limits: { open_buckets: 0 } }],
    ['limits.held_requests', { limits: { held_requests: 1.5 } }],
    ['limits.buckets', { limits: { buckets: 1 } }],
  ])('%s out of its range is the one thing reported: %j', (path, settings) => {
    expect(paths({ agents: ['a', 'b'], ...settings })).toEqual([path]);
  });

  test.each(['-a', '.a', '_a', '', 'a b', 'a/b', 'ä', 'a'.repeat(65)])(
    'a name that would not survive a URL or a label is refused for agents and cohorts: %j',
    (name) => {
      expect(paths({ agents: [name, 'ok'] })).toEqual(['agents[0]']);
      expect(paths({ agents: [{ name }, 'ok'] })).toEqual(['agents[0].name']);
      expect(problemsOf({ agents: ['a', 'b'] }, name)).toEqual([
        { path: '', message: expect.stringContaining('expected a name of 1 to 64 letters') },
      ]);
    },
  );

  test.each(['a', '7b', 'Qwen2.5-7B_it', 'a'.repeat(64)])('a plain name is taken: %s', (name) => {
    expect(cohortOf({ agents: [name, 'ok'] }, name)).toMatchObject({ name, agents: [{ name }, {}] });
  });

  test('what they show of a value is cut', () => {
    const [problem] = problemsOf({ agents: ['a', 'b'], supervision: 'x'.repeat(10_000) });
    expect(problem?.message.length).toBeLessThan(200);
  });

  test('no input makes parsing throw', () => {
    const field = fc.constantFrom('agents', 'k', 'teachers', 'supervision', 'vote', 'quorum', '__proto__');
    const anything = fc.oneof(fc.anything(), fc.dictionary(field, fc.anything()));
    fc.assert(
      fc.property(anything, fc.string(), (raw, name) => {
        expect(typeof parseCohort(name, raw).ok).toBe('boolean');
      }),
    );
  });
});

describe('the written form of a cohort', () => {
  const settings = fc.record(
    {
      k: fc.integer({ min: 4, max: 4_096 }),
      quorum: fc.constantFrom(null, 1, 4),
      unlabeled_reward: fc.constantFrom(0, null),
      deadline_ms: fc.integer({ min: 30_001, max: 3_600_000 }),
      vote: fc.record(
        {
          tie: fc.constantFrom('first', 'discard', 'random'),
          threshold: fc.double({ min: 0, max: 1, noNaN: true }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const kind = fc.constantFrom(
    {},
    { method: 'ttrl' },
    { method: 'ground-truth' },
    { ring: 'successor' },
    { supervision: 'pooled' },
    { supervision: 'peer-majority', barrier: 'last-label', max_staleness: 0 },
    { supervision: 'graph', teachers: { a: ['b'], b: ['a', 'c'], c: ['b'] }, aggregate: 'pooled' },
  );

  test('parses back to the same cohort', () => {
    fc.assert(
      fc.property(settings, kind, (common, rest) => {
        const cohort = cohortOf({ agents: ['a', { name: 'b', k: 9 }, 'c'], ...common, ...rest });
        expect(cohortOf(toCohortConfig(cohort))).toEqual(cohort);
      }),
    );
  });

  test('leaves out teachers of role teacher, who learn from nobody', () => {
    const cohort = cohortOf({
      agents: ['a', { name: 't', role: 'teacher' }],
      supervision: 'graph',
      teachers: { a: ['t'] },
    });
    expect(toCohortConfig(cohort).teachers).toEqual({ a: ['t'] });
    expect(cohortOf(toCohortConfig(cohort))).toEqual(cohort);
  });
});
