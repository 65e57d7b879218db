import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const START_WITHIN_MS = 60_000;

/** A PeerVote server in a process of its own, as a user starts it. */
export interface ServerProcess {
  readonly url: string;
  /** Messages that it logged as warning or worse, with how often. */
  readonly warnings: ReadonlyMap<string, number>;
  stop(): Promise<void>;
  /** Ends it at once, as a lost machine would. */
  kill(): Promise<void>;
}

/** Starts `peervote serve` on a free port with these flags, and waits until it listens. */
export async function startServer(flags: readonly string[]): Promise<ServerProcess> {
  const args = [...process.execArgv, MAIN, 'serve', '--port', '0', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  const warnings = new Map<string, number>();
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The server did not start in time.')), START_WITHIN_MS);
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code} before it listened.`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { address, level, msg } = readLogLine(line);
      if (level >= 40) warnings.set(msg, (warnings.get(msg) ?? 0) + 1);
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
  });
  return { url, warnings, stop: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') };
}

function readLogLine(line: string): { address?: string; level: number; msg: string } {
  try {
    const { address, level, msg, err } = JSON.parse(line);
    return {
      level: Number(level ?? 0),
      msg: err === undefined ? String(msg) : `${msg} ${err.message}`,
      ...(address && { address: String(address) }),
    };
  } catch {
    return { level: 0, msg: line };
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
