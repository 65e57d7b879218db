import { describe, expect, it } from 'vitest';
import {
  DEFAULT_RELIABILITY_RULES,
  type LabelRow,
  MOST_CHANGES,
  type PlanRecord,
} from '../../../src/domain/plan.ts';
import {
  emptyPlan,
  nextPlan,
  orderedPlan,
  presentChoices,
  releasedPlan,
} from '../../../src/methods/next-plan.ts';
import { buildAdaptive, buildCohort } from '../../support/builders.ts';

const cohort = buildCohort({
  agents: ['a', 'b', 'c'],
  supervision: buildAdaptive(),
  reliability: { ...DEFAULT_RELIABILITY_RULES, every: 4, window: 8 },
});

/** c agrees with a and with b in turn; a and b never agree. */
const ROWS: readonly LabelRow[] = [0, 1, 2, 3].map((at) => ({
  promptId: `p${at}`,
  round: 0,
  sides: at % 2 === 0 ? { a: 1, b: 0, c: 0 } : { a: 0, b: 1, c: 0 },
}));

const basis = (previous: PlanRecord | null, at = 5_000) => ({ previous, rows: ROWS, noted: 4, at });

describe('the next plan', () => {
  it('follows from the rows and the plan before alone', () => {
    const first = nextPlan(cohort, basis(null));
    expect(nextPlan(cohort, basis(null))).toEqual(first);
    expect(first).toMatchObject({ version: 1, rows: 4, teachers: { a: 'c', b: 'c', c: 'b' }, frozen: false });
    expect(nextPlan(cohort, basis(first))).toMatchObject({ version: 2, teachers: first.teachers });
  });

  it('notes every change with its time and figures, and a teacher that stays not', () => {
    const first = nextPlan(cohort, basis(null));
    expect(first.changes).toEqual([
      {
        version: 1,
        at: 5_000,
        agent: 'b',
        from: 'a',
        to: 'c',
        why: 'best',
        fromFigures: expect.objectContaining({ agreement: 0 }),
        toFigures: expect.objectContaining({ agreement: 0.5 }),
      },
    ]);
    expect(nextPlan(cohort, basis(first)).changes).toEqual(first.changes);
  });

  it('keeps the latest changes only', () => {
    let plan = emptyPlan(cohort);
    for (let at = 0; at < MOST_CHANGES + 5; at++) {
      plan = orderedPlan(cohort, plan, { teachers: { a: at % 2 === 0 ? 'b' : 'c' }, frozen: true }, at);
    }
    expect(plan.changes).toHaveLength(MOST_CHANGES);
    expect(plan.changes.at(-1)?.at).toBe(MOST_CHANGES + 4);
  });

  it('weighs labels without naming teachers where the cohort does not choose them', () => {
    const weighing = buildCohort({ agents: ['a', 'b', 'c'], supervision: { kind: 'peer-majority' } });
    expect(nextPlan(weighing, basis(null))).toMatchObject({ teachers: null, choices: [], changes: [] });
  });
});

describe('teachers set by a person', () => {
  it('leave the others theirs, and stay through later plans while frozen', () => {
    const set = orderedPlan(cohort, null, { teachers: { a: 'b' }, frozen: true }, 1);
    expect(set).toMatchObject({ version: 1, rows: 0, teachers: { a: 'b', b: 'a', c: 'b' }, frozen: true });
    expect(set.choices.map(({ why }) => why)).toEqual(['set', 'frozen', 'frozen']);
    const later = nextPlan(cohort, basis(set));
    expect(later).toMatchObject({ version: 2, teachers: set.teachers, frozen: true });
    expect(later.changes).toEqual(set.changes);
  });

  it('give way to the next choice where they are not frozen, after their dwell', () => {
    const dwelling = buildCohort({ ...cohort, supervision: buildAdaptive({ minDwell: 2 }) });
    const set = orderedPlan(dwelling, null, { teachers: { a: 'b', b: 'a' }, frozen: false }, 1);
    const second = nextPlan(dwelling, basis(set));
    expect(second.choices[1]).toMatchObject({ teacher: 'a', why: 'dwell' });
    expect(nextPlan(dwelling, basis(second)).teachers?.b).toBe('c');
  });

  it('are chosen again at once when released, whatever their dwell', () => {
    const dwelling = buildCohort({ ...cohort, supervision: buildAdaptive({ minDwell: 99 }) });
    const set = orderedPlan(dwelling, null, { teachers: { b: 'a' }, frozen: true }, 1);
    const released = nextPlan(dwelling, basis(releasedPlan(set)));
    expect(released).toMatchObject({ version: 2, frozen: false, teachers: { b: 'c' } });
  });

  it('are the ring before the first plan', () => {
    expect(presentChoices(cohort, null).map(({ teacher }) => teacher)).toEqual(['c', 'a', 'b']);
    expect(emptyPlan(cohort)).toMatchObject({
      version: 0,
      teachers: { a: 'c', b: 'a', c: 'b' },
      changes: [],
    });
  });
});
