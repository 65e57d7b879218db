import type { Usage } from './chat.ts';

/** Null: without a limit. */
export interface BudgetLimits {
  readonly requests: number | null;
  /** Prompt and completion tokens together. */
  readonly tokens: number | null;
  /** In the currency of the prices. */
  readonly cost: number | null;
}

/** Price of a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

export interface Spent {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export const NOTHING_SPENT: Spent = { requests: 0, promptTokens: 0, completionTokens: 0 };

/** Room for one request, to be given back by exactly one of its calls. */
export interface Reservation {
  /** The endpoint said what the request took. */
  settle(usage: Usage): void;
  /** It was answered without work being done: only the request counts. */
  refund(): void;
  /** Nobody knows what it took: all that was reserved counts. */
  keep(): void;
}

type Tokens = Pick<Usage, 'promptTokens' | 'completionTokens'>;

const MILLION = 1_000_000;

/**
 * What may be spent on an endpoint. Room is reserved before a request is sent, so that requests at the same time
 * cannot overspend together.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #prices: Prices;
  #spent: Spent;
  #reserved: Tokens = { promptTokens: 0, completionTokens: 0 };

  constructor(limits: BudgetLimits, prices: Prices = { input: 0, output: 0 }, spent: Spent = NOTHING_SPENT) {
    this.#limits = limits;
    this.#prices = prices;
    this.#spent = spent;
  }

  /** What is spent for certain: reservations of requests on their way are not in it. */
  get spent(): Spent {
    return this.#spent;
  }

  get cost(): number {
    return this.#costOf(this.#spent);
  }

  /** What may still be reserved; null without a limit. */
  get left(): { readonly requests: number | null; readonly tokens: number | null } {
    const { requests, tokens } = this.#limits;
    const taken = add(this.#spent, this.#reserved);
    return {
      requests: requests === null ? null : Math.max(0, requests - this.#spent.requests),
      tokens: tokens === null ? null : Math.max(0, tokens - taken.promptTokens - taken.completionTokens),
    };
  }

  /** Which limit a request of this size would break; null for none. */
  refuses(size: Tokens): keyof BudgetLimits | null {
    const { requests, tokens, cost } = this.#limits;
    const then = add(add(this.#spent, this.#reserved), size);
    if (requests !== null && this.#spent.requests + 1 > requests) return 'requests';
    if (tokens !== null && then.promptTokens + then.completionTokens > tokens) return 'tokens';
    if (cost !== null && this.#costOf(then) > cost) return 'cost';
    return null;
  }

  /** Takes room for one request of this size at most. Ask {@link refuses} first. */
  reserve(size: Tokens): Reservation {
    this.#spent = { ...this.#spent, requests: this.#spent.requests + 1 };
    this.#reserved = add(this.#reserved, size);
    const settle = (taken: Tokens) => {
      this.#reserved = add(this.#reserved, {
        promptTokens: -size.promptTokens,
        completionTokens: -size.completionTokens,
      });
      this.#spent = { requests: this.#spent.requests, ...add(this.#spent, taken) };
    };
    return {
      settle,
      refund: () => settle({ promptTokens: 0, completionTokens: 0 }),
      keep: () => settle(size),
    };
  }

  #costOf({ promptTokens, completionTokens }: Tokens): number {
    return (promptTokens * this.#prices.input + completionTokens * this.#prices.output) / MILLION;
  }
}

function add(a: Tokens, b: Tokens): Tokens {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}
