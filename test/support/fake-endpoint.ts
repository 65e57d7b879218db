import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** One request as it came in. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ReturnType<typeof JSON.parse>;
  /** The last message: what a model would answer. */
  readonly prompt: string;
}

/** How the endpoint answers one request. */
export type Behaviour = (response: ServerResponse, asked: Asked) => void;

/** A real HTTP server in the place of a model's endpoint, which answers as the test says. */
export class FakeEndpoint {
  readonly asked: Asked[] = [];
  /** Requests whose answer has not ended. */
  open = 0;
  /** The most that were open at a time. */
  mostOpen = 0;
  readonly #script: Behaviour[] = [];
  readonly #arrivals = new EventEmitter();
  readonly #server: Server;
  #otherwise: Behaviour = says('Score: 1');

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<FakeEndpoint> {
    const server = createServer();
    const endpoint = new FakeEndpoint(server);
    server.on('request', async (request, response) => {
      endpoint.open++;
      endpoint.mostOpen = Math.max(endpoint.mostOpen, endpoint.open);
      response.on('close', () => endpoint.open--);
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const body = JSON.parse(text);
      const asked = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        prompt: body.messages.at(-1).content,
      };
      endpoint.asked.push(asked);
      endpoint.#arrivals.emit('asked');
      (endpoint.#script.shift() ?? endpoint.#otherwise)(response, asked);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return endpoint;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the endpoint does not listen');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  /** The next requests are answered so, one each. */
  script(...behaviours: readonly Behaviour[]): void {
    this.#script.push(...behaviours);
  }

  /** Every further request is answered so. */
  otherwise(behaviour: Behaviour): void {
    this.#otherwise = behaviour;
  }

  /** Resolves once so many requests have come in, in all. */
  async untilAsked(count: number): Promise<void> {
    while (this.asked.length < count) await once(this.#arrivals, 'asked');
  }
}

export function chatBody(text: string, finish = 'stop', usage: object | null = tokens(10, 5)): string {
  return JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }],
    ...(usage !== null && { usage }),
  });
}

function tokens(prompt: number, completion: number): object {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** Answers as a model that says this. */
export function says(text: string | ((asked: Asked) => string), finish = 'stop'): Behaviour {
  return (response, asked) => {
    send(response, 200, chatBody(typeof text === 'string' ? text : text(asked), finish));
  };
}

export function answers(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return (response) => send(response, status, body, headers);
}

/** Takes the request and never says a word. */
export const hangs: Behaviour = () => {};

/** Starts an answer of this length and never goes on. */
export const stalls: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices":');
};

/** Starts an answer and drops the connection. */
export const cuts: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices":', () => response.destroy());
};

/** Drops the connection without a word. */
export const dies: Behaviour = (response) => {
  response.destroy();
};

/** Sends without an end, as long as somebody reads. */
export const floods: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const block = 'x'.repeat(65_536);
  const more = () => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', more);
  more();
};

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
