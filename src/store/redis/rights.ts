import { type Call, type Caller, callScript } from './call.ts';
import type { Keys } from './keys.ts';

const PROBE_TTL_MS = 60_000;

/**
 * Tries everything that the store asks of Redis, on keys of its own, in one round trip. A server may answer PING and refuse
 * the rest: one that is read-only or full, or a user that lacks a right. Rejects with ServiceError `store_unavailable`.
 */
export async function tryRights(caller: Caller, keys: Keys, origin: string): Promise<void> {
  const { text, hash, list } = keys.probes;
  const { publish } = caller;
  const channels = publish === 'SPUBLISH' ? 'SHARDCHANNELS' : 'CHANNELS';
  const plain: Call[] = [
    { name: 'hset', args: [hash, 'other', '1'] },
    { name: 'hget', args: [hash, 'other'] },
    { name: 'hmget', args: [hash, 'other'] },
    { name: 'hgetall', args: [hash] },
    { name: 'hkeys', args: [hash] },
    { name: 'hdel', args: [hash, 'other'] },
    { name: 'zcard', args: [list] },
    { name: 'zrange', args: [list, 0, 0] },
    { name: 'zrem', args: [list, 'member'] },
  ];
  await caller.run([
    ...plain,
    callScript('rights', [text, hash, list], [PROBE_TTL_MS, publish, keys.replica(origin)]),
    callScript('replicasList', [keys.replicaPattern], [channels]),
    { name: 'unlink', args: [text, hash, list] },
  ]);
}
