import { randomBytes } from 'node:crypto';
import { UnreadableValueError } from './checked-list.ts';

/** Characters of a token; the scripts know this number too. */
const TOKEN_LENGTH = 12;

const COUNTER_LENGTH = 6;
const COUNTER_LIMIT = 36 ** COUNTER_LENGTH;

/**
 * Names for versions of values, each used once in the world: who reads the token it knows has the very value it knows,
 * even when Redis lost everything in between and counting would have begun anew.
 */
export class Tokens {
  #writer = randomBytes(8)
    .toString('base64url')
    .slice(0, TOKEN_LENGTH - COUNTER_LENGTH);
  #count = 0;

  next(): string {
    if (this.#count >= COUNTER_LIMIT) {
      this.#writer = randomBytes(8)
        .toString('base64url')
        .slice(0, TOKEN_LENGTH - COUNTER_LENGTH);
      this.#count = 0;
    }
    return this.#writer + (this.#count++).toString(36).padStart(COUNTER_LENGTH, '0');
  }
}

/** What a script replied for a key that should hold a text. Throws UnreadableValueError where it holds something else. */
export function readText(reply: unknown): string | null {
  if (Array.isArray(reply)) throw new UnreadableValueError(String(reply[0]));
  return typeof reply === 'string' ? reply : null;
}

/** A value with its token, as read; token empty and value null where there is none. */
export interface Versioned {
  readonly token: string;
  readonly value: string | null;
}

/** Throws UnreadableValueError where the key holds no text. */
export function readVersioned(reply: unknown): Versioned {
  const text = readText(reply);
  if (text === null) return { token: '', value: null };
  return { token: text.slice(0, TOKEN_LENGTH), value: text.slice(TOKEN_LENGTH) };
}
