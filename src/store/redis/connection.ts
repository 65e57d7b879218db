import { Redis } from 'ioredis';
import type { ServiceError } from '../../domain/errors.ts';
import { type Call, type Caller, placeOf, type Reply } from './call.ts';
import { type Client, COMMAND_TIMEOUT_MS, closeClient, createClient } from './clients.ts';
import { type Command, GatheredCalls, invoke, type Outcome } from './gathered-calls.ts';
import { findScript } from './scripts.ts';
import type { RedisTarget } from './target.ts';
import { explainTrouble, isWrongType, unavailable, unreadableData } from './unavailable.ts';

/** What a connection tells of itself; every call is quick and never throws. */
export interface ConnectionObserver {
  /** Calls were answered, or failed, after `ms`. */
  called(calls: readonly Call[], ms: number, ok: boolean): void;
  /** Said once for each change. `error` says why, where anything does. */
  stateChanged(state: 'up' | 'down', error: Error | null): void;
  /** Something in Redis is not what this version reads; said each time that somebody needs it. */
  unreadable(place: string, error: ServiceError): void;
}

export interface ConnectionOptions {
  readonly target: RedisTarget;
  readonly observer: ConnectionObserver;
  /** Tests only: a time that the scripts take for the server's. */
  readonly now?: () => number;
}

/** A probe that takes this long means that Redis does not answer. */
const PROBE_EVERY_MS = 1_000;
const PROBE_TIMEOUT_MS = 2_000;
/** Unanswered probes after which the connection is taken for dead, though nobody closed it. */
const PROBES_UNTIL_DEAD = 3;

/** The connection for commands: it answers or fails within seconds, and mends itself. */
export class Connection implements Caller {
  readonly now: () => number | '';
  readonly publish: Caller['publish'];
  readonly #client: Client;
  readonly #observer: ConnectionObserver;
  readonly #isCluster: boolean;
  readonly #probing: NodeJS.Timeout;
  /** Null on a cluster, whose shards lie on several nodes. */
  readonly #gathered: GatheredCalls | null;
  #state: 'up' | 'down' | null = null;
  #unanswered = 0;
  #lastError: Error | null = null;

  constructor({ target, observer, now }: ConnectionOptions) {
    this.now = now ?? (() => '');
    this.#observer = observer;
    this.#isCluster = target.kind === 'cluster';
    this.publish = this.#isCluster ? 'SPUBLISH' : 'PUBLISH';
    this.#client = createClient(target, 'commands');
    this.#gathered = this.#client instanceof Redis ? new GatheredCalls(this.#client) : null;
    this.#client.on('error', (error: Error) => {
      this.#lastError = error;
    });
    this.#client.on('ready', () => this.#change('up'));
    this.#client.on('close', () => this.#change('down'));
    this.#probing = setInterval(() => void this.#probe(), PROBE_EVERY_MS);
    this.#probing.unref();
  }

  async run(calls: readonly Call[]): Promise<readonly unknown[]> {
    return (await this.attempt(calls)).map((reply) => {
      if (!reply.ok) throw reply.error;
      return reply.value;
    });
  }

  async attempt(calls: readonly Call[]): Promise<readonly Reply[]> {
    if (calls.length === 0) return [];
    const started = performance.now();
    // A server that is there and does not answer would make everyone wait for the timeout.
    const stuck = this.#unanswered > 0;
    try {
      if (stuck) throw new Error('Redis does not answer.');
      const outcomes = await withDeadline(this.#send(calls), COMMAND_TIMEOUT_MS + PROBE_EVERY_MS);
      const allAnswered = outcomes.every(([error]) => error === null);
      this.#observer.called(calls, performance.now() - started, allAnswered);
      return calls.map((call, at) => this.#toReply(call, outcomes[at] ?? [new Error('no reply'), null]));
    } catch (error) {
      this.#observer.called(calls, performance.now() - started, false);
      const failed = this.#explain(error);
      return calls.map(() => ({ ok: false, error: failed }));
    }
  }

  unreadable(place: string, cause: unknown): ServiceError {
    const error = unreadableData(place, cause);
    this.#observer.unreadable(place, error);
    return error;
  }

  /** Whether calls have a chance at the moment. */
  get isUp(): boolean {
    return this.#state === 'up' && this.#unanswered === 0;
  }

  /** Resolves once the connection is up; or, with false, after `ms` without it, or a refusal that waiting does not mend. */
  async waitUntilUp(ms: number): Promise<boolean> {
    if (this.#client.status === 'ready') return true;
    return new Promise((resolve) => {
      const done = (isUp: boolean) => {
        clearTimeout(timer);
        this.#client.off('ready', onReady);
        this.#client.off('error', onError);
        resolve(isUp);
      };
      const onReady = () => done(true);
      const onError = (error: Error) => {
        if (explainTrouble(error) !== null) done(false);
      };
      const timer = setTimeout(() => done(false), ms);
      this.#client.on('ready', onReady);
      this.#client.on('error', onError);
    });
  }

  close(): void {
    clearInterval(this.#probing);
    closeClient(this.#client);
  }

  #toReply(call: Call, [error, value]: Outcome): Reply {
    if (error === null) return { ok: true, value };
    const place = isWrongType(error) ? placeOf(call) : null;
    return { ok: false, error: place === null ? this.#explain(error) : this.unreadable(place, error) };
  }

  /** The client says only that it is not connected; why is what it said when it tried to. */
  #explain(error: unknown): ServiceError {
    return unavailable(this.isUp ? error : (this.#lastError ?? error));
  }

  async #send(calls: readonly Call[]): Promise<readonly Outcome[]> {
    if (this.#gathered !== null) {
      const outcomes = await this.#gathered.send(calls.map(bySha));
      return Promise.all(
        calls.map((call, at) => this.#settle(call, outcomes[at] ?? [new Error('no reply'), null])),
      );
    }
    // The shards of a cluster lie on several nodes, which a pipeline cannot.
    return Promise.all(
      calls.map(async (call) => this.#settle(call, await outcomeOf(invoke(this.#client, bySha(call))))),
    );
  }

  /** A script that the server forgot, in a restart or a failover, is sent whole: then it cannot be missing. */
  async #settle({ name, args }: Call, outcome: Outcome): Promise<Outcome> {
    const script = findScript(name);
    if (script === undefined || outcome[0]?.message.startsWith('NOSCRIPT') !== true) return outcome;
    return outcomeOf(invoke(this.#client, ['eval', [script.lua, ...args]]));
  }

  async #probe(): Promise<void> {
    if (this.#client.status !== 'ready') return;
    try {
      await withDeadline(this.#client.ping(), PROBE_TIMEOUT_MS);
      this.#unanswered = 0;
      this.#change('up');
    } catch (error) {
      this.#unanswered++;
      this.#lastError = error instanceof Error ? error : null;
      this.#change('down');
      if (this.#unanswered % PROBES_UNTIL_DEAD === 0 && this.#client instanceof Redis) {
        this.#client.disconnect(true);
      }
    }
  }

  #change(state: 'up' | 'down'): void {
    if (state === 'up') this.#unanswered = 0;
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'up') this.#lastError = null;
    this.#observer.stateChanged(state, this.#lastError);
  }
}

function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  return work.then(
    (value): Outcome => [null, value],
    (error: Error): Outcome => [error, null],
  );
}

/** What the client is asked: a script goes by its hash. */
function bySha({ name, args }: Call): Command {
  const script = findScript(name);
  return script === undefined ? [name, args] : ['evalsha', [script.sha, ...args]];
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
