import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/cli/simulate/seeded.ts';
import { simulate } from '../../../src/cli/simulate/simulate.ts';
import { DEFAULT_RELIABILITY_RULES } from '../../../src/domain/plan.ts';
import { type Planned, sampleTraining } from '../../../src/theory/adaptive.ts';
import { sampleRun } from '../../../src/theory/stochastic.ts';

const LEARNERS = [0, 1, 2].map(() => ({ k: 4, eta: 1 }));

const RELIABILITY = { ...DEFAULT_RELIABILITY_RULES, every: 20, window: 60, classes: 2 };
const RULES = { kind: 'adaptive', fallback: 'predecessor', minPrompts: 10, margin: 0, minDwell: 0 } as const;
const CHOOSING: Planned = { supervision: RULES, reliability: RELIABILITY, weighting: 'none' };

const binary = (start: readonly number[]) => start.map((right) => [right, 1 - right]);
const problems = (count: number, start: readonly number[]) =>
  Array.from({ length: count }, () => binary(start));

describe('training on a data set', () => {
  it('moves a single problem as a sampled run does', () => {
    const start = [0.7, 0.6, 0.4];
    for (const teaching of ['predecessor', 'successor', 'peer-majority'] as const) {
      const run = sampleRun({ learners: LEARNERS, teaching, wrong: 1 }, start, 12, seeded(5));
      const training = sampleTraining(
        { learners: LEARNERS, starts: [binary(start)], visits: 12 },
        teaching,
        seeded(5),
      );
      for (const [n, p] of run.at(-1)?.p.entries() ?? []) expect(training.accuracy[n]).toBeCloseTo(p, 9);
    }
  });

  it('is the ring while there is too little to choose by', () => {
    const training = { learners: LEARNERS, starts: problems(4, [0.8, 0.7, 0.3]), visits: 4 };
    const waiting = { ...CHOOSING, supervision: { ...RULES, minPrompts: 1_000 } };
    expect(sampleTraining(training, waiting, seeded(3))).toEqual(
      sampleTraining(training, 'predecessor', seeded(3)),
    );
  });

  it('repeats by its seed, changes teachers, and leaves improbable labels out', () => {
    const training = { learners: LEARNERS, starts: problems(20, [0.8, 0.7, 0.2]), visits: 6 };
    const chosen = sampleTraining(training, CHOOSING, seeded(7));
    expect(sampleTraining(training, CHOOSING, seeded(7))).toEqual(chosen);
    expect(chosen.changes).toBeGreaterThan(0);
    expect(chosen.unlabeled).toBe(0);
    const sure = { ...CHOOSING, reliability: { ...RELIABILITY, minPosterior: 0.9 } };
    expect(sampleTraining(training, sure, seeded(7)).unlabeled).toBeGreaterThan(0);
  });

  it('moves each of several answers by its advantage, so that chances stay chances and twins stay twins', () => {
    const starts = Array.from({ length: 10 }, () => [
      [0.5, 0.3, 0.1, 0.1],
      [0.4, 0.2, 0.2, 0.2],
      [0.4, 0.2, 0.2, 0.2],
    ]);
    const training = { learners: LEARNERS, starts, twins: [[1, 2]] as const, visits: 20 };
    // Of twins that see the same label only themselves differ in their teacher, so a common one keeps them equal.
    const { accuracy } = sampleTraining(training, 'peer-majority', seeded(2));
    expect(accuracy).toHaveLength(3);
    for (const chance of accuracy) expect(chance > 0 && chance < 1).toBe(true);
  });

  it('is told from the ring by what its plans say, under every way of using them', () => {
    const training = { learners: LEARNERS, starts: problems(20, [0.8, 0.75, 0.2]), visits: 12 };
    const peers = { kind: 'peer-majority' } as const;
    const ways: Planned[] = [
      { ...CHOOSING, weighting: 'dawid-skene', supervision: peers },
      {
        ...CHOOSING,
        weighting: 'dawid-skene',
        supervision: peers,
        reliability: { ...RELIABILITY, minPosterior: 0.9 },
      },
      {
        ...CHOOSING,
        supervision: { kind: 'ring', direction: 'predecessor' },
        reliability: { ...RELIABILITY, minPosterior: 0.9 },
      },
      { ...CHOOSING, reliability: { ...RELIABILITY, truthShare: 0.2 } },
    ];
    const mean = (way: Planned | 'predecessor') => {
      const { accuracy } = sampleTraining(training, way, seeded(4));
      return (accuracy[0] ?? 0) + (accuracy[1] ?? 0) + (accuracy[2] ?? 0);
    };
    for (const way of ways) expect(mean(way)).toBeGreaterThan(mean('predecessor'));
  });

  it('is compared with the ring by peervote simulate adaptive', async () => {
    let text = '';
    const raw = { runs: '2', problems: '10', until: '3' };
    const output = {
      json: true,
      colors: false,
      print: (part: string) => {
        text += part;
      },
      complain: () => undefined,
    };
    expect(await simulate('adaptive', raw, output)).toBe(0);
    const { tables } = JSON.parse(text);
    expect(tables.map(({ title }: { title: string }) => title.split(',').slice(0, 2).join())).toEqual([
      '3 agents, 1 bad',
      '5 agents, 1 bad',
      '3 agents, none bad',
      '5 agents, 2 bad twins',
      '5 agents, 2 good twins',
      '3 agents, 2 bad twins',
    ]);
    expect(tables[0].rows.map(([way]: [string]) => way).slice(0, 4)).toEqual([
      'ring, predecessor',
      'peer-majority',
      'ring, min_posterior 0.7',
      'dawid-skene',
    ]);
  });
});
