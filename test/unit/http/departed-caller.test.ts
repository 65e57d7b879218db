import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { composeServer, type Server } from '../../../src/cli/compose.ts';
import { systemClock } from '../../../src/cli/system-clock.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { MemoryStore } from '../../../src/store/memory/memory-store.ts';
import type { Store } from '../../../src/store/store.ts';

/** Keeps agent a's first rollouts back until it is told, as a store beyond a network may. */
class SlowStore extends MemoryStore {
  readonly asked: Promise<void>;
  #tellAsked: () => void = () => undefined;
  #goOn: () => void = () => undefined;
  readonly #goesOn: Promise<void>;

  constructor() {
    super(systemClock);
    this.asked = new Promise((resolve) => {
      this.#tellAsked = resolve;
    });
    this.#goesOn = new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  goOn(): void {
    this.#goOn();
  }

  override async submit(...args: Parameters<Store['submit']>): ReturnType<Store['submit']> {
    if (args[1].agent.name === 'a') {
      this.#tellAsked();
      await this.#goesOn;
    }
    return super.submit(...args);
  }
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(store: Store): Promise<{ server: Server; port: number }> {
  const loaded = loadConfig({
    flags: { agents: ['a,b'], k: '2', mode: 'raw', logLevel: 'silent' },
    env: {},
    readFile: () => '',
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const server = await composeServer({ config: loaded.config, clock: systemClock, store });
  servers.push(server);
  const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
  return { server, port: Number(port) };
}

function post(port: number, path: string, body: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

/** Resolves when the server has seen its next connection close. */
function nextClose({ app }: Server): Promise<void> {
  return new Promise((resolve) => {
    app.server.once('connection', (socket: Socket) => {
      socket.once('close', () => resolve());
    });
  });
}

/** Both answers of agent b, who waits for nobody here. */
function sendPeer({ app }: Server) {
  const rollouts = [{ answer: '4' }, { answer: '4' }];
  const payload = { groups: [{ prompt_id: 'p', rollouts }] };
  return app.inject({ method: 'POST', url: '/v1/cohorts/default/agents/b/rollouts', payload });
}

describe('a caller that leaves while its rollouts are stored', () => {
  it.each(['before', 'after'])('leaves them to its retry when the peer comes %s it', async (when) => {
    const store = new SlowStore();
    const { server, port } = await serve(store);
    if (when === 'before') await sendPeer(server);
    const body = JSON.stringify({ query: ['Q?4'], prompts: ['Q?'], labels: ['{"pid":"p"}'] });
    const closed = nextClose(server);
    const first = post(port, '/openrlhf/default/a', body);
    await store.asked;
    first.destroy();
    await closed;
    store.goOn();
    const retry = post(port, '/openrlhf/default/a', body);
    if (when === 'after') await sendPeer(server);
    await once(retry, 'data');
    retry.destroy();
    const [bucket] = await store.readPrompt('default', 'p');
    expect(bucket?.groups.get('a')?.rollouts).toHaveLength(1);
  });
});
