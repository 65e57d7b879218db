import { setMaxListeners } from 'node:events';
import pLimit, { type LimitFunction } from 'p-limit';
import { Agent } from 'undici';
import type { Clock } from '../../domain/clock.ts';
import { backoffMs, parseRetryAfter, type RetryRules } from './backoff.ts';
import type { Budget, Reservation } from './budget.ts';
import { type ChatFailure, type ChatOutcome, type ChatRequest, type FailureCode, failed } from './chat.ts';
import { estimateUsage, readChatReply, readErrorMessage, toChatBody } from './chat-wire.ts';
import { type BreakerRules, CircuitBreaker, type Permit } from './circuit-breaker.ts';
import { type Exchange, post } from './http-post.ts';
import { pause } from './pause.ts';

export interface ChatClientOptions {
  /** Where `/chat/completions` lies, as in `http://host:8000/v1`; any path before it and any query is kept. */
  readonly baseUrl: string;
  readonly model: string;
  /** Null: the endpoint wants none. */
  readonly apiKey: string | null;
  /** Further keys of the request's body; null takes one of ours away. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** One request, from connecting to the last byte. */
  readonly timeoutMs: number;
  /** One answer with all its attempts and the waits between them, counted from its turn. */
  readonly deadlineMs: number;
  readonly concurrency: number;
  readonly maxResponseBytes: number;
  readonly retry: RetryRules;
  readonly breaker: BreakerRules;
}

export interface ChatClientParts {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly chance: () => number;
  /** Told of every request that was sent, when it has ended. */
  readonly observe: (outcome: FailureCode | 'answered', ms: number) => void;
}

export interface ChatCallOptions {
  /** All of them must have room. */
  readonly budgets: readonly Budget[];
  readonly signal?: AbortSignal | null;
}

type Attempt =
  | { readonly kind: 'done'; readonly outcome: ChatOutcome }
  | { readonly kind: 'again'; readonly failure: ChatFailure; readonly retryAfterMs: number | null };

/** An endpoint that asks for more is asked again all the same, to see whether it still does. */
const LONGEST_HEED_MS = 3_600_000;
const CHAT_PATH = '/chat/completions';

/** Asks one model of an OpenAI-compatible endpoint. Whatever happens becomes an outcome: it never throws. */
export class ChatClient {
  readonly #options: ChatClientOptions;
  readonly #parts: ChatClientParts;
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #breaker: CircuitBreaker;
  readonly #limit: LimitFunction;
  readonly #closed = new AbortController();
  /** The endpoint asked everyone to stay away until then. */
  #notBefore = 0;

  constructor(options: ChatClientOptions, parts: ChatClientParts) {
    this.#options = options;
    this.#parts = parts;
    // Every request under way listens to it, and Node would warn of a leak.
    setMaxListeners(0, this.#closed.signal);
    this.#url = chatUrl(options.baseUrl);
    this.#agent = new Agent({
      connections: options.concurrency,
      connect: { timeout: options.timeoutMs },
    });
    this.#breaker = new CircuitBreaker(options.breaker, parts.clock);
    this.#limit = pLimit(options.concurrency);
  }

  /** Requests that wait for their turn. */
  get queued(): number {
    return this.#limit.pendingCount;
  }

  async chat(request: ChatRequest, { budgets, signal = null }: ChatCallOptions): Promise<ChatOutcome> {
    const closed = this.#closed.signal;
    if (signal === null) return this.#limit(() => this.#answer(request, budgets, closed));
    // Not AbortSignal.any: on Node 20 a signal that lives long keeps every one that was made from it.
    const either = new AbortController();
    const abort = () => either.abort();
    const sources = [signal, closed];
    for (const source of sources) source.addEventListener('abort', abort, { once: true });
    if (sources.some(({ aborted }) => aborted)) abort();
    try {
      return await this.#limit(() => this.#answer(request, budgets, either.signal));
    } finally {
      for (const source of sources) source.removeEventListener('abort', abort);
    }
  }

  /** Gives up what is under way and closes the connections. Safe to call twice. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#agent.destroy();
  }

  async #answer(request: ChatRequest, budgets: readonly Budget[], signal: AbortSignal): Promise<ChatOutcome> {
    const { clock, chance } = this.#parts;
    const { retry, deadlineMs } = this.#options;
    const deadline = clock.now() + deadlineMs;
    let last: ChatFailure | null = null;
    for (let attempts = 1; ; attempts++) {
      const ended = await this.#holdBack(deadline, signal, last);
      if (ended !== null) return ended;
      const attempt = await this.#attempt(request, budgets, deadline, signal, last);
      if (attempt.kind === 'done') return attempt.outcome;
      last = attempt.failure;
      if (attempts >= retry.attempts) return giveUp(last, attempts);
      const waitMs = (attempt.retryAfterMs ?? 0) + backoffMs(attempts, retry, chance);
      if (clock.now() + waitMs >= deadline) return giveUp(last, attempts);
      if (!(await pause(clock, waitMs, signal))) return aborted();
    }
  }

  /** Waits while the endpoint wants to be left alone. An outcome, where there is nothing to wait for. */
  async #holdBack(
    deadline: number,
    signal: AbortSignal,
    last: ChatFailure | null,
  ): Promise<ChatFailure | null> {
    const { clock } = this.#parts;
    while (!signal.aborted && clock.now() < this.#notBefore) {
      if (this.#notBefore >= deadline) {
        return last ?? failed('rate_limited', 'the endpoint asked for a longer wait than there is time');
      }
      await pause(clock, this.#notBefore - clock.now(), signal);
    }
    return signal.aborted ? aborted() : null;
  }

  async #attempt(
    request: ChatRequest,
    budgets: readonly Budget[],
    deadline: number,
    signal: AbortSignal,
    last: ChatFailure | null,
  ): Promise<Attempt> {
    const { clock, observe } = this.#parts;
    const { model, extraBody, apiKey, timeoutMs, maxResponseBytes } = this.#options;
    const { promptTokens } = estimateUsage(request, '');
    const size = { promptTokens, completionTokens: request.maxTokens };
    const refusal = budgets.map((budget) => budget.refuses(size)).find((limit) => limit !== null);
    if (refusal !== undefined) {
      return done(failed('budget_spent', `the budget has no room for another request (${refusal})`));
    }
    const permit = this.#breaker.admit();
    if (permit === null) {
      const why = last === null ? '' : `; last: ${last.message}`;
      return done(failed('circuit_open', `the endpoint failed too often and is left alone for now${why}`));
    }
    const reservations = budgets.map((budget) => budget.reserve(size));
    const started = clock.now();
    const exchange = await post(this.#agent, clock, {
      url: this.#url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
      },
      body: toChatBody(model, request, extraBody),
      timeoutMs: Math.max(1, Math.min(timeoutMs, deadline - started)),
      maxResponseBytes,
      signal,
    });
    const attempt = this.#judge(exchange, request, permit, reservations);
    const code = attempt.kind === 'again' ? attempt.failure.code : codeOf(attempt.outcome);
    observe(code, clock.now() - started);
    return attempt;
  }

  /** What an exchange means: for the circuit, for the budgets, and whether another attempt makes sense. */
  #judge(
    exchange: Exchange,
    request: ChatRequest,
    permit: Permit,
    reservations: readonly Reservation[],
  ): Attempt {
    const settle = (how: (reservation: Reservation) => void) => reservations.forEach(how);
    if (exchange.kind === 'broken') {
      // The endpoint may have done the work all the same, and sent a bill for it.
      settle((each) => each.keep());
      if (exchange.cause === 'aborted') permit.abandon();
      else permit.fail();
      const failure = failed(exchange.cause, this.#redact(exchange.message));
      const isFinal = exchange.cause === 'aborted' || exchange.cause === 'too_large';
      return isFinal ? done(failure) : { kind: 'again', failure, retryAfterMs: null };
    }
    const { status, body } = exchange;
    if (status === 200) {
      const reply = readChatReply(body, request);
      if (reply !== null) {
        permit.succeed();
        settle((each) => each.settle(reply.usage));
        return done(reply);
      }
      permit.fail();
      settle((each) => each.keep());
      const failure = failed('bad_reply', 'the answer is not that of a chat completion');
      return { kind: 'again', failure, retryAfterMs: null };
    }
    settle((each) => each.refund());
    const message = this.#redact(`HTTP ${status}: ${readErrorMessage(body)}`);
    if (status === 429 || status === 408 || status >= 500) {
      if (status === 429) permit.succeed();
      else permit.fail();
      const retryAfterMs = this.#heed(exchange.retryAfter);
      const failure = failed(status === 429 ? 'rate_limited' : 'server_error', message);
      return { kind: 'again', failure, retryAfterMs };
    }
    permit.succeed();
    return done(failed('rejected', message));
  }

  /** Whoever is told to wait speaks for all: the others would only be told the same. */
  #heed(retryAfter: string | null): number | null {
    const now = this.#parts.clock.now();
    const waitMs = parseRetryAfter(retryAfter, now);
    if (waitMs !== null) this.#notBefore = Math.max(this.#notBefore, now + Math.min(waitMs, LONGEST_HEED_MS));
    return waitMs;
  }

  /** Some endpoints repeat the key that they refuse. */
  #redact(message: string): string {
    const { apiKey } = this.#options;
    return apiKey === null || apiKey === '' ? message : message.replaceAll(apiKey, '***');
  }
}

/** Throws TypeError for what is no http(s) URL. */
export function chatUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('not an http(s) URL');
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(CHAT_PATH) ? path : `${path}${CHAT_PATH}`;
  return url;
}

function done(outcome: ChatOutcome): Attempt {
  return { kind: 'done', outcome };
}

function codeOf(outcome: ChatOutcome): FailureCode | 'answered' {
  return outcome.kind === 'reply' ? 'answered' : outcome.code;
}

function aborted(): ChatFailure {
  return failed('aborted', 'the request was given up');
}

function giveUp({ code, message }: ChatFailure, attempts: number): ChatFailure {
  return attempts === 1 ? failed(code, message) : failed(code, `after ${attempts} attempts: ${message}`);
}
