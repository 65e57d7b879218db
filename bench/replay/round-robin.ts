import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Milliseconds until a connection that found nobody is tried again, and how often it is. */
const RETRY_MS = 50;
const MOST_TRIES = 400;

/**
 * The load balancer of a replay: one address, and each connection goes to the next replica that takes it. What one side
 * closes is closed on the other in the same way, half or whole.
 */
export class RoundRobin {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #ports: readonly number[];
  #next = 0;

  private constructor(server: Server, ports: readonly number[]) {
    this.#server = server;
    this.#ports = ports;
  }

  static async start(urls: readonly string[]): Promise<RoundRobin> {
    const server = createServer({ allowHalfOpen: true });
    const balancer = new RoundRobin(server, []);
    balancer.balance(urls);
    server.on('connection', (client) => void balancer.#join(client));
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
    await once(server, 'listening');
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The balancer does not listen.');
    return `http://127.0.0.1:${address.port}`;
  }

  /** New connections go to these servers of this machine from now on. */
  balance(urls: readonly string[]): void {
    this.#ports = urls.map((url) => Number(new URL(url).port));
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #join(client: Socket): Promise<void> {
    this.#watch(client);
    const replica = await this.#connect(client);
    if (replica === null || client.destroyed) {
      client.destroy();
      replica?.destroy();
      return;
    }
    for (const [from, to] of [
      [client, replica],
      [replica, client],
    ] as const) {
      // A reset, or a process that was killed with bytes unread; a plain end goes through the pipe.
      from.once('error', () => to.destroy());
      from.once('close', (hadError) => {
        if (hadError || !from.readableEnded) to.destroy();
      });
      from.pipe(to);
    }
  }

  /** The next replica that takes a connection; null when none does for long, or the client is gone. */
  async #connect(client: Socket): Promise<Socket | null> {
    for (let tries = 0; tries < MOST_TRIES && !client.destroyed; tries++) {
      const port = this.#ports[this.#next++ % Math.max(1, this.#ports.length)];
      const replica = port === undefined ? null : await this.#reach(port);
      if (replica !== null) return replica;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return null;
  }

  async #reach(port: number): Promise<Socket | null> {
    const replica = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.#watch(replica);
    try {
      await once(replica, 'connect');
      return replica;
    } catch {
      return null;
    }
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
