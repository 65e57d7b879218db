import { seeded } from '../../src/cli/simulate/seeded.ts';
import { type Basis, change, drawBasis, first, last, type SetUp, writer } from './set-ups.ts';

type Habit = (basis: Basis) => void;

/** What a run may do that is no mistake. */
const HABITS: readonly (readonly [name: string, habit: Habit])[] = [
  [
    'jitter',
    (basis) => {
      for (const agent of basis.agents) {
        change(basis, agent, {
          sampling: () => 1 + 15 * basis.random(),
          training: () => 1 + 10 * basis.random(),
        });
      }
    },
  ],
  ['a slow peer', (basis) => change(basis, last(basis), { sampling: () => 20, training: () => 20 })],
  [
    'a peer that is slower than silent_after_ms, and always was',
    (basis) => {
      change(basis, last(basis), { startsAfter: 1, sampling: (step) => Math.min(10 + 12 * step, 70) });
    },
  ],
  [
    'evaluations',
    (basis) => {
      const rows = Array.from({ length: 30 }, (_, row) => basis.ids(700 + row));
      const evaluation = { every: 3, rows, samples: 1, marked: true, seconds: 25 };
      for (const agent of basis.agents) change(basis, agent, { evaluation });
    },
  ],
  [
    'an evaluation that only one has',
    (basis) => {
      const rows = Array.from({ length: 30 }, (_, row) => basis.ids(700 + row));
      change(basis, first(basis), { evaluation: { every: 2, rows, samples: 4, marked: true, seconds: 35 } });
    },
  ],
  [
    'a restart with an incarnation',
    (basis) => {
      change(basis, last(basis), { incarnation: 'one', restart: { at: 5, to: 2, incarnation: 'two' } });
    },
  ],
  [
    'one that runs far ahead',
    (basis) => {
      change(basis, first(basis), { runsAhead: true, sampling: () => 0.2, training: () => 0 });
    },
  ],
  [
    'one that sends its rollouts one by one',
    (basis) => {
      change(basis, last(basis), { sends: 'rollouts' });
    },
  ],
  [
    'one that sends prompt by prompt',
    (basis) => {
      for (const agent of basis.agents) change(basis, agent, { sends: 'prompts' });
    },
  ],
  [
    'a small data set, epoch after epoch',
    (basis) => {
      for (const agent of basis.agents) {
        change(basis, agent, {
          rows: basis.rows.slice(0, 8 * basis.promptsPerStep),
          sampling: () => 0.5,
          training: () => 0.5,
        });
      }
    },
  ],
  [
    'models that get better and write more',
    (basis) => {
      for (const agent of basis.agents) {
        const right = (step: number) => Math.min(0.95, 0.3 + step / 20);
        change(basis, agent, {
          sampling: () => 1,
          training: () => 1,
          tokens: (step) => 200 + 20 * step,
          write: (row, visit, sample, step) =>
            writer(agent, right(step), basis.random)(row, visit, sample, step),
        });
      }
    },
  ],
  [
    'all of them finish',
    (basis) => {
      for (const agent of basis.agents) change(basis, agent, { finishesAt: 8 });
    },
  ],
];

/** A run with habits that are drawn, and no mistake. */
export function drawHealthy(seed: number): SetUp {
  const random = seeded(seed);
  const basis = drawBasis(random);
  const [one, habit] = HABITS[seed % HABITS.length] ?? ['nothing', () => undefined];
  habit(basis);
  return {
    name: `${one} (seed ${seed}: ${basis.agents.length} agents, ${basis.promptsPerStep} prompts a step)`,
    cohort: basis.cohort,
    trainers: [...basis.trainers.values()],
    expected: [],
    from: 0,
  };
}
