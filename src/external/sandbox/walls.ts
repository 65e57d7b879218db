import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What stands between the programs of a server and its machine, beside a process of their own. */
export interface Walls {
  /** The network is cut off: the process is in a namespace that has none. */
  readonly network: boolean;
  /** Limits of the operating system: no core file, no file written, few files open. */
  readonly limits: boolean;
  /** Node's permission model: reads our files, writes none, starts no process. */
  readonly permissions: boolean;
}

const SHELL = '/bin/sh';
/** Descriptors above those that Node knows are closed, as far as a shell can; none is needed once Python has started. */
const OS_LIMITS =
  'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -c 0; ulimit -f 0; ulimit -n 256; exec "$0" "$@"';
const CUT_OFF = ['unshare', '--user', '--net'];
/** A machine under load may take a while to start anything. */
const PROBE_MS = 5_000;

let canCutOff: boolean | null = null;

/** Whether this machine lets an ordinary process have a network namespace of its own: asked once. */
function cutsOff(): boolean {
  canCutOff ??= spawnSync('unshare', [...CUT_OFF.slice(1), 'true'], { timeout: PROBE_MS }).status === 0;
  return canCutOff;
}

/** The command with the walls around it that the platform allows, and which these are. `permissions` is the caller's own. */
export function wallIn(
  command: readonly string[],
  { hasLimits, permissions }: { readonly hasLimits: boolean; readonly permissions: boolean },
): { readonly command: readonly string[]; readonly walls: Walls } {
  const network = cutsOff();
  const limits = hasLimits && existsSync(SHELL);
  return {
    command: [...(limits ? [SHELL, '-c', OS_LIMITS] : []), ...(network ? CUT_OFF : []), ...command],
    walls: { network, limits, permissions },
  };
}

/** What an operator has to know of them. */
export function sayWalls({ network, limits, permissions }: Walls): string {
  const missing = [
    ...(network ? [] : ['the network of this server (the platform allows no namespace without one)']),
    ...(limits ? [] : ['files to write and to open without limits']),
    ...(permissions ? [] : ['the files of this server, were they to leave Python']),
  ];
  const rest = missing.length === 0 ? 'none has a network.' : `they have ${missing.join(', ')}.`;
  return `Programs run in processes of their own: ${rest} docs/code-answers.md says what stands around them.`;
}
