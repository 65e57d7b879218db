import { type ChildProcess, fork } from 'node:child_process';
import { Agent } from 'node:http';
import { type Reply, type SendOptions, send } from '../support/http.ts';
import type { FromServer, ToServer, Usage } from './measured-server.ts';

type Method = SendOptions['method'];

/** A cohort as PUT takes it. */
export interface CohortSettings {
  readonly agents: readonly string[];
  readonly k: number;
  readonly limits?: { readonly held_requests: number };
}

/** A server in a process of its own, with its memory in view, and connections to it without bound. */
export class TestServer {
  readonly #child: ChildProcess;
  readonly #connections = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  #url = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts a compiled server that holds OpenRLHF requests this long, on the embedded store unless a Redis is named. */
  static async start(
    program: string,
    { holdMs = 170_000, redisUrl }: { readonly holdMs?: number; readonly redisUrl?: string } = {},
  ): Promise<TestServer> {
    const args = [String(holdMs), ...(redisUrl === undefined ? [] : [redisUrl])];
    const server = new TestServer(fork(program, args, { execArgv: ['--expose-gc'] }));
    const { url } = await server.#hear('listening');
    server.#url = url;
    return server;
  }

  /** Memory after a full collection, and CPU time before it. */
  measure(): Promise<Usage> {
    return this.#ask({ collect: true });
  }

  /** CPU seconds that the server used so far. */
  async cpu(): Promise<number> {
    return (await this.#ask({ collect: false })).cpu;
  }

  #ask(message: ToServer): Promise<Usage> {
    const answer = this.#hear('usage');
    this.#child.send(message);
    return answer;
  }

  async putCohort(name: string, settings: CohortSettings): Promise<void> {
    const body = JSON.stringify({ ...settings, answers: { mode: 'boxed' } });
    await this.send('PUT', `/v1/cohorts/${name}`, body);
  }

  /** Sends one request; throws unless it succeeds. */
  async send(method: Method, path: string, body?: string): Promise<Reply> {
    const reply = await this.try(method, path, body);
    if (reply.status < 300) return reply;
    throw new Error(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 300)}`);
  }

  /** Sends one request, whatever the status. */
  try(method: Method, path: string, body?: string): Promise<Reply> {
    const url = `${this.#url}${path}`;
    return send({ method, url, agent: this.#connections, ...(body !== undefined && { body }) });
  }

  /** Requests that the server holds for a cohort just now. */
  async countHeld(cohort: string): Promise<number> {
    const { text } = await this.send('GET', '/metrics');
    const line = text
      .split('\n')
      .find((each) => each.startsWith(`peervote_held_requests{cohort="${cohort}"}`));
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  async stop(): Promise<void> {
    this.#connections.destroy();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  #hear<K extends FromServer['kind']>(kind: K): Promise<Extract<FromServer, { kind: K }>> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#child.off('message', onMessage);
        this.#child.off('exit', onExit);
      };
      const onMessage = (message: FromServer) => {
        if (message.kind !== kind) return;
        stop();
        resolve(message as Extract<FromServer, { kind: K }>);
      };
      const onExit = () => {
        stop();
        reject(new Error('The server has ended.'));
      };
      this.#child.on('message', onMessage);
      this.#child.on('exit', onExit);
    });
  }
}
