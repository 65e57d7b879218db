import { describe, expect, test } from 'vitest';
import { OPTION_METHODS } from '../../../src/config/method-options-schema.ts';
import { parseCohort, toCohortConfig } from '../../../src/config/parse-cohort.ts';
import { type Cohort, METHOD_NAMES, type MethodName } from '../../../src/domain/cohort.ts';
import { DEFAULT_METHOD_OPTIONS } from '../../../src/domain/method-options.ts';
import { methodOf } from '../../../src/methods/registry.ts';

function problemsOf(raw: unknown): readonly string[] {
  const parsed = parseCohort('math', raw);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

function cohortOf(raw: unknown): Cohort {
  const parsed = parseCohort('math', raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.cohort;
}

const views = ['a', { name: 'b', view: 'rephrased' }];
const slow = ['a', { name: 'b', role: 'teacher' }];

/** Agents that suit a method. */
function agentsFor(method: MethodName): readonly unknown[] {
  if (method === 'co-rewarding-i') return views;
  return method === 'co-rewarding-ii' ? slow : ['a', 'b'];
}

const OPTIONS: readonly (readonly [MethodName, Readonly<Record<string, unknown>>])[] = [
  ['rent', { base_format: true, unparseable_reward: -3 }],
  ['co-rewarding-i', { match: 'exact' }],
  ['co-rewarding-ii', { match: 'exact', ema_steps: 100, ema_start: 0.3, ema_end: 0.05, ema_interval: 30 }],
  ['comas', { parser: 'marti' }],
  [
    'maporl',
    { horizon: 'discounted', gamma: 0.5, share: 'individual', alpha: [1, 2, 3, 4], convention: 'code' },
  ],
  [
    'llm-judge',
    {
      question: 'verdict',
      tell_truth: true,
      on_judge_failure: 'zero',
      judge_requests: 100,
      judge_tokens: 0,
    },
  ],
  ['random', { probability: 0.25 }],
  ['inverted', { label: 'self-vote', abstention: 1 }],
];

describe('options of a method', () => {
  test.each(METHOD_NAMES.map((method) => [method]))('have their defaults with method %s', (method) => {
    const cohort = cohortOf({ agents: agentsFor(method), method });
    expect(cohort.options).toEqual(DEFAULT_METHOD_OPTIONS);
    expect(cohortOf(toCohortConfig(cohort))).toEqual(cohort);
  });

  test.each(OPTIONS)('of %s are kept, and written out as they were', (method, options) => {
    const cohort = cohortOf({ agents: agentsFor(method), method, options });
    expect(cohort.options).not.toEqual(DEFAULT_METHOD_OPTIONS);
    expect(toCohortConfig(cohort).options).toEqual(options);
    expect(cohortOf(toCohortConfig(cohort))).toEqual(cohort);
  });

  test('are together all that there are', () => {
    const tried = new Set(OPTIONS.flatMap(([, options]) => Object.keys(options)));
    expect([...tried].sort()).toEqual(Object.keys(OPTION_METHODS).sort());
  });

  test.each(OPTIONS)('of %s are refused with another method, each by name', (method, options) => {
    const other = method === 'rent' ? 'intuitor' : 'rent';
    const refused = problemsOf({ agents: ['a', 'b'], method: other, options }).map(
      (text) => text.split(':')[0],
    );
    expect(refused.sort()).toEqual(
      Object.keys(options)
        .map((key) => `options.${key}`)
        .sort(),
    );
  });

  test('say which method they are for', () => {
    expect(problemsOf({ agents: ['a', 'b'], options: { base_format: true, match: 'exact' } })).toEqual([
      'options.base_format: base_format only makes sense with method: rent, and method is co-rl',
      'options.match: match only makes sense with method: co-rewarding-i or co-rewarding-ii, and method is co-rl',
    ]);
  });

  test.each([
    ['rent', { unparseable_reward: -1 }, 'unparseable_reward only makes sense with base_format: true'],
    [
      'co-rewarding-ii',
      { ema_end: 0.1 },
      'ema_end only makes sense with ema_steps, the length of the schedule',
    ],
    ['maporl', { convention: 'code' }, 'convention only makes sense with alpha, the weights of the bonus'],
    [
      'maporl',
      { gamma: 0.5, horizon: 'last' },
      'gamma only makes sense with horizon: discounted, and horizon is last',
    ],
  ] as const)('of %s that hang on another are refused without it: %j', (method, options, message) => {
    const [key] = Object.keys(options);
    expect(problemsOf({ agents: agentsFor(method), method, options })).toEqual([
      `options.${key}: ${message}`,
    ]);
  });

  test.each([
    ['random', { probability: 2 }, 'options.probability: expected a number from 0 to 1, got 2'],
    [
      'maporl',
      { alpha: [1, 2] },
      'options.alpha: expected a list of 4 numbers from 0 to 1000, got a list of 2',
    ],
    ['inverted', { abstention: 2 }, 'options.abstention: expected 0 or 1, got 2'],
    [
      'co-rewarding-ii',
      { ema_steps: 0 },
      'options.ema_steps: expected a whole number from 1 to 1000000000, got 0',
    ],
  ] as const)('of %s have bounds: %j', (method, options, problem) => {
    expect(problemsOf({ agents: agentsFor(method), method, options })).toEqual([problem]);
  });
});

describe('what methods ask of agents', () => {
  test('co-rewarding-i needs two views, and two agents for them', () => {
    const ask = (agents: unknown) => problemsOf({ agents, method: 'co-rewarding-i' });
    expect(ask(['a', 'b'])).toEqual([
      'agents: method co-rewarding-i needs two views: give one agent another view than "original", such as view: rephrased',
    ]);
    for (const agents of [['a'], ['a', 'b', 'c']]) {
      expect(ask(agents)).toEqual([
        `agents: method co-rewarding-i needs exactly 2 agents, the two views of one policy; got ${agents.length}`,
      ]);
    }
  });

  test('co-rewarding-ii needs one teacher and somebody that learns from it', () => {
    const teacher = (name: string) => ({ name, role: 'teacher' });
    const ask = (...agents: unknown[]) => problemsOf({ agents, method: 'co-rewarding-ii' });
    const need =
      'agents: method co-rewarding-ii needs exactly 1 agent of role teacher, the slow copy of the policy; got';
    expect(ask('a', 'b')).toEqual([`${need} 0`]);
    expect(ask('a', teacher('b'), teacher('c'))).toEqual([`${need} 2`]);
    expect(ask(teacher('a'))).toEqual(['agents: method co-rewarding-ii needs a learner beside its teacher']);
    expect(ask('a', 'b', teacher('c'))).toEqual([]);
  });

  test('comas takes a scorer that is not trained', () => {
    expect(problemsOf({ agents: slow, method: 'comas' })).toEqual([]);
  });

  test.each(METHOD_NAMES.filter((name) => !['co-rl', 'co-rewarding-ii', 'comas'].includes(name)))(
    '%s has no teachers',
    (method) => {
      expect(problemsOf({ agents: slow, method })).toEqual([
        `agents[1].role: role: teacher only makes sense with method: co-rl, co-rewarding-ii or comas, and method is ${method}`,
      ]);
    },
  );
});

describe('last-label', () => {
  test.each(METHOD_NAMES.map((name) => [name]))('is for methods with a label to be old: %s', (method) => {
    const raw = { agents: agentsFor(method), method, barrier: 'last-label' };
    const withLabel = ['co-rl', 'ttrl', 'co-rewarding-i', 'co-rewarding-ii'].includes(method);
    expect(problemsOf(raw)).toHaveLength(withLabel ? 0 : 1);
  });

  test('is refused with the reason', () => {
    const ask = (method: string) => problemsOf({ agents: ['a', 'b'], method, barrier: 'last-label' })[0];
    expect(ask('rent')).toBe('barrier: last-label makes no sense with method rent, which waits for nobody');
    expect(ask('comas')).toBe(
      'barrier: last-label makes no sense with method comas, which rewards a discussion of this very round',
    );
  });

  test('is for inverted where that turns round a vote', () => {
    const raw = { agents: ['a'], method: 'inverted', barrier: 'last-label' };
    expect(problemsOf(raw)).toHaveLength(1);
    expect(problemsOf({ ...raw, options: { label: 'self-vote' } })).toEqual([]);
  });
});

describe('vote.min_votes', () => {
  test.each([
    ['co-rewarding-i', {}, 1],
    ['co-rewarding-ii', {}, 1],
    ['inverted', { label: 'self-vote' }, 1],
    ['inverted', {}, 0],
    ['rent', {}, 0],
    ['comas', {}, 0],
  ] as const)('with method %s and options %j is bounded by k in %i place', (method, options, problems) => {
    const raw = { agents: agentsFor(method), k: 2, method, options, vote: { min_votes: 3 } };
    expect(problemsOf(raw)).toHaveLength(problems);
  });
});

test('methods that never wait say so to the barrier', () => {
  for (const method of ['rent', 'intuitor', 'llm-judge', 'random', 'format', 'inverted'] as const) {
    const cohort = cohortOf({ agents: ['a', 'b'], method });
    for (const agent of cohort.agents) expect(methodOf(method).waitsFor(cohort, agent, null)).toEqual([]);
  }
});
