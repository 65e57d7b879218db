import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './call.ts';
import type { Keys } from './keys.ts';
import type { Tokens } from './tokens.ts';

/** An answer that has not come after so long is asked for again, and not for ever. */
const AGAIN_MS = 1_000;
const MOST_TRIES = 10;

/** Until a process has seen what had reached its sockets: read in one turn, closed in the next, told of in the third. */
const TURNS = 3;

/**
 * Asks other replicas to write down which of their connections have ended. A client that lost its connection to one
 * replica and sends again to another may be there before the first has noticed, as one does late that is busy.
 */
export class Inquiries {
  readonly #caller: Caller;
  readonly #keys: Keys;
  readonly #tokens: Tokens;
  readonly #origin: string;
  /** Called when another replica asks; see `Store.onInquiry`. */
  readonly #listeners = new Set<() => Promise<void>>();
  readonly #asked = new Map<string, () => void>();
  /** Inquiries that begin in this turn, by replica: one serves all who ask in it. */
  readonly #beginning = new Map<string, Promise<boolean>>();

  /** `origin` names this replica. */
  constructor(caller: Caller, keys: Keys, tokens: Tokens, origin: string) {
    this.#caller = caller;
    this.#keys = keys;
    this.#tokens = tokens;
    this.#origin = origin;
  }

  listen(listener: () => Promise<void>): void {
    this.#listeners.add(listener);
  }

  /** Resolves once these replicas have written down what they know, with those that did not answer for long. */
  async ask(origins: readonly string[]): Promise<readonly string[]> {
    const answered = await Promise.all(origins.map((origin) => this.#join(origin)));
    return origins.filter((_, at) => !answered[at]);
  }

  /** Takes a message to this replica. */
  hear(text: string): void {
    const [kind, token, from] = text.split(' ');
    if (token === undefined) return;
    if (kind === 'told') this.#asked.get(token)?.();
    else if (kind === 'tell' && from !== undefined) this.#tell(token, from).catch(() => undefined);
  }

  /** Without an answer where it fails: who asked asks again. */
  async #tell(token: string, from: string): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    await Promise.all([...this.#listeners].map((listener) => listener()));
    await this.#send(from, `told ${token}`);
  }

  #join(origin: string): Promise<boolean> {
    const begun = this.#beginning.get(origin);
    if (begun !== undefined) return begun;
    const inquiry = nextTurn().then(() => {
      // What ends from here on may be missing from the answer.
      this.#beginning.delete(origin);
      return this.#inquire(origin);
    });
    this.#beginning.set(origin, inquiry);
    return inquiry;
  }

  async #inquire(origin: string): Promise<boolean> {
    const token = this.#tokens.next();
    let isAnswered = false;
    const answer = new Promise<void>((resolve) => {
      this.#asked.set(token, () => {
        isAnswered = true;
        resolve();
      });
    });
    try {
      for (let tries = 0; tries < MOST_TRIES && !isAnswered; tries++) {
        await this.#send(origin, `tell ${token} ${this.#origin}`);
        await Promise.race([answer, sleep(AGAIN_MS, undefined, { ref: false })]);
      }
      return isAnswered;
    } finally {
      this.#asked.delete(token);
    }
  }

  async #send(origin: string, text: string): Promise<void> {
    const name = this.#caller.publish === 'SPUBLISH' ? 'spublish' : 'publish';
    await this.#caller.run([{ name, args: [this.#keys.replica(origin), text] }]);
  }
}
