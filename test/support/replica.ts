import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './redis-server.ts';

export interface ReplicaOptions {
  /** Path of the command. */
  readonly command: string;
  readonly redisUrl: string;
  /** Flags of `peervote serve` beside the port and the Redis. */
  readonly flags: readonly string[];
  /** Milliseconds that the clock of this process is ahead of the machine's. */
  readonly clockAheadMs?: number;
}

/** One server process. */
export class Replica {
  readonly url: string;
  readonly #process: ChildProcess;
  #log = '';

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
    const collect = (chunk: unknown) => {
      this.#log += String(chunk);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
  }

  /** Resolves once the server says that it is ready. */
  static async start({ command, redisUrl, flags, clockAheadMs = 0 }: ReplicaOptions): Promise<Replica> {
    const port = await findFreePort();
    const serve = ['serve', '--port', String(port), '--redis', redisUrl, '--replicas', '3', ...flags];
    const child = spawn(process.execPath, [...skewed(clockAheadMs), command, ...serve], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const replica = new Replica(`http://127.0.0.1:${port}`, child);
    for (let attempt = 0; attempt < 600; attempt++) {
      if (child.exitCode !== null) throw new Error(`the replica ended: ${replica.log}`);
      const ready = await fetch(`${replica.url}/readyz`).catch(() => null);
      if (ready?.ok === true) return replica;
      await sleep(50);
    }
    await replica.kill();
    throw new Error(`the replica is not ready: ${replica.log}`);
  }

  get log(): string {
    return this.#log;
  }

  /** Ends the process at once, as a lost machine would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends it as an orchestrator does; resolves once it is gone. */
  async terminate(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Lets it stand still, as one that is busy does, and go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(name);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill(signal);
    await once(this.#process, 'exit');
  }
}

/** Sum of a metric's samples over replicas, of those whose labels contain every text. */
export async function sumMetric(
  replicas: readonly Replica[],
  name: string,
  labels: readonly string[] = [],
): Promise<number> {
  const pages = await Promise.all(replicas.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  return pages
    .flatMap((page) => page.split('\n'))
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

function skewed(aheadMs: number): string[] {
  if (aheadMs === 0) return [];
  const code = `const now = performance.now.bind(performance); performance.now = () => now() + ${aheadMs}; const date = Date.now; Date.now = () => date() + ${aheadMs};`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}
