import { type Caller, callScript, runOne } from './call.ts';
import type { Keys } from './keys.ts';

const PROBE_TTL_MS = 60_000;

/** Runs a script that writes: a server may answer PING and still refuse it, as one that is read-only does. */
export async function probeWriting(caller: Caller, keys: Keys, token: string): Promise<void> {
  const args = ['', token, PROBE_TTL_MS, caller.publish, '', ''];
  await runOne(caller, callScript('valueSwap', [keys.probe], args));
}
