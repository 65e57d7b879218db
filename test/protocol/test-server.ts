import { onTestFinished } from 'vitest';
import { composeServer, type Server } from '../../src/cli/compose.ts';
import { type CodeConfig, codeConfigSchema, toCodeConfig } from '../../src/config/code-schema.ts';
import { type JudgeConfig, judgeConfigSchema, toJudgeConfig } from '../../src/config/judge-schema.ts';
import { type ServerConfig, serverConfigSchema, toServerConfig } from '../../src/config/schema.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Store } from '../../src/store/store.ts';
import { buildCohort, type CohortOverrides } from '../support/builders.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { settleDown, until } from '../support/service.ts';

export interface TestServerOptions extends CohortOverrides {
  readonly server?: Partial<ServerConfig>;
  /** Without it there is no judge. */
  readonly judge?: Partial<JudgeConfig> & { readonly url: string };
  readonly code?: Partial<CodeConfig>;
  readonly clock?: Clock;
  readonly store?: Store;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** As it went over the wire. */
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** The whole server over one cohort `test` of agents `a` and `b`, without a socket unless it listens. */
export class TestServer {
  readonly #server: Server;
  readonly #clock: Clock;

  constructor(server: Server, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  get app(): Server['app'] {
    return this.#server.app;
  }

  get metricsApp(): Server['metricsApp'] {
    return this.#server.metricsApp;
  }

  get store(): Store {
    return this.#server.store;
  }

  /** Sends `payload` as it is where it is a string, else as JSON. */
  async send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    url: string,
    payload?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const reply = await this.app.inject({
      method,
      url,
      ...(payload !== undefined && { payload: text }),
      headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
    });
    return read(reply.statusCode, reply.headers, reply.payload);
  }

  get(url: string): Promise<Reply> {
    return this.send('GET', url);
  }

  /** Submits over the native protocol. */
  submit(agent: string, body: unknown, query = ''): Promise<Reply> {
    return this.send('POST', `/v1/cohorts/test/agents/${agent}/rollouts${query}`, body);
  }

  /** Asks OpenRLHF's way. */
  reward(agent: string, body: unknown, query = ''): Promise<Reply> {
    return this.send('POST', `/openrlhf/test/${agent}${query}`, body);
  }

  /** Listens on a free port of this machine; the base of its URLs. */
  listen(): Promise<string> {
    return this.app.listen({ host: '127.0.0.1', port: 0 });
  }

  async held(): Promise<number> {
    const { body } = await this.get('/v1/cohorts/test');
    return body.held_requests;
  }

  /** Resolves once so many requests are parked. */
  async untilHeld(count: number): Promise<void> {
    await until(async () => (await this.held()) === count);
  }

  async advance(ms: number): Promise<void> {
    if (!(this.#clock instanceof FakeClock)) throw new Error('this server runs on the real time');
    this.#clock.advance(ms);
    await this.#server.caretaker.closeDue();
    await settleDown();
  }

  watch(): Promise<void> {
    return this.#server.caretaker.watch();
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** Starts a server; it is closed when the test is over. */
export async function openServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { server: settings, judge, code, clock = new FakeClock(), store, ...cohort } = options;
  const defaults = toServerConfig(serverConfigSchema.parse({ log_level: 'silent' }));
  const codeDefaults = toCodeConfig(codeConfigSchema.parse({}));
  const config = {
    server: { ...defaults, ...settings },
    redis: null,
    judge: judge === undefined ? null : buildJudgeConfig(judge),
    code: { ...codeDefaults, ...code },
    cohorts: [buildCohort(cohort)],
  };
  const server = await composeServer({ config, clock, ...(store !== undefined && { store }) });
  onTestFinished(() => server.close());
  return new TestServer(server, clock);
}

function buildJudgeConfig({ url, ...overrides }: NonNullable<TestServerOptions['judge']>): JudgeConfig {
  const config = toJudgeConfig(judgeConfigSchema.parse({ url, model: 'judge' }), null);
  if (config === null) throw new Error('the section holds no judge');
  return { ...config, ...overrides };
}

/** A reply of `fetch`, read in the same form. */
export async function readFetched(reply: Response): Promise<Reply> {
  return read(reply.status, Object.fromEntries(reply.headers), await reply.text());
}

function read(status: number, headers: Reply['headers'], text: string): Reply {
  return {
    status,
    headers,
    text,
    get body() {
      return JSON.parse(text);
    },
  };
}

/** A native submission of one whole group, `answers[i]` being rollout `r<i>`. */
export function submissionOf(
  promptId: string,
  answers: readonly (string | null)[],
  overrides: Readonly<Record<string, unknown>> = {},
) {
  const rollouts = answers.map((answer, index) => ({ id: `r${index}`, index, answer }));
  return { groups: [{ prompt_id: promptId, rollouts }], ...overrides };
}

/** What OpenRLHF posts for one rollout. */
export function openRlhfOf(answer: string, label: unknown = '{"pid":"p"}', prompt = 'Question: 2+2?\n') {
  return { query: [`${prompt}${answer}`], prompts: [prompt], labels: [label] };
}
