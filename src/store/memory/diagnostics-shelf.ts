import {
  DIAGNOSTICS_TTL_MS,
  GROUPS_PER_STEP,
  type Increment,
  type StepIncrement,
  scopeOf,
  stepsKept,
  Tally,
  weightOf,
} from '../../domain/diagnostics/tally.ts';
import type { DiagnosticsRead, StepDiagnostics, StepRange } from '../store.ts';

/** The figures of one cohort, by step. */
export class DiagnosticsShelf {
  readonly #steps = new Map<number, Tally>();
  /** What came without a step so far, in groups or prompts. */
  readonly #counted = new Map<string, number>();
  readonly #agents: () => number;
  #expiresAt = Number.POSITIVE_INFINITY;

  constructor(agents: () => number) {
    this.#agents = agents;
  }

  add(increments: readonly StepIncrement[], now: number): void {
    this.#expire(now);
    for (const { step, ...increment } of increments) {
      const at = step ?? this.#nextStep(increment);
      const tally = this.#steps.get(at) ?? new Tally();
      tally.add(increment);
      this.#steps.set(at, tally);
    }
    const kept = stepsKept(this.#agents());
    if (this.#steps.size > kept) {
      for (const step of this.#ascending().slice(0, -kept)) this.#steps.delete(step);
    }
    this.#expiresAt = now + DIAGNOSTICS_TTL_MS;
  }

  read({ from, to, most }: StepRange, now: number): DiagnosticsRead {
    this.#expire(now);
    const kept = this.#ascending();
    const wanted = kept.filter((step) => step >= from && step <= to);
    const steps = wanted.slice(-most).map((step) => this.#copy(step));
    const [first] = kept;
    return {
      steps,
      earlier: wanted.length - steps.length,
      first: first === undefined ? null : this.#copy(first),
    };
  }

  #nextStep(increment: Increment): number {
    const scope = scopeOf(increment);
    const before = this.#counted.get(scope) ?? 0;
    this.#counted.set(scope, before + weightOf(increment));
    return before - (before % GROUPS_PER_STEP);
  }

  #copy(step: number): StepDiagnostics {
    const tally = new Tally();
    const kept = this.#steps.get(step);
    if (kept !== undefined) tally.addAll(kept);
    return { step, tally };
  }

  #ascending(): number[] {
    return [...this.#steps.keys()].sort((a, b) => a - b);
  }

  #expire(now: number): void {
    if (now < this.#expiresAt) return;
    this.#steps.clear();
    this.#counted.clear();
  }
}
