import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const START_WITHIN_MS = 60_000;
const MOST_MESSAGES = 1_000;

/** A PeerVote server in a process of its own, as a user starts it. */
export interface ServerProcess {
  readonly url: string;
  /** Messages that it logged as warning or worse, with how often. */
  readonly warnings: ReadonlyMap<string, number>;
  /** Those of them that it logged as errors. */
  readonly errors: ReadonlyMap<string, number>;
  /** Whether the process is still there. */
  readonly isUp: boolean;
  stop(): Promise<void>;
  /** Ends it at once, as a lost machine would. */
  kill(): Promise<void>;
}

/** Starts `peervote serve` on a free port with these flags, and waits until it listens. */
export async function startServer(flags: readonly string[]): Promise<ServerProcess> {
  const args = [...process.execArgv, MAIN, 'serve', '--port', '0', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const warnings = new Map<string, number>();
  const errors = new Map<string, number>();
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The server did not start in time.')), START_WITHIN_MS);
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code} before it listened.`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { address, level, msg } = readLogLine(line);
      if (level >= 40) count(warnings, msg);
      if (level >= 50) count(errors, msg);
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
  });
  return {
    url,
    warnings,
    errors,
    get isUp() {
      return isRunning(child);
    },
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Bounded: messages may hold what a client sent. */
function count(messages: Map<string, number>, message: string): void {
  if (messages.has(message) || messages.size < MOST_MESSAGES)
    messages.set(message, (messages.get(message) ?? 0) + 1);
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
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
  if (!isRunning(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
