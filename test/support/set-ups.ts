import { seeded } from '../../src/cli/simulate/seeded.ts';
import type { FindingCode } from '../../src/domain/verdict/findings-table.ts';
import type { ServiceOptions } from './service.ts';
import { type Trainer, trainerOf } from './training.ts';

/** A training run as somebody sets it up, and what is wrong with it. */
export interface SetUp {
  readonly name: string;
  readonly cohort: ServiceOptions;
  readonly trainers: readonly Trainer[];
  /** In the order of the alphabet; empty: nothing. */
  readonly expected: readonly FindingCode[];
  /** Second at which the mistake begins to matter. */
  readonly from: number;
}

type Random = () => number;

/** What of a run is drawn at random: everything that is no mistake. */
export interface Basis {
  readonly agents: readonly string[];
  readonly k: number;
  readonly promptsPerStep: number;
  readonly rows: readonly string[];
  readonly ids: (row: number) => string;
  readonly random: Random;
  readonly cohort: ServiceOptions;
  readonly trainers: Map<string, Trainer>;
}

/** Changes a run that is right into one that is not; returns since when, and what should be said. */
type Mistake = (basis: Basis) => { readonly from: number; readonly code: FindingCode };

const NAMES = ['qwen', 'llama', 'gemma', 'olmo'];
const MODES = { mode: 'boxed', pattern: null } as const;

/** Ways to name rows; no two of them have an id in common. */
const ID_KINDS: readonly ((row: number) => string)[] = [
  (row) => `math-${row}`,
  (row) => String(row),
  (row) => hex(row),
  (row) => `train/${row}/dapo`,
];

export function drawBasis(
  random: Random,
  options: { readonly agents?: number; readonly promptsPerStep?: number } = {},
): Basis {
  // Neighbouring seeds begin alike.
  for (let drawn = 0; drawn < 16; drawn++) random();
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const agents = NAMES.slice(0, options.agents ?? pick([2, 2, 3, 4]));
  const k = pick([4, 8]);
  const promptsPerStep = options.promptsPerStep ?? pick([1, 2, 4, 8]);
  const ids = pick(ID_KINDS);
  const rows = shuffled(
    Array.from({ length: 400 }, (_, row) => row),
    random,
  ).map(ids);
  const supervision = pick([
    { kind: 'ring', direction: 'predecessor' },
    { kind: 'ring', direction: 'successor' },
    { kind: 'peer-majority' },
    { kind: 'pooled' },
  ] as const);
  const sendsSteps = random() < 0.7;
  const trainers = new Map(
    agents.map((agent) => [
      agent,
      trainerOf(agent, rows, {
        promptsPerStep,
        samples: k,
        sendsSteps,
        startsAfter: 1 + Math.floor(random() * 10),
        sampling: () => 1 + Math.floor(random() * 4),
        training: () => 1 + Math.floor(random() * 3),
        truth: (row) => String(numberOf(row)),
        write: writer(agent, 0.7, random),
      }),
    ]),
  );
  const cohort: ServiceOptions = {
    agents,
    k,
    supervision,
    answers: MODES,
    barrier: { deadlineMs: 840_000 },
    watchdog: { silentAfterMs: 45_000, stalledAfterMs: 30_000 },
    limits: { openBuckets: 100_000, heldRequests: 10_000 },
  };
  return { agents, k, promptsPerStep, rows, ids, random, cohort, trainers };
}

/** A model of which so many answers are right, each in words of its own. */
export function writer(agent: string, right: number, random: Random): Trainer['write'] {
  return (row, visit, sample, step) => {
    const answer = random() < right ? numberOf(row) : Math.floor(random() * 50);
    return `${agent} on ${row}, visit ${visit}, try ${sample} at ${step}: ${random()} so \\boxed{${answer}}`;
  };
}

function numberOf(row: string): number {
  let sum = 7;
  for (const letter of row) sum = (sum * 31 + letter.charCodeAt(0)) % 97;
  return sum;
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const mixed = [...values];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
  }
  return mixed;
}

function hex(row: number): string {
  let text = '';
  for (let value = (row + 1) * 2654435761; text.length < 24; value = (value * 48271) % 2147483647) {
    text += (value % 65536).toString(16).padStart(4, '0');
  }
  return text.slice(0, 24).replace(/^./, 'a').replace(/.$/, '3');
}

/** Changes the trainer of one agent. */
export function change({ trainers }: Basis, agent: string, overrides: Partial<Trainer>): void {
  const before = trainers.get(agent);
  if (before !== undefined) trainers.set(agent, { ...before, ...overrides });
}

export function last({ agents }: Basis): string {
  return agents.at(-1) ?? '';
}

export function first({ agents }: Basis): string {
  return agents[0] ?? '';
}

/** All single mistakes, by what they should be called. */
export const MISTAKES = {
  'a peer dies': (basis) => {
    change(basis, last(basis), { diesAt: 4 });
    return { from: 40, code: 'silent_agent' };
  },
  'a peer never comes': (basis) => {
    change(basis, last(basis), { diesAt: 0 });
    return { from: 11, code: 'silent_agent' };
  },
  'one samples half of k': (basis) => {
    change(basis, first(basis), { samples: basis.k / 2 });
    return { from: 15, code: 'k_mismatch' };
  },
  'all sample half of k': (basis) => {
    for (const agent of basis.agents) change(basis, agent, { samples: basis.k / 2 });
    return { from: 15, code: 'k_mismatch' };
  },
  'other ids': (basis) => {
    const others = ID_KINDS.filter((kind) => kind !== basis.ids);
    const kind = others[Math.floor(basis.random() * others.length)] ?? basis.ids;
    change(basis, last(basis), { rows: basis.rows.map((_, row) => kind(row)) });
    return { from: 15, code: 'disjoint_prompts' };
  },
  'another shuffle': (basis) => {
    change(basis, last(basis), { rows: shuffled(basis.rows, basis.random) });
    return { from: 15, code: 'different_order' };
  },
  'a row that the others lack': (basis) => {
    const at = 6 * basis.promptsPerStep;
    for (const agent of basis.agents) change(basis, agent, { sendsSteps: true });
    change(basis, last(basis), {
      rows: [...basis.rows.slice(0, at), basis.ids(900), ...basis.rows.slice(at)],
    });
    return { from: 80, code: 'different_order' };
  },
  'a restart without incarnation': (basis) => {
    change(basis, last(basis), { restart: { at: 6, to: 2, incarnation: null } });
    return { from: 80, code: 'unnamed_restart' };
  },
  'an evaluation that is not marked': (basis) => {
    const rows = Array.from({ length: 6 }, (_, row) => basis.ids(500 + row));
    for (const agent of basis.agents) change(basis, agent, { sendsSteps: true });
    change(basis, first(basis), {
      evaluation: { every: 4, rows, samples: basis.k, marked: false, seconds: 2 },
    });
    return { from: 60, code: 'unmarked_eval' };
  },
  'an evaluation of one sample that is not marked': (basis) => {
    const rows = Array.from({ length: 6 }, (_, row) => basis.ids(500 + row));
    change(basis, first(basis), { evaluation: { every: 4, rows, samples: 1, marked: false, seconds: 2 } });
    return { from: 60, code: 'unmarked_eval' };
  },
  'an evaluation of a few samples that is not marked': (basis) => {
    const rows = Array.from({ length: 6 }, (_, row) => basis.ids(500 + row));
    const evaluation = { every: 4, rows, samples: basis.k / 2, marked: false, seconds: 2 };
    change(basis, first(basis), { evaluation });
    return { from: 60, code: 'unmarked_eval' };
  },
  'one after the other': (basis) => {
    for (const agent of basis.agents) change(basis, agent, { sends: 'rollouts' });
    return { from: 15, code: 'wait_cycle' };
  },
  clones: (basis) => {
    const write: Trainer['write'] = (row, visit, sample, step) => {
      const drawn = numberOf(`${row} ${visit} ${sample} ${step}`);
      return `Try ${sample} on ${row}, visit ${visit} at ${step}, so \\boxed{${drawn < 70 ? numberOf(row) : drawn}}`;
    };
    for (const agent of basis.agents.slice(0, 2)) change(basis, agent, { write });
    return { from: 30, code: 'clones' };
  },
  'answers that nobody can read': (basis) => {
    change(basis, first(basis), {
      write: (row, _, sample, step) => `Try ${sample} at ${step}: it is about ${row}.`,
    });
    return { from: 30, code: 'answers_not_found' };
  },
  'truths in another form': (basis) => {
    for (const agent of basis.agents)
      change(basis, agent, { truth: (row) => `Since so and so, it is ${row} #### x` });
    return { from: 60, code: 'unreadable_truths' };
  },
} as const satisfies Record<string, Mistake>;

export type MistakeName = keyof typeof MISTAKES;

/** A run with these mistakes at once. */
export function drawSetUp(
  seed: number,
  names: readonly MistakeName[],
  options: Parameters<typeof drawBasis>[1] = {},
): SetUp {
  const basis = drawBasis(seeded(seed), options);
  const made = names.map((name) => MISTAKES[name](basis));
  return {
    name: `${names.join(' and ')} (seed ${seed}: ${basis.agents.length} agents, ${basis.promptsPerStep} prompts a step)`,
    cohort: basis.cohort,
    trainers: [...basis.trainers.values()],
    expected: [...new Set(made.map(({ code }) => code))].sort(),
    from: Math.max(0, ...made.map(({ from }) => from)),
  };
}

/** Mistakes that come together, each of which can be seen beside the other. */
export const PAIRS: readonly (readonly [MistakeName, MistakeName])[] = [
  ['one samples half of k', 'another shuffle'],
  ['one samples half of k', 'other ids'],
  ['all sample half of k', 'another shuffle'],
  ['one samples half of k', 'answers that nobody can read'],
  ['another shuffle', 'answers that nobody can read'],
  ['other ids', 'answers that nobody can read'],
  ['clones', 'truths in another form'],
  ['clones', 'a peer dies'],
  ['answers that nobody can read', 'a peer dies'],
  ['truths in another form', 'a restart without incarnation'],
  ['clones', 'an evaluation that is not marked'],
  ['truths in another form', 'a row that the others lack'],
  ['clones', 'a restart without incarnation'],
];
