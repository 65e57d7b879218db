import { describe, expect, it } from 'vitest';
import { parseCohort, toCohortConfig } from '../../../src/config/parse-cohort.ts';

const three = { agents: ['a', 'b', 'c'], supervision: 'adaptive' };

function problemsOf(raw: object): readonly string[] {
  const parsed = parseCohort('math', raw);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

function cohortOf(raw: object) {
  const parsed = parseCohort('math', raw);
  return parsed.ok ? parsed.cohort : expect.unreachable();
}

describe('section adaptive', () => {
  it('has defaults, and comes back from its written form as it was', () => {
    const cohort = cohortOf(three);
    expect(cohort.supervision).toEqual({
      kind: 'adaptive',
      fallback: 'predecessor',
      minPrompts: 50,
      margin: 0.01,
      minDwell: 2,
    });
    expect(cohort.reliability).toMatchObject({
      every: 50,
      window: 500,
      classes: 10,
      minPosterior: 0.7,
      truthShare: 0,
    });
    const other = cohortOf({
      ...three,
      adaptive: { every: 7, window: 90, min_posterior: 1, classes: 4, truth_share: 0.05 },
    });
    for (const each of [cohort, other]) expect(cohortOf(toCohortConfig(each))).toEqual(each);
  });

  it('is only for its supervision', () => {
    expect(problemsOf({ agents: ['a', 'b', 'c'], adaptive: {} })).toEqual([
      'adaptive: adaptive only makes sense with supervision: adaptive, and supervision is ring',
    ]);
    expect(problemsOf({ ...three, ring: 'successor' })).toEqual([
      'ring: ring only makes sense with supervision: ring, and supervision is adaptive',
    ]);
    expect(problemsOf({ ...three, method: 'ttrl' })).toHaveLength(1);
  });

  it('reports all problems at once', () => {
    const adaptive = { every: 100, window: 40, min_prompts: 60 };
    expect(problemsOf({ ...three, adaptive })).toEqual([
      'adaptive.window: must be at least every (100), got 40',
      'adaptive.window: must be at least min_prompts (60), got 40',
    ]);
    expect(problemsOf({ ...three, adaptive: { margin: 2, rings: 1 } })).toEqual([
      expect.stringContaining('adaptive.margin: expected a number from 0 to 1'),
      expect.stringContaining('adaptive.rings: unknown key'),
    ]);
  });

  it('refuses to judge labels where rewards use none, and to weigh the labels of a single teacher', () => {
    expect(
      problemsOf({ ...three, adaptive: { min_posterior: 0.5 }, reward: { kind: 'log-distill' } }),
    ).toEqual([expect.stringContaining('adaptive.min_posterior')]);
    expect(problemsOf({ ...three, vote: { weighting: 'dawid-skene' } })).toHaveLength(1);
    expect(problemsOf({ ...three, vote: { include_own: true } })).toHaveLength(1);
  });

  it('is taken with two agents, where the ring teaches', () => {
    expect(problemsOf({ agents: ['a', 'b'], supervision: 'adaptive' })).toEqual([]);
  });
});
