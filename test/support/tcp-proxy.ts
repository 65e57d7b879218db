import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** How a connection to Redis is told apart: what its client named itself. */
const NOTICES = 'peervote-notices';

/** Stands between replicas and Redis, and lets bytes get lost on the way. */
export class TcpProxy {
  /** Nothing comes back to those who listen for notices, and nobody closes their connections. */
  muteNotices = false;
  /** So many replies to scripts that change something are lost from now on, with their connections. */
  loseReplies = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(targetPort: number): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (client) => proxy.#join(client, connect(targetPort, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return `redis://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, redis: Socket): void {
    let isNotices = false;
    for (const socket of [client, redis]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        redis.destroy();
      });
    }
    client.on('data', (bytes) => {
      isNotices ||= bytes.includes(NOTICES);
      redis.write(bytes);
    });
    redis.on('data', (bytes) => {
      if (isNotices && this.muteNotices) return;
      if (!isNotices && this.loseReplies > 0 && bytes.includes('swapped')) {
        this.loseReplies--;
        client.destroy();
        return;
      }
      client.write(bytes);
    });
  }
}
