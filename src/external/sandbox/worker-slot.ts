import type { ReplacementReason } from '../../domain/sandbox.ts';
import type { Outcome } from '../../service/code/code-runner.ts';
import type { Image } from './interpreter.ts';
import type { Limits, SandboxJob, WorkerMessage } from './messages.ts';
import type { Walls } from './walls.ts';
import { WorkerProcess } from './worker-process.ts';

/** Longest that a worker may take to start its interpreters, on a slow machine under load. */
export const START_MS = 120_000;

/** The image that every worker of the server starts from, once one has made it. */
export interface SharedImage {
  image: Image | null;
}

/** What came of a job, and whether the worker may have been changed by it: then it has been replaced. */
export interface Report {
  readonly outcome: Outcome;
  readonly isSuspect: boolean;
}

interface Running {
  readonly id: number;
  readonly lines: string[];
  readonly calls: number;
  readonly timeoutMs: number;
  readonly settle: (report: Report) => void;
  readonly fail: (error: Error) => void;
  characters: number;
  startedAt: number | null;
}

/**
 * One place in the pool: a worker process, replaced whenever it dies, has to be killed, or is no longer to be believed. It
 * takes one job at a time. `onIdle` is called whenever it is ready for the next.
 */
export class WorkerSlot {
  readonly #limits: Limits;
  readonly #shared: SharedImage;
  readonly #onIdle: () => void;
  readonly #onReplaced: (reason: ReplacementReason, error: Error | null) => void;
  readonly #onOpened: (walls: Walls) => void;
  #worker: WorkerProcess | null = null;
  #generation = 0;
  #ready = false;
  /** The present worker has been ready before: what kills it now is a program, not the machine. */
  #wasReady = false;
  #job: Running | null = null;
  #timer: NodeJS.Timeout | null = null;
  #ids = 0;
  #closed = false;
  /** Why the last worker did not start; null after one that did. */
  #failure: Error | null = null;

  constructor(options: {
    readonly limits: Limits;
    readonly shared: SharedImage;
    readonly onIdle: () => void;
    readonly onReplaced: (reason: ReplacementReason, error: Error | null) => void;
    readonly onOpened: (walls: Walls) => void;
  }) {
    this.#limits = options.limits;
    this.#shared = options.shared;
    this.#onIdle = options.onIdle;
    this.#onReplaced = options.onReplaced;
    this.#onOpened = options.onOpened;
  }

  get isIdle(): boolean {
    return this.#ready && this.#job === null;
  }

  get isOpen(): boolean {
    return this.#worker !== null;
  }

  /** The number of the present worker: another one is another. */
  get generation(): number {
    return this.#generation;
  }

  /** Why the last attempt to start a worker failed; null while nothing is wrong. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Starts the worker unless there is one. */
  open(): void {
    if (this.#worker !== null || this.#closed) return;
    this.#wasReady = false;
    this.#generation += 1;
    this.#setTimer(START_MS, () => this.#replace('crashed', new Error('The worker did not start in time.')));
    try {
      this.#worker = new WorkerProcess(
        { limits: this.#limits, image: this.#shared.image },
        {
          onMessage: (message) => this.#take(message),
          onImage: (image) => {
            this.#shared.image ??= image;
          },
          onEnd: (error) => this.#replace('crashed', error),
        },
      );
      this.#onOpened(this.#worker.walls);
    } catch (error) {
      this.#replace('crashed', error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Only while it is idle. Resolves however the program ends; rejects when the worker is not there to run it. */
  run(job: SandboxJob, timeoutMs: number): Promise<Report> {
    return new Promise((settle, fail) => {
      const id = ++this.#ids;
      const calls = job.op === 'run' ? job.calls.length : 0;
      this.#job = { id, lines: [], calls, timeoutMs, settle, fail, characters: 0, startedAt: null };
      this.#ready = false;
      this.#worker?.hold(true);
      this.#setTimer(START_MS, () =>
        this.#replace('crashed', new Error('The worker did not start in time.')),
      );
      this.#worker?.send({ id, job: JSON.stringify(job) });
    });
  }

  /** Kills the worker, which answered a canary wrongly after a program, and starts another. */
  discard(): void {
    this.#replace('canary', null);
  }

  /** Kills the worker, which never was right: it has not started, whatever it says. */
  giveUp(): void {
    this.#wasReady = false;
    this.#replace('crashed', new Error('A new worker judged a known program wrongly.'));
  }

  async close(error: Error): Promise<void> {
    this.#closed = true;
    this.#job?.fail(error);
    this.#job = null;
    this.#clearTimer();
    const worker = this.#worker;
    this.#worker = null;
    await worker?.kill();
  }

  #take(message: Exclude<WorkerMessage, { kind: 'image' }>): void {
    const job = this.#job;
    if (message.kind === 'ready') {
      this.#takeReady();
      return;
    }
    if (job === null || message.id !== job.id || (job.startedAt === null) !== (message.kind === 'running')) {
      this.#replace('crashed', new Error(`The worker sent a message out of turn: ${message.kind}.`));
      return;
    }
    switch (message.kind) {
      case 'running':
        job.startedAt = performance.now();
        this.#setTimer(job.timeoutMs, () => this.#replace('timeout', null));
        return;
      case 'line':
        job.characters += message.text.length;
        if (job.lines.length < job.calls && job.characters <= this.#limits.outputBytes) {
          job.lines.push(message.text);
          return;
        }
        this.#replace('crashed', new Error('The worker sent more outputs than it was asked for.'));
        return;
      case 'done': {
        const { ending, text, ms, isSuspect } = message;
        this.#settle({ ending, text, lines: job.lines, ms }, isSuspect);
        if (isSuspect) this.#replace('suspect', null);
        // What follows is the restoring of its interpreters.
        else
          this.#setTimer(START_MS, () =>
            this.#replace('crashed', new Error('The worker did not come back.')),
          );
      }
    }
  }

  #takeReady(): void {
    if (this.#job !== null || this.#ready) {
      this.#replace('crashed', new Error('The worker said that it was ready while it had a job.'));
      return;
    }
    this.#ready = true;
    this.#wasReady = true;
    this.#failure = null;
    this.#clearTimer();
    this.#worker?.hold(false);
    this.#onIdle();
  }

  /** Kills the worker and starts another; but where it has never been ready, none follows until there is a job. */
  #replace(reason: Exclude<ReplacementReason, 'start'>, error: Error | null): void {
    const worker = this.#worker;
    const job = this.#job;
    this.#worker = null;
    this.#ready = false;
    this.#clearTimer();
    void worker?.kill();
    this.#failure = this.#wasReady ? null : error;
    this.#onReplaced(this.#failure === null ? reason : 'start', error);
    if (job !== null && job.startedAt === null) {
      this.#job = null;
      job.fail(error ?? new Error('The worker did not start the job.'));
    }
    const ms = job?.startedAt == null ? 0 : performance.now() - job.startedAt;
    this.#settle(
      { ending: reason === 'timeout' ? 'timeout' : 'crashed', text: '', lines: job?.lines ?? [], ms },
      true,
    );
    if (this.#failure === null) this.open();
    this.#onIdle();
  }

  #settle(outcome: Outcome, isSuspect: boolean): void {
    const job = this.#job;
    this.#job = null;
    job?.settle({ outcome, isSuspect });
  }

  #setTimer(ms: number, act: () => void): void {
    this.#clearTimer();
    this.#timer = setTimeout(act, ms);
    this.#timer.unref();
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
