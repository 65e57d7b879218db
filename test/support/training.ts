import type { GroupInput, RolloutInput } from '../../src/service/submission.ts';
import { groupOf, type ServiceScene, settleDown } from './service.ts';

/** How one trainer behaves. Times are in seconds of the fake clock. */
export interface Trainer {
  readonly agent: string;
  /** Its data set, in its own order. */
  readonly rows: readonly string[];
  readonly promptsPerStep: number;
  /** Rollouts that it samples per prompt. */
  readonly samples: number;
  /** Before it sends the first, and for each step: sampling, then training. */
  readonly startsAfter: number;
  readonly sampling: (step: number) => number;
  readonly training: (step: number) => number;
  /** What it writes. */
  readonly write: (row: string, visit: number, sample: number, step: number) => string;
  readonly tokens: (step: number) => number | null;
  readonly truth: (row: string) => string | null;
  readonly sendsSteps: boolean;
  readonly incarnation: string | null;
  /** `batch`: the whole step in one request; `prompts`: a request for each; `rollouts`: one after the other. */
  readonly sends: 'batch' | 'prompts' | 'rollouts';
  /** It stops before this step without a word; null: never. */
  readonly diesAt: number | null;
  /** Step after which it says that it is done; null: never. */
  readonly finishesAt: number | null;
  /** It begins again at `to` once it has reached `at`, as the incarnation of this name. */
  readonly restart: { readonly at: number; readonly to: number; readonly incarnation: string | null } | null;
  /** Before each step that is a multiple of `every`: prompts for evaluation, marked as such or not. */
  readonly evaluation: {
    readonly every: number;
    readonly rows: readonly string[];
    readonly samples: number;
    readonly marked: boolean;
    readonly seconds: number;
  } | null;
  /** It does not wait for its rewards before it goes on. */
  readonly runsAhead: boolean;
}

/** A trainer that does everything right, and quickly. */
export function trainerOf(agent: string, rows: readonly string[], overrides: Partial<Trainer> = {}): Trainer {
  return {
    agent,
    rows,
    promptsPerStep: 4,
    samples: 4,
    startsAfter: 1,
    sampling: () => 3,
    training: () => 2,
    write: (row, visit, sample) =>
      `${agent} writes text ${sample} on ${row}, visit ${visit}: \\boxed{${row.length}}`,
    tokens: () => null,
    truth: () => null,
    sendsSteps: true,
    incarnation: null,
    sends: 'batch',
    diesAt: null,
    finishesAt: null,
    restart: null,
    evaluation: null,
    runsAhead: false,
    ...overrides,
  };
}

/** Runs trainers against a service until the time is over, and calls `look` every 5 seconds. */
export async function train(
  scene: ServiceScene,
  trainers: readonly Trainer[],
  seconds: number,
  look: (second: number) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const runs = trainers.map((trainer) => run(scene, trainer, over.signal));
  for (let second = 1; second <= seconds; second++) {
    await scene.advance(1_000);
    if (second % 5 === 0) {
      await scene.caretaker.watch();
      await look(second);
    }
  }
  over.abort();
  await Promise.race([Promise.allSettled(runs), settleDown()]);
}

async function run(scene: ServiceScene, trainer: Trainer, over: AbortSignal): Promise<void> {
  const { agent, promptsPerStep, rows, evaluation } = trainer;
  let incarnation = trainer.incarnation;
  let restart = trainer.restart;
  const visits = new Map<string, number>();
  await pause(scene, trainer.startsAfter);
  for (let step = 0; !over.aborted; step++) {
    if (step === trainer.diesAt) return;
    if (restart !== null && step === restart.at) {
      step = restart.to;
      incarnation = restart.incarnation;
      restart = null;
      await pause(scene, 5);
    }
    if (step === trainer.finishesAt) {
      await scene.finish(agent, incarnation);
      return;
    }
    if (evaluation !== null && step > 0 && step % evaluation.every === 0) {
      await pause(scene, evaluation.seconds);
      const groups = evaluation.rows.map((row) => {
        const group = write({ ...trainer, samples: evaluation.samples }, row, 1_000 + step, step);
        return evaluation.marked ? { ...group, split: 'eval' as const } : group;
      });
      await send(scene, agent, groups, evaluation.marked ? step : step - 1, incarnation, trainer, over);
    }
    const at = step * promptsPerStep;
    const batch = Array.from(
      { length: promptsPerStep },
      (_, place) => rows[(at + place) % rows.length] ?? '',
    );
    await pause(scene, trainer.sampling(step));
    const groups = batch.map((row) => {
      const visit = visits.get(row) ?? 0;
      visits.set(row, visit + 1);
      return write(trainer, row, visit, step);
    });
    await send(scene, agent, groups, step, incarnation, trainer, over);
    await pause(scene, trainer.training(step));
  }
}

function write(trainer: Trainer, row: string, visit: number, step: number): GroupInput {
  const rollouts = Array.from(
    { length: trainer.samples },
    (_, sample): RolloutInput => ({
      id: `${trainer.agent}-${row}-${visit}-${step}-${sample}`,
      index: sample,
      content: { kind: 'completion', text: trainer.write(row, visit, sample, step) },
      tokens: trainer.tokens(step),
      truncated: false,
    }),
  );
  return groupOf(row, rollouts, { groundTruth: trainer.truth(row) });
}

async function send(
  scene: ServiceScene,
  agent: string,
  groups: readonly GroupInput[],
  step: number,
  incarnation: string | null,
  { sends, sendsSteps, runsAhead }: Trainer,
  signal: AbortSignal,
): Promise<void> {
  const parts =
    sends === 'batch'
      ? [groups]
      : sends === 'prompts'
        ? groups.map((group) => [group])
        : groups.flatMap((group) => group.rollouts.map((rollout) => [{ ...group, rollouts: [rollout] }]));
  for (const part of parts) {
    if (signal.aborted) return;
    const ticket = await scene.record(agent, part, { step: sendsSteps ? step : null, incarnation });
    if (!runsAhead) await scene.rewards.settle(ticket, { waitMs: 100_000_000, signal });
  }
}

function pause(scene: ServiceScene, seconds: number): Promise<void> {
  return new Promise((resolve) => scene.clock.setTimer(seconds * 1_000, resolve));
}
