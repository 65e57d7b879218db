import { ServiceError } from '../../domain/errors.ts';
import type { CodeRunner, Job, Outcome } from '../../service/code/code-runner.ts';
import type { Limits } from './messages.ts';
import { type SharedImage, WorkerSlot } from './worker-slot.ts';

export interface WorkerPoolOptions {
  readonly workers: number;
  /** Of one job, from when a worker runs it. */
  readonly timeoutMs: number;
  readonly limits: Limits;
}

/** Of the whole process: it is the same for every pool. */
const SHARED: SharedImage = { image: null };

interface Waiting {
  readonly job: Job;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Worker threads that run programs, in the order asked for. Started one by one as the queue needs them, then kept. A
 * program that outlasts its time costs its worker, which is replaced. The queue is bounded by whoever fills it.
 */
export class WorkerPool implements CodeRunner {
  readonly #slots: readonly WorkerSlot[];
  readonly #waiting: Waiting[] = [];
  #closed = false;

  constructor({ workers, timeoutMs, limits }: WorkerPoolOptions) {
    const onIdle = () => this.#assign();
    this.#slots = Array.from(
      { length: workers },
      () => new WorkerSlot({ limits, shared: SHARED, timeoutMs, onIdle }),
    );
  }

  get queued(): number {
    return this.#waiting.length;
  }

  /** Throws `sandbox_unavailable` when no worker starts, `draining` when the pool is closed. */
  run(job: Job): Promise<Outcome> {
    if (this.#closed) return Promise.reject(draining());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      for (const slot of this.#slots.slice(0, this.#waiting.length)) slot.open();
      this.#assign();
    });
  }

  /** Kills what runs; everything that waits is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(draining());
    await Promise.all(this.#slots.map((slot) => slot.close(draining())));
  }

  #assign(): void {
    for (const slot of this.#slots) {
      if (!slot.isIdle) continue;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      slot.run(next.job).then(next.resolve, (error: unknown) => next.reject(asRefusal(error)));
    }
    const failure = this.#slots.find((slot) => slot.failure !== null)?.failure;
    if (failure === undefined || this.#slots.some((slot) => slot.isOpen)) return;
    for (const { reject } of this.#waiting.splice(0)) reject(asRefusal(failure));
  }
}

function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(
    'sandbox_unavailable',
    'The sandbox for code answers did not start; nothing of this request was stored. The log of the server says why. Send the same again once it is repaired.',
    { cause: error },
  );
}

function draining(): ServiceError {
  return new ServiceError(
    'draining',
    'This server is shutting down: send the same request again, elsewhere or later.',
  );
}
