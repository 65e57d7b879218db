import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RedisServerOptions {
  /** `true`: owns all slots of a cluster of one. `member`: speaks the cluster's protocol, and owns no slot yet. */
  readonly cluster?: boolean | 'member';
  /** Writes every change to disk before it answers, so that a restart finds everything. */
  readonly appendOnly?: boolean;
  /** Further arguments of the command line. */
  readonly args?: readonly string[];
  readonly command?: string;
}

/** A Redis of a test's own: a real server process on a free port of this machine. */
export class RedisServer {
  readonly port: number;
  /** Where the nodes of a cluster talk to each other. */
  readonly busPort: number;
  readonly #options: RedisServerOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), 'peervote-redis-'));
  #process: ChildProcess | null = null;

  private constructor(port: number, busPort: number, options: RedisServerOptions) {
    this.port = port;
    this.busPort = busPort;
    this.#options = options;
  }

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const server = await RedisServer.#startOnFreePorts(options);
    if (options.cluster === true) {
      await server.ask('CLUSTER ADDSLOTSRANGE 0 16383');
      while (!(await server.ask('CLUSTER INFO')).includes('cluster_state:ok')) await sleep(20);
    }
    return server;
  }

  /** Another one that looks for a port at the same moment may be quicker: then once more, elsewhere. */
  static async #startOnFreePorts(options: RedisServerOptions, attemptsLeft = 3): Promise<RedisServer> {
    const server = new RedisServer(await findFreePort(), await findFreePort(), options);
    try {
      await server.restart();
      return server;
    } catch (error) {
      await server.stop();
      if (attemptsLeft <= 1) throw error;
      return RedisServer.#startOnFreePorts(options, attemptsLeft - 1);
    }
  }

  get url(): string {
    return `redis${this.#isNode ? '+cluster' : ''}://127.0.0.1:${this.port}`;
  }

  /** Starts the process, again after a {@link kill}; resolves once it answers. */
  async restart(): Promise<void> {
    const { appendOnly = false, args = [], command = 'redis-server' } = this.#options;
    // The bus would take the port 10000 above, which there may not be.
    const cluster = ['--cluster-announce-ip', '127.0.0.1', '--cluster-port', String(this.busPort)];
    this.#process = spawn(
      command,
      [
        ...['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''],
        ...['--appendonly', appendOnly ? 'yes' : 'no', '--appendfsync', 'always', '--loglevel', 'warning'],
        ...(this.#isNode ? ['--cluster-enabled', 'yes', ...cluster] : []),
        ...args,
      ],
      { stdio: 'ignore' },
    );
    for (let attempt = 0; attempt < 500; attempt++) {
      if (this.#process.exitCode !== null) throw new Error(`${command} ended with ${this.#process.exitCode}`);
      const reply = await this.ask('PING').catch(() => '');
      if (reply.startsWith('+PONG')) return;
      await sleep(20);
    }
    throw new Error(`${command} does not answer on port ${this.port}`);
  }

  get #isNode(): boolean {
    return this.#options.cluster !== undefined && this.#options.cluster !== false;
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(name);
  }

  /** Ends the process as a power cut would. What it had on disk stays. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Sends one command and gives its reply as it came over the wire. */
  ask(command: string): Promise<string> {
    return askPort(this.port, command);
  }
}

/** Sends one command to what speaks Redis's protocol at a port of this machine. */
export async function askPort(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
    socket.write(`${command}\r\n`);
    const [reply]: unknown[] = await once(socket, 'data');
    return String(reply);
  } finally {
    socket.destroy();
  }
}

/**
 * A port that was free a moment ago, below those that the system hands out by itself (from 32768 on Linux): else any
 * connection that somebody opens meanwhile may take it, as it may the port of a server that is down for a moment.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
