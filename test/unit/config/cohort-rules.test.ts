import { describe, expect, test } from 'vitest';
import { parseCohort } from '../../../src/config/parse-cohort.ts';

/** Problems as `path: message`; none for a cohort that is accepted. */
function problemsOf(raw: unknown): readonly string[] {
  const parsed = parseCohort('math', raw);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

const pair = { agents: ['a', 'b'] };

describe('agents', () => {
  test('have unique names, in whichever way they are written', () => {
    expect(problemsOf({ agents: ['a', { name: 'a' }, 'b', 'b'] })).toEqual([
      'agents[1].name: agents need unique names: "a" is already agents[0]',
      'agents[3]: agents need unique names: "b" is already agents[2]',
    ]);
    expect(problemsOf({ agents: ['a', 'A'] })).toEqual([]);
  });

  test('co-rl needs two, the other methods one', () => {
    expect(problemsOf({ agents: ['a'] })).toEqual([
      'agents: method co-rl needs at least 2 agents, since an agent learns from its peers; got 1',
    ]);
    expect(problemsOf({ agents: ['a'], method: 'ttrl' })).toEqual([]);
    expect(problemsOf({ agents: ['a'], method: 'ground-truth' })).toEqual([]);
    expect(problemsOf({ agents: [], method: 'ttrl' })).toHaveLength(1);
  });

  test('are at most 64', () => {
    const named = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);
    expect(problemsOf({ agents: named(64) })).toEqual([]);
    expect(problemsOf({ agents: named(65) })).toEqual([
      expect.stringContaining('agents: expected a list of 1 to 64 agents'),
    ]);
  });

  test('include a learner', () => {
    const teacher = (name: string) => ({ name, role: 'teacher' });
    expect(problemsOf({ agents: [teacher('a'), teacher('b')] })).toEqual([
      'agents: at least one agent must be a learner; all of them are teachers',
    ]);
    expect(problemsOf({ agents: ['a', teacher('b')] })).toEqual([]);
  });

  test('are teachers only where somebody learns from them', () => {
    expect(problemsOf({ agents: ['a', { name: 'b', role: 'teacher' }], method: 'ttrl' })).toEqual([
      'agents[1].role: role: teacher only makes sense with method: co-rl, co-rewarding-ii or comas, and method is ttrl',
    ]);
  });
});

describe('a setting that nothing would read is an error that says what it needs', () => {
  test.each([
    [{ supervision: 'ring', method: 'ttrl' }, 'supervision', 'method: co-rl, and method is ttrl'],
    [{ ring: 'successor', method: 'ground-truth' }, 'ring', 'method: co-rl, and method is ground-truth'],
    [{ teachers: { a: ['b'] }, method: 'ttrl' }, 'teachers', 'method: co-rl, and method is ttrl'],
    [{ ring: 'successor', supervision: 'pooled' }, 'ring', 'supervision: ring, and supervision is pooled'],
    [{ teachers: { a: ['b'] } }, 'teachers', 'supervision: graph, and supervision is ring'],
    [
      { aggregate: 'pooled', supervision: 'peer-majority' },
      'aggregate',
      'supervision: graph, and supervision is peer-majority',
    ],
    [
      { on_finish: 'expire', supervision: 'pooled' },
      'on_finish',
      'supervision: ring or adaptive, and supervision is pooled',
    ],
    [{ max_staleness: 1 }, 'max_staleness', 'barrier: last-label, and barrier is sync'],
  ])('%j', (settings, key, need) => {
    expect(problemsOf({ ...pair, ...settings })).toEqual([`${key}: ${key} only makes sense with ${need}`]);
  });

  test('grace_ms needs a quorum', () => {
    const problem = 'grace_ms: grace_ms only makes sense with a quorum, and quorum is null';
    expect(problemsOf({ ...pair, grace_ms: 5 })).toEqual([problem]);
    expect(problemsOf({ ...pair, grace_ms: 5, quorum: null })).toEqual([problem]);
    expect(problemsOf({ ...pair, grace_ms: 5, quorum: 2 })).toEqual([]);
  });

  test('last-label needs a method that waits for somebody', () => {
    expect(problemsOf({ ...pair, method: 'ground-truth', barrier: 'last-label' })).toEqual([
      'barrier: last-label makes no sense with method ground-truth, which waits for nobody',
    ]);
    expect(problemsOf({ ...pair, method: 'ttrl', barrier: 'last-label' })).toEqual([]);
  });

  test('nothing is concluded from a setting that is itself wrong', () => {
    expect(problemsOf({ ...pair, supervision: 'star', ring: 'successor', teachers: {} })).toEqual([
      'supervision: expected one of ring, peer-majority, pooled, graph, adaptive, got "star"',
    ]);
  });
});

describe('supervision: graph', () => {
  const graph = (teachers: unknown, agents: unknown = ['a', 'b', 'c']) =>
    problemsOf({ agents, supervision: 'graph', ...(teachers === undefined ? {} : { teachers }) });

  test('needs teachers', () => {
    expect(graph(undefined)).toEqual([
      'teachers: is required with supervision: graph: give every learner the list of its teachers',
    ]);
  });

  test('accepts a graph in which every learner has a teacher', () => {
    expect(graph({ a: ['b'], b: ['a', 'c'], c: ['b'] })).toEqual([]);
  });

  test('names agents of the cohort only', () => {
    expect(graph({ a: ['b', 'x'], b: ['a'], c: ['a'], y: ['a'] })).toEqual([
      'teachers.a[1]: "x" is no agent of this cohort; its agents are a, b, c',
      'teachers.y: "y" is no agent of this cohort; its agents are a, b, c',
    ]);
  });

  test('has no self edges and no repeated ones', () => {
    expect(graph({ a: ['a', 'b'], b: ['a'], c: ['b', 'b'] })).toEqual([
      'teachers.a[0]: a cannot be its own teacher',
      'teachers.c[1]: b is listed twice',
    ]);
  });

  test('gives every learner a teacher', () => {
    expect(graph({ a: ['b'], b: [] })).toEqual([
      'teachers.b: b is a learner and needs at least one teacher',
      'teachers.c: c is a learner and needs at least one teacher',
    ]);
  });

  test('has agents of role teacher teach, and not learn', () => {
    const agents = ['a', 'b', { name: 't', role: 'teacher' }];
    expect(graph({ a: ['b', 't'], b: ['a'] }, agents)).toEqual([]);
    expect(graph({ a: ['b'], b: ['a'], t: ['a'] }, agents)).toEqual([
      'teachers.t: t has role teacher and learns from nobody; drop this entry',
      'agents[2]: t has role teacher, but is in no list of teachers',
    ]);
  });

  test('is checked also while something else is wrong', () => {
    const wrong = { agents: ['a', 'b'], k: 'x', supervision: 'graph', teachers: { a: ['a'], b: ['a'] } };
    expect(problemsOf(wrong)).toEqual([
      'k: expected a whole number from 1 to 4096, got "x"',
      'teachers.a[0]: a cannot be its own teacher',
    ]);
  });

  test('calls no agent unknown while a name in the list cannot be read', () => {
    expect(graph({ a: ['b'], b: ['-c'], c: ['a'] }, ['a', 'b', '-c'])).toEqual([
      expect.stringMatching(/^agents\[2\]: expected a name/),
      expect.stringMatching(/^teachers\.b\[0\]: expected a name/),
    ]);
    expect(graph({ a: ['b'], b: ['c'], c: ['a'] }, ['a', 'b', { nam: 'c' }])).toEqual([
      expect.stringMatching(/^agents\[2\]\.name: is required/),
      expect.stringMatching(/^agents\[2\]\.nam: unknown key/),
    ]);
  });
});

describe('numbers that bound each other', () => {
  test("a quorum is at most every agent's k", () => {
    const agents = ['a', { name: 'b', k: 4 }];
    expect(problemsOf({ agents, quorum: 4 })).toEqual([]);
    expect(problemsOf({ agents, quorum: 5 })).toEqual([
      "quorum: must not exceed any agent's k: it is 5, but b has k 4",
    ]);
  });

  test('a grace below the deadline, also the default one', () => {
    expect(problemsOf({ ...pair, quorum: 4, grace_ms: 999, deadline_ms: 1_000 })).toEqual([]);
    expect(problemsOf({ ...pair, quorum: 4, grace_ms: 1_000, deadline_ms: 1_000 })).toEqual([
      'grace_ms: must be below deadline_ms (1000), or the quorum never decides a group; it is 1000',
    ]);
    expect(problemsOf({ ...pair, quorum: 4, deadline_ms: 10_000 })).toEqual([
      'grace_ms: must be below deadline_ms (10000), or the quorum never decides a group; it is 30000, the default',
    ]);
    expect(problemsOf({ ...pair, deadline_ms: 10_000 })).toEqual([]);
  });

  test('a vote that one group can reach, where groups are voted on alone', () => {
    const vote = { min_votes: 9 };
    const problem =
      "vote.min_votes: must not exceed any agent's k, or its groups never get a label: it is 9, but a has k 8, b has k 8";
    expect(problemsOf({ ...pair, vote })).toEqual([problem]);
    expect(problemsOf({ ...pair, vote, supervision: 'peer-majority' })).toEqual([problem]);
    expect(problemsOf({ ...pair, vote, method: 'ttrl' })).toEqual([problem]);
    expect(problemsOf({ ...pair, vote, supervision: 'pooled' })).toEqual([]);
    expect(problemsOf({ ...pair, vote, method: 'ground-truth' })).toEqual([]);
  });

  test('prompts are remembered at least as long as their buckets', () => {
    expect(problemsOf({ ...pair, retention_ms: 7_200_000, prompt_retention_ms: 7_199_999 })).toEqual([
      'prompt_retention_ms: must be at least retention_ms (7200000), got 7199999',
    ]);
  });
});
