import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askPort, findFreePort, RedisServer } from './redis-server.ts';

const GROUP = 'votes';
/** On a machine that is busy with other tests a server may well be silent for seconds. */
const NEVER_MS = 300_000;
const SOON_MS = 800;

/** A master, a replica and three sentinels of a test's own, which take nobody for gone until they are told to. */
export class RedisSentinels {
  readonly servers: readonly [RedisServer, RedisServer];
  readonly #sentinels: readonly Sentinel[];

  private constructor(servers: readonly [RedisServer, RedisServer], sentinels: readonly Sentinel[]) {
    this.servers = servers;
    this.#sentinels = sentinels;
  }

  static async start(): Promise<RedisSentinels> {
    // It waits five seconds for more replicas otherwise.
    const args = ['--repl-diskless-sync-delay', '0'];
    const master = await RedisServer.start({ appendOnly: true, args });
    const replicaOf = ['--replicaof', '127.0.0.1', String(master.port)];
    const replica = await RedisServer.start({ appendOnly: true, args: [...args, ...replicaOf] });
    const sentinels = await Promise.all([1, 2, 3].map(() => Sentinel.start(master.port)));
    // They look around every ten seconds otherwise.
    for (const one of sentinels)
      await one.ask('SENTINEL DEBUG info-period 200 publish-period 200 ask-period 200');
    const whole = new RedisSentinels([master, replica], sentinels);
    while (!(await whole.#isWhole(master))) await sleep(50);
    return whole;
  }

  get url(): string {
    return `redis+sentinel://${this.#sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${GROUP}`;
  }

  /** Which server is which, as the sentinels say. */
  async roles(): Promise<{ readonly master: RedisServer; readonly replica: RedisServer }> {
    const [sentinel] = this.#sentinels;
    const reply = (await sentinel?.ask(`SENTINEL GET-MASTER-ADDR-BY-NAME ${GROUP}`)) ?? '';
    const [one, other] = this.servers;
    const isOne = reply.includes(`\r\n${one.port}\r\n`);
    return isOne ? { master: one, replica: other } : { master: other, replica: one };
  }

  /** Resolves once this server is the master, for the sentinels and by its own account. */
  async untilMaster(server: RedisServer): Promise<void> {
    for (;;) {
      const role = await server.ask('ROLE').catch(() => '');
      if ((await this.roles()).master === server && role.includes('master')) return;
      await sleep(20);
    }
  }

  /** Kills the master, and lets the sentinels find out; resolves once they have made the replica the master. */
  async loseMaster(): Promise<void> {
    const { master, replica } = await this.roles();
    await master.kill();
    await this.#take(SOON_MS);
    await this.untilMaster(replica);
    await this.#take(NEVER_MS);
  }

  /** After so long a silence the sentinels take a server for gone. */
  async #take(silenceMs: number): Promise<void> {
    for (const one of this.#sentinels)
      await one.ask(`SENTINEL SET ${GROUP} down-after-milliseconds ${silenceMs}`);
  }

  /** Makes the replica the master, though nobody is gone. */
  async failOver(): Promise<void> {
    const [sentinel] = this.#sentinels;
    let reply = '';
    while (!reply.startsWith('+OK')) {
      reply = (await sentinel?.ask(`SENTINEL FAILOVER ${GROUP}`)) ?? '';
      // Right after another failover it does not find a good replica.
      if (!reply.startsWith('+OK')) await sleep(100);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#sentinels.map((sentinel) => sentinel.stop()));
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  /** All know of each other, and the replica has all that the master has. */
  async #isWhole(master: RedisServer): Promise<boolean> {
    const told = await Promise.all(this.#sentinels.map((one) => one.ask(`SENTINEL MASTER ${GROUP}`)));
    const info = await master.ask('INFO replication');
    return (
      info.includes('state=online') &&
      told.every((reply) => hasOf(reply, 'num-slaves', 1) && hasOf(reply, 'num-other-sentinels', 2))
    );
  }
}

function hasOf(reply: string, field: string, count: number): boolean {
  return reply.includes(`${field}\r\n$1\r\n${count}\r\n`);
}

class Sentinel {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#process = child;
  }

  static async start(masterPort: number): Promise<Sentinel> {
    const port = await findFreePort();
    const folder = mkdtempSync(join(tmpdir(), 'peervote-sentinel-'));
    const file = join(folder, 'sentinel.conf');
    const settings = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor ${GROUP} 127.0.0.1 ${masterPort} 2`,
      `sentinel down-after-milliseconds ${GROUP} ${NEVER_MS}`,
      `sentinel failover-timeout ${GROUP} 10000`,
    ];
    writeFileSync(file, `${settings.join('\n')}\n`);
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
    const sentinel = new Sentinel(port, folder, child);
    while (!(await sentinel.ask('PING').catch(() => '')).startsWith('+PONG')) {
      if (child.exitCode !== null) throw new Error(`the sentinel ended with ${child.exitCode}`);
      await sleep(20);
    }
    return sentinel;
  }

  ask(command: string): Promise<string> {
    return askPort(this.port, command);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGKILL');
      await once(this.#process, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
