import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** `peervote serve` in a process of its own, from the source. It is killed when the test is over. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly #listening: Promise<string>;
  #said = '';

  /** `script`: the command to run instead, compiled. */
  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    script: string | null = null,
  ) {
    const main = script === null ? ['--import', 'tsx', 'src/cli/main.ts'] : [script];
    const command = [...main, 'serve', ...args];
    const child = spawn(process.execPath, command, {
      cwd: PROJECT,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      this.#said += chunk;
    });
    child.stdout.on('data', (chunk) => {
      this.#said += chunk;
    });
    this.ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }));
    this.#listening = new Promise((found) => {
      createInterface(child.stdout).on('line', (line) => {
        const { address, store } = JSON.parse(line);
        if (address !== undefined && store !== undefined) found(address);
      });
    });
  }

  /** All that it wrote so far, on both outputs. */
  get said(): string {
    return this.#said;
  }

  /** The base of its URLs, once it listens. */
  async listening(): Promise<string> {
    const first = await Promise.race([this.#listening, this.ended]);
    if (typeof first !== 'string') throw new Error(`the server ended: ${JSON.stringify(first)}`);
    return first;
  }
}
