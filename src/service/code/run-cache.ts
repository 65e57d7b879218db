import { hash } from 'node:crypto';
import { LruCache } from '../../answers/lru-cache.ts';
import type { CodeRunner, Job, Outcome } from './code-runner.ts';

const MOST_OUTCOMES = 10_000;
/** An outcome with more text than this is not kept: the cache is bounded in bytes as well. */
const MAX_KEPT_LENGTH = 4_096;

/**
 * Runs every job once: the same job that is running is waited for, one that has run is remembered. So a trainer that sends
 * its rollouts again, or a group whose rollouts are one text, costs one run.
 */
export class RunCache {
  readonly #runner: CodeRunner;
  readonly #done = new LruCache<string, Outcome>(MOST_OUTCOMES);
  readonly #running = new Map<string, Promise<Outcome>>();
  readonly #onRun: (job: Job, outcome: Outcome) => void;

  /** `onRun` hears of every job that really ran. */
  constructor(runner: CodeRunner, onRun: (job: Job, outcome: Outcome) => void) {
    this.#runner = runner;
    this.#onRun = onRun;
  }

  async run(job: Job, owner: string): Promise<Outcome> {
    const key = hash('sha256', JSON.stringify(job), 'base64');
    const known = this.#done.get(key) ?? this.#running.get(key);
    if (known !== undefined) return known;
    const running = this.#run(key, job, owner);
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      this.#running.delete(key);
    }
  }

  async #run(key: string, job: Job, owner: string): Promise<Outcome> {
    const outcome = await this.#runner.run(job, owner);
    this.#onRun(job, outcome);
    const length = outcome.lines.reduce((sum, line) => sum + line.length, outcome.text.length);
    if (length <= MAX_KEPT_LENGTH) this.#done.set(key, outcome);
    return outcome;
  }
}
