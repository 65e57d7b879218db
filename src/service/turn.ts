import { setImmediate } from 'node:timers/promises';

/** Reading answers is the one long computation of a request: others get their turn in between. */
export class Turn {
  static readonly #LENGTH_MS = 5;
  #start = performance.now();
  passed = false;

  isOver(): boolean {
    return performance.now() - this.#start > Turn.#LENGTH_MS;
  }

  async pass(): Promise<void> {
    await setImmediate();
    this.#start = performance.now();
    this.passed = true;
  }
}
