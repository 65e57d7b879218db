import type { Worker } from 'node:worker_threads';
import type { Job, Outcome } from '../../service/code/code-runner.ts';
import type { Image } from './interpreter.ts';
import type { Limits, WorkerMessage, WorkerRequest } from './messages.ts';
import { openWorkerThread } from './worker-thread.ts';

/** Longest that a worker may take to start its interpreters, on a slow machine under load. */
const START_MS = 120_000;

/** The image that every worker of the process starts from, once one has made it. */
export interface SharedImage {
  image: Image | null;
}

interface Running {
  readonly id: number;
  readonly lines: string[];
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
  startedAt: number | null;
}

/**
 * One place in the pool: a worker thread, replaced whenever it dies or has to be killed. It takes one job at a time.
 * `onIdle` is called whenever it is ready for the next.
 */
export class WorkerSlot {
  readonly #limits: Limits;
  readonly #shared: SharedImage;
  readonly #timeoutMs: number;
  readonly #onIdle: (slot: WorkerSlot) => void;
  #worker: Worker | null = null;
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
    readonly timeoutMs: number;
    readonly onIdle: (slot: WorkerSlot) => void;
  }) {
    this.#limits = options.limits;
    this.#shared = options.shared;
    this.#timeoutMs = options.timeoutMs;
    this.#onIdle = options.onIdle;
  }

  get isIdle(): boolean {
    return this.#ready && this.#job === null;
  }

  get isOpen(): boolean {
    return this.#worker !== null;
  }

  /** Why the last attempt to start a worker failed; null while nothing is wrong. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Starts the worker unless there is one. */
  open(): void {
    if (this.#worker !== null || this.#closed) return;
    const worker = openWorkerThread({ limits: this.#limits, image: this.#shared.image });
    this.#worker = worker;
    this.#wasReady = false;
    this.#setTimer(START_MS, () => this.#replace('crashed', new Error('The worker did not start in time.')));
    worker.on('message', (message: WorkerMessage) => {
      if (worker === this.#worker) this.#take(message);
    });
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#replace('crashed', error);
    });
    worker.on('exit', () => {
      if (worker === this.#worker) this.#replace('crashed', new Error('The worker left.'));
    });
  }

  /** Only while it is idle. Resolves however the program ends. */
  run(job: Job): Promise<Outcome> {
    return new Promise((settle, fail) => {
      const id = ++this.#ids;
      this.#job = { id, lines: [], settle, fail, startedAt: null };
      this.#ready = false;
      this.#worker?.ref();
      this.#setTimer(START_MS, () =>
        this.#replace('crashed', new Error('The worker did not start in time.')),
      );
      this.#worker?.postMessage({ id, job: JSON.stringify(job) } satisfies WorkerRequest);
    });
  }

  async close(error: Error): Promise<void> {
    this.#closed = true;
    this.#job?.fail(error);
    this.#job = null;
    this.#clearTimer();
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #take(message: WorkerMessage): void {
    const job = this.#job;
    switch (message.kind) {
      case 'ready':
        this.#ready = true;
        this.#wasReady = true;
        this.#failure = null;
        this.#clearTimer();
        this.#worker?.unref();
        this.#onIdle(this);
        return;
      case 'running':
        if (job === null) return;
        job.startedAt = performance.now();
        this.#setTimer(this.#timeoutMs, () => this.#replace('timeout', null));
        return;
      case 'line':
        job?.lines.push(message.text);
        return;
      case 'image':
        this.#shared.image = message.image;
        return;
      case 'done':
        this.#settle(message.ending, message.text, message.ms);
        // What follows is the restoring of its interpreters.
        this.#setTimer(START_MS, () => this.#replace('crashed', new Error('The worker did not come back.')));
    }
  }

  /** Kills the worker and starts another. */
  #replace(ending: 'timeout' | 'crashed', error: Error | null): void {
    const worker = this.#worker;
    const job = this.#job;
    this.#worker = null;
    this.#ready = false;
    this.#clearTimer();
    void worker?.terminate();
    this.#failure = this.#wasReady ? null : error;
    if (job !== null && job.startedAt === null) {
      this.#job = null;
      job.fail(error ?? new Error('The worker did not start the job.'));
    }
    this.#settle(ending, '', job?.startedAt == null ? 0 : performance.now() - job.startedAt);
    if (this.#failure === null) this.open();
    this.#onIdle(this);
  }

  #settle(ending: Outcome['ending'], text: string, ms: number): void {
    const job = this.#job;
    this.#job = null;
    job?.settle({ ending, text, lines: job.lines, ms });
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
