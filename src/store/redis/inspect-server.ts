import { type Caller, runOne } from './call.ts';

/** The scripts begin with a line that older versions take for an error. */
const OLDEST_VERSION = 7;

/** What is wrong with a Redis server for this use, as sentences for whoever runs it. */
export async function inspectServer(caller: Caller): Promise<readonly string[]> {
  const warnings: string[] = [];
  const version = /redis_version:(\d+)\.(\d+)/.exec(await ask(caller, 'info', ['server']));
  if (version !== null && Number(version[1]) < OLDEST_VERSION) {
    warnings.push(
      `Redis ${version[1]}.${version[2]} is too old: its scripts need ${OLDEST_VERSION}.0 or later.`,
    );
  }
  const policy = await ask(caller, 'config', ['get', 'maxmemory-policy']);
  const name = policy.split(',')[1];
  if (name !== undefined && name !== 'noeviction') {
    warnings.push(
      `Redis has maxmemory-policy ${name}: it throws away votes that agents wait for when its memory is full. Set it to noeviction.`,
    );
  }
  return warnings;
}

export interface RedisMemory {
  readonly usedBytes: number;
  /** Since the server was started. */
  readonly evictedKeys: number;
}

/** What the server says of its memory; null where it does not. */
export async function readMemory(caller: Caller): Promise<RedisMemory | null> {
  const told = await ask(caller, 'info', ['memory', 'stats']);
  const used = /used_memory:(\d+)/.exec(told)?.[1];
  const evicted = /evicted_keys:(\d+)/.exec(told)?.[1];
  if (used === undefined || evicted === undefined) return null;
  return { usedBytes: Number(used), evictedKeys: Number(evicted) };
}

/** Empty where the server does not let us ask, as hosted ones do. */
async function ask(caller: Caller, name: 'info' | 'config', args: readonly string[]): Promise<string> {
  try {
    return String(await runOne(caller, { name, args }));
  } catch {
    return '';
  }
}
