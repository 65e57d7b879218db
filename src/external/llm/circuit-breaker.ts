import type { Clock } from '../../domain/clock.ts';

export interface BreakerRules {
  /** So many failures in a row open the circuit. */
  readonly failures: number;
  /** How long it stays open until one request may try again. */
  readonly openMs: number;
}

/** Leave to send one request, to be given back by exactly one of its calls. */
export interface Permit {
  succeed(): void;
  fail(): void;
  /** The request ended in a way that says nothing of the endpoint. */
  abandon(): void;
}

type State =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly until: number }
  | { readonly kind: 'probing' };

/**
 * Spares an endpoint that is down, and those who would wait for it: after `failures` in a row nothing is sent for
 * `openMs`, then one request at a time probes, until one succeeds.
 */
export class CircuitBreaker {
  readonly #rules: BreakerRules;
  readonly #clock: Clock;
  #state: State = { kind: 'closed', failures: 0 };

  constructor(rules: BreakerRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  /** Null: the circuit is open. */
  admit(): Permit | null {
    const state = this.#state;
    if (state.kind === 'probing' || (state.kind === 'open' && this.#clock.now() < state.until)) return null;
    if (state.kind === 'closed') return this.#permit(() => this.#count(), ignore);
    this.#state = { kind: 'probing' };
    return this.#permit(
      () => this.#open(),
      // Its place is free again, and the next request probes.
      () => {
        this.#state = { kind: 'open', until: this.#clock.now() };
      },
    );
  }

  #permit(fail: () => void, abandon: () => void): Permit {
    const succeed = () => {
      this.#state = { kind: 'closed', failures: 0 };
    };
    return { succeed, fail, abandon };
  }

  /** Failures of requests that were sent before the circuit opened say nothing new. */
  #count(): void {
    if (this.#state.kind !== 'closed') return;
    const failures = this.#state.failures + 1;
    if (failures >= this.#rules.failures) this.#open();
    else this.#state = { kind: 'closed', failures };
  }

  #open(): void {
    this.#state = { kind: 'open', until: this.#clock.now() + this.#rules.openMs };
  }
}

function ignore(): void {}
