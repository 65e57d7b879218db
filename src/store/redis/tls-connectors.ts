import { connect } from 'node:tls';
import { AbstractConnector, type RedisOptions, SentinelConnector } from 'ioredis';

/**
 * The client listens to one error of a socket. One that it closes in the middle of a handshake reports another, which
 * would end the process: https://github.com/redis/ioredis/pull/962. Both connectors listen for as long as there is a socket.
 */
function ignoreLaterErrors<Socket extends { on(event: 'error', listener: () => void): unknown }>(
  socket: Socket,
): Socket {
  socket.on('error', () => undefined);
  return socket;
}

/** Connects to one server, of a cluster or alone, over TLS. */
export class TlsConnector extends AbstractConnector {
  readonly #options: RedisOptions;

  constructor(options: unknown) {
    const known = options as RedisOptions;
    super(known.disconnectTimeout ?? 0);
    this.#options = known;
  }

  async connect(): ReturnType<AbstractConnector['connect']> {
    const { host = 'localhost', port = 6379, tls = {} } = this.#options;
    this.connecting = true;
    const socket = ignoreLaterErrors(connect({ host, port, ...tls }));
    socket.once('error', (error) => {
      this.firstError = error;
    });
    this.stream = socket;
    return socket;
  }
}

/** Connects over TLS to the server that sentinels tell of. */
export class TlsSentinelConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
  }

  override async connect(
    ...args: Parameters<SentinelConnector['connect']>
  ): ReturnType<SentinelConnector['connect']> {
    return ignoreLaterErrors(await super.connect(...args));
  }
}
