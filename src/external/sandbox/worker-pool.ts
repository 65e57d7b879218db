import type { ReplacementReason } from '../../domain/sandbox.ts';
import type { CodeRunner, Outcome } from '../../service/code/code-runner.ts';
import { type Canary, canariesFor } from './canaries.ts';
import type { Limits, SandboxJob } from './messages.ts';
import { asRefusal, draining } from './refusals.ts';
import { TurnQueue } from './turn-queue.ts';
import type { Walls } from './walls.ts';
import { type SharedImage, START_MS, WorkerSlot } from './worker-slot.ts';

/** A worker is tried at the latest after so many jobs, or that long, in either case once nothing waits for it. */
const MOST_HELD = 16;
const MOST_HELD_MS = 100;

export interface WorkerPoolOptions {
  readonly workers: number;
  /** Of one job, from when a worker runs it. */
  readonly timeoutMs: number;
  readonly limits: Limits;
  /** Hears of every worker that was replaced; `start`: it has never run anything. */
  readonly onReplaced?: (reason: ReplacementReason, error: Error | null) => void;
  /** Hears once, at the first worker, what stands around all of them. */
  readonly onOpened?: (walls: Walls) => void;
  /** For tests: what tries a worker that has run these jobs. */
  readonly canaries?: (jobs: readonly SandboxJob[]) => Canary[];
}

/** Of the whole server: it is the same for every pool. */
const SHARED: SharedImage = { image: null };

interface Waiting {
  readonly job: SandboxJob;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** What a worker may be broken for: its interpreter for programs, and that for tests. */
type Half = 'programs' | 'tests';

/** A worker with what it has judged since it was last tried: that is told once a canary has come out right. */
interface Lane {
  readonly slot: WorkerSlot;
  held: { readonly waiting: Waiting; readonly outcome: Outcome }[];
  heldSince: number;
  /** The canaries that are still to run; null when it is not being tried. */
  checks: Canary[] | null;
  /** What waits for the first canaries of a new worker: it is not to blame for what was broken before. */
  next: Waiting | null;
  /** The worker that has been right, and in what. */
  proven: { readonly generation: number; readonly halves: Set<Half> };
}

/**
 * Worker processes that run programs. Owners take turns. Workers are started one by one as the queue needs them, then kept. A
 * program that outlasts its time costs its worker, which is replaced. An outcome counts once its worker has answered a canary
 * rightly after it; else the worker is replaced, and what it judged since the last time is run again, each with canaries of
 * its own. A new worker answers canaries before anything else: one that is wrong from its start has not started. The queue is bounded by whoever fills it.
 */
export class WorkerPool implements CodeRunner {
  readonly #timeoutMs: number;
  readonly #canaries: (jobs: readonly SandboxJob[]) => Canary[];
  readonly #lanes: readonly Lane[];
  readonly #waiting = new TurnQueue<Waiting>();
  /** Judged by a worker that is no longer believed. */
  readonly #again: Waiting[] = [];
  #closed = false;

  constructor({ workers, timeoutMs, limits, onReplaced, onOpened, canaries }: WorkerPoolOptions) {
    this.#timeoutMs = timeoutMs;
    this.#canaries = canaries ?? canariesFor;
    let isFirst = true;
    const events = {
      onIdle: () => this.#assign(),
      onReplaced: onReplaced ?? (() => {}),
      onOpened: (walls: Walls) => {
        if (isFirst) onOpened?.(walls);
        isFirst = false;
      },
    };
    this.#lanes = Array.from({ length: workers }, () => ({
      slot: new WorkerSlot({ limits, shared: SHARED, ...events }),
      held: [],
      heldSince: 0,
      checks: null,
      next: null,
      proven: { generation: 0, halves: new Set<Half>() },
    }));
  }

  get queued(): number {
    return this.#waiting.size + this.#again.length + this.#lanes.filter(({ next }) => next !== null).length;
  }

  /** No worker runs, and the last one could not be started. */
  get isDown(): boolean {
    const slots = this.#lanes.map(({ slot }) => slot);
    return slots.some(({ failure }) => failure !== null) && !slots.some(({ isOpen }) => isOpen);
  }

  /** Throws `sandbox_unavailable` when no worker starts, `draining` when the pool is closed. */
  run(job: SandboxJob, owner = ''): Promise<Outcome> {
    if (this.#closed) return Promise.reject(draining());
    return new Promise((resolve, reject) => {
      this.#waiting.add(owner, { job, resolve, reject });
      for (const { slot } of this.#lanes.slice(0, this.#waiting.size)) slot.open();
      this.#assign();
    });
  }

  /** Kills what runs; everything that waits is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    const held = this.#lanes.flatMap((lane) => lane.held.splice(0).map(({ waiting }) => waiting));
    for (const lane of this.#lanes) held.push(...takeNext(lane));
    for (const { reject } of [...held, ...this.#again.splice(0), ...this.#waiting.drain()])
      reject(draining());
    await Promise.all(this.#lanes.map(({ slot }) => slot.close(draining())));
  }

  #assign(): void {
    if (this.#closed) return;
    for (const lane of this.#lanes) if (lane.slot.isIdle) this.#give(lane);
    if (!this.isDown) return;
    const failure = this.#lanes.find(({ slot }) => slot.failure !== null)?.slot.failure;
    for (const { reject } of [...this.#again.splice(0), ...this.#waiting.drain()]) reject(asRefusal(failure));
  }

  #give(lane: Lane): void {
    if (lane.checks === null && this.#isDue(lane)) {
      lane.checks = this.#canaries(lane.held.map(({ waiting }) => waiting.job));
    }
    if (lane.proven.generation !== lane.slot.generation) {
      lane.proven = { generation: lane.slot.generation, halves: new Set() };
    }
    if (lane.checks !== null) {
      const canary = lane.checks.shift();
      if (canary !== undefined) void this.#check(lane, lane.checks, canary);
      return;
    }
    const next = lane.next ?? this.#again.shift() ?? this.#waiting.take();
    if (next === undefined) return;
    if (lane.proven.halves.has(halfOf(next.job))) {
      lane.next = null;
      void this.#runOn(lane, next);
      return;
    }
    lane.next = next;
    lane.checks = this.#canaries([BLANK[halfOf(next.job)]]);
    this.#give(lane);
  }

  #isDue({ held, heldSince }: Lane): boolean {
    if (held.length === 0) return false;
    // What is run again is run between canaries of its own, so that it is plain who broke the worker.
    if (this.#again.length > 0 || this.#waiting.size === 0 || held.length >= MOST_HELD) return true;
    return performance.now() - heldSince >= MOST_HELD_MS;
  }

  async #runOn(lane: Lane, waiting: Waiting): Promise<void> {
    try {
      const { outcome, isSuspect } = await lane.slot.run(waiting.job, this.#timeoutMs);
      if (isSuspect) {
        // The verdict of a worker that is not believed is none.
        waiting.resolve(outcome.ending === 'returned' ? { ...outcome, ending: 'ended', text: '' } : outcome);
        this.#repeat(lane);
      } else {
        if (lane.held.length === 0) lane.heldSince = performance.now();
        lane.held.push({ waiting, outcome });
      }
    } catch (error) {
      waiting.reject(asRefusal(error));
      this.#repeat(lane);
    }
    this.#assign();
  }

  async #check(lane: Lane, checks: Canary[], canary: Canary): Promise<void> {
    const report = await lane.slot.run(canary.job, START_MS).catch(() => null);
    if (lane.checks !== checks) return;
    if (report === null || report.isSuspect || !canary.isRight(report.outcome)) {
      lane.checks = null;
      if (lane.next !== null) {
        if (this.#closed) return;
        this.#again.push(...takeNext(lane));
        lane.slot.giveUp();
        this.#assign();
        return;
      }
      // It had been right before this one.
      if (lane.held.length === 1) {
        for (const { waiting, outcome } of lane.held.splice(0)) {
          waiting.resolve({ ending: 'crashed', text: '', lines: [], ms: outcome.ms });
        }
      }
      this.#repeat(lane);
      lane.slot.discard();
    } else if (checks.length === 0) {
      lane.checks = null;
      if (lane.next !== null) lane.proven.halves.add(halfOf(lane.next.job));
      for (const { waiting, outcome } of lane.held.splice(0)) waiting.resolve(outcome);
    }
    this.#assign();
  }

  #repeat(lane: Lane): void {
    if (this.#closed) return;
    this.#again.push(...lane.held.splice(0).map(({ waiting }) => waiting));
  }
}

function halfOf({ op }: SandboxJob): Half {
  return op === 'run' ? 'programs' : 'tests';
}

const BLANK: Readonly<Record<Half, SandboxJob>> = {
  programs: { op: 'run', code: '', entry: 'f', unify: true, calls: [] },
  tests: { op: 'test', code: '', entry: 'f', tests: '' },
};

function takeNext(lane: Lane): readonly Waiting[] {
  const { next } = lane;
  lane.next = null;
  return next === null ? [] : [next];
}
