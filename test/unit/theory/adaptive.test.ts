import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/cli/simulate/seeded.ts';
import { simulate } from '../../../src/cli/simulate/simulate.ts';
import { type Choosing, sampleTraining } from '../../../src/theory/adaptive.ts';
import { sampleRun } from '../../../src/theory/stochastic.ts';

const LEARNERS = [0, 1, 2].map(() => ({ k: 4, eta: 1 }));

const CHOOSING: Choosing = {
  rules: { fallback: 'predecessor', minPrompts: 10, margin: 0, minDwell: 0, minPosterior: 0 },
  reliability: { every: 20, window: 60, classes: 2, prior: [4, 2] },
};

const problems = (count: number, start: readonly number[]) => Array.from({ length: count }, () => start);

describe('training on a data set', () => {
  it('moves a single problem as a sampled run does', () => {
    const start = [0.7, 0.6, 0.4];
    for (const teaching of ['predecessor', 'successor', 'peer-majority'] as const) {
      const run = sampleRun({ learners: LEARNERS, teaching, wrong: 1 }, start, 12, seeded(5));
      const training = sampleTraining(
        { learners: LEARNERS, starts: [start], visits: 12 },
        teaching,
        seeded(5),
      );
      expect(training.accuracy).toEqual(run.at(-1)?.p);
    }
  });

  it('is the ring while there is too little to choose by', () => {
    const training = { learners: LEARNERS, starts: problems(4, [0.8, 0.7, 0.3]), visits: 4 };
    const waiting = { ...CHOOSING, rules: { ...CHOOSING.rules, minPrompts: 1_000 } };
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
    const sure = { ...CHOOSING, rules: { ...CHOOSING.rules, minPosterior: 0.9 } };
    expect(sampleTraining(training, sure, seeded(7)).unlabeled).toBeGreaterThan(0);
  });

  it('is compared with both rings by peervote simulate adaptive', async () => {
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
    ]);
    expect(tables[0].rows.map(([way]: [string]) => way).slice(0, 4)).toEqual([
      'ring, predecessor',
      'ring, successor',
      'peer-majority',
      'ring, min_posterior 0.7',
    ]);
  });
});
