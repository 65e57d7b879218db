import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer } from './redis-server.ts';

const SLOTS = 16_384;
/** How long a node may be silent before the others take it for lost. */
const NODE_TIMEOUT_MS = 1_000;

/** A Redis Cluster of a test's own: masters that each own a part of the slots. */
export class RedisCluster {
  readonly nodes: readonly RedisServer[];

  private constructor(nodes: readonly RedisServer[]) {
    this.nodes = nodes;
  }

  static async start(count = 3): Promise<RedisCluster> {
    const options = {
      cluster: 'member',
      appendOnly: true,
      args: ['--cluster-node-timeout', String(NODE_TIMEOUT_MS)],
    } as const;
    const nodes = await Promise.all(Array.from({ length: count }, () => RedisServer.start(options)));
    const cluster = new RedisCluster(nodes);
    for (const [at, node] of nodes.entries()) {
      const first = Math.ceil((at * SLOTS) / count);
      await node.ask(`CLUSTER ADDSLOTSRANGE ${first} ${Math.ceil(((at + 1) * SLOTS) / count) - 1}`);
      for (const { port, busPort } of nodes.slice(0, at)) {
        await node.ask(`CLUSTER MEET 127.0.0.1 ${port} ${busPort}`);
      }
    }
    await cluster.untilWhole();
    return cluster;
  }

  get url(): string {
    return `redis+cluster://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** Resolves once every node says that all slots are served. */
  async untilWhole(): Promise<void> {
    for (;;) {
      const states = await Promise.all(this.nodes.map((node) => node.ask('CLUSTER INFO').catch(() => '')));
      const known = `cluster_known_nodes:${this.nodes.length}`;
      if (states.every((state) => state.includes('cluster_state:ok') && state.includes(known))) return;
      await sleep(20);
    }
  }

  /** The node that owns the slot of a key, and the slot. */
  async ownerOf(key: string): Promise<{ readonly node: RedisServer; readonly slot: number }> {
    const [node] = this.nodes;
    if (node === undefined) throw new Error('a cluster without nodes');
    const slot = Number((await node.ask(`CLUSTER KEYSLOT ${key}`)).slice(1));
    for (const candidate of this.nodes) {
      // Asked for a key of another node, it tells which one has it.
      if (!(await candidate.ask(`GET ${key}`)).startsWith('-MOVED')) return { node: candidate, slot };
    }
    throw new Error(`no node owns slot ${slot}`);
  }

  /** Moves a slot with all its keys from node to node, key by key, as an operator who reshards does. */
  async moveSlot(slot: number, from: RedisServer, to: RedisServer): Promise<number> {
    const [source, target] = await Promise.all([idOf(from), idOf(to)]);
    await to.ask(`CLUSTER SETSLOT ${slot} IMPORTING ${source}`);
    await from.ask(`CLUSTER SETSLOT ${slot} MIGRATING ${target}`);
    let moved = 0;
    for (;;) {
      const keys = lines(await from.ask(`CLUSTER GETKEYSINSLOT ${slot} 5`));
      if (keys.length === 0) break;
      const names = keys.map((key) => JSON.stringify(key)).join(' ');
      const reply = await from.ask(`MIGRATE 127.0.0.1 ${to.port} "" 0 5000 KEYS ${names}`);
      if (reply.startsWith('-')) throw new Error(reply);
      moved += keys.length;
    }
    for (const node of [to, from, ...this.nodes]) await node.ask(`CLUSTER SETSLOT ${slot} NODE ${target}`);
    return moved;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}

async function idOf(node: RedisServer): Promise<string> {
  const [id] = lines(await node.ask('CLUSTER MYID'));
  if (id === undefined) throw new Error('a node without an id');
  return id;
}

/** The bulk strings of a reply. */
function lines(reply: string): string[] {
  return [...reply.matchAll(/\$\d+\r\n([^\r]*)\r\n/g)].map(([, text]) => text ?? '');
}
