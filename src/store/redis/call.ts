import type { ScriptName } from './scripts.ts';

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

/** What answers calls: in their order, all or none. Rejects with ServiceError `store_unavailable`. */
export interface Caller {
  run(calls: readonly Call[]): Promise<readonly unknown[]>;
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
