import type { ServiceError } from '../../domain/errors.ts';
import { UnreadableValueError } from './checked-list.ts';
import { findScript, type ScriptName } from './scripts.ts';

/** Plain commands that the store uses beside its scripts. */
type CommandName =
  | 'hget'
  | 'hmget'
  | 'hset'
  | 'hgetall'
  | 'hkeys'
  | 'hdel'
  | 'zcard'
  | 'zrange'
  | 'zrem'
  | 'unlink'
  | 'publish'
  | 'spublish'
  | 'config'
  | 'info';

/** One thing to ask of Redis. */
export interface Call {
  readonly name: ScriptName | CommandName;
  readonly args: readonly (string | number)[];
}

/** A script with its keys, which all lie in one slot, and its arguments. */
export function callScript(
  name: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[],
): Call {
  return { name, args: [keys.length, ...keys, ...args] };
}

/** What became of one call of several. */
export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ServiceError };

/** What answers calls, in their order. An error is `store_unavailable`, or `unreadable_data` where a key is not ours to read. */
export interface Caller {
  /** All of them, or it rejects with the first error. */
  run(calls: readonly Call[]): Promise<readonly unknown[]>;
  /** Each for itself, for calls that do not belong together: one that fails leaves the others their replies. Never rejects. */
  attempt(calls: readonly Call[]): Promise<readonly Reply[]>;
  /** The error for whoever needs what lies in `place`, a key or a part of one; it is told to whoever runs the server. */
  unreadable(place: string, cause: unknown): ServiceError;
  /** Milliseconds for scripts to take for the time; empty: the server's own clock, as always outside of tests. */
  readonly now: () => number | '';
  /** PUBLISH, or SPUBLISH where the channel lies in the slot of the keys. */
  readonly publish: 'PUBLISH' | 'SPUBLISH';
}

/** The answer to one call. */
export async function runOne(caller: Caller, call: Call): Promise<unknown> {
  const [reply] = await caller.run([call]);
  return reply;
}

/** Keys that an error names: a script of many says which one by itself. */
const KEYS_SHOWN = 2;

/** The keys that a call works on, the first few. */
export function placeOf({ name, args }: Call): string {
  const [first, ...rest] = args;
  const keys = findScript(name) === undefined ? [first] : rest.slice(0, Math.min(Number(first), KEYS_SHOWN));
  return keys.join(', ');
}

/** What `read` makes of the value of `place`. Throws ServiceError `unreadable_data` where it makes nothing of it. */
export function readAs<T>(caller: Caller, place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnreadableValueError ? caller.unreadable(place, error) : error;
  }
}
