import { canonicalKey } from '../../src/answers/canonical-key.ts';
import type { ExtractionMode } from '../../src/answers/modes.ts';
import type { Expected } from './expected.ts';
import type { Rewarded } from './messages.ts';

/** Faults that are kept as text; the others are counted. */
const FAULTS_KEPT = 20;

/** Holds every reward that arrives against the recomputed one. */
export class Ledger {
  readonly #expected: ReadonlyMap<string, Expected>;
  readonly #mode: ExtractionMode;
  readonly #rewards = new Map<string, number>();
  readonly faults: string[] = [];
  faultCount = 0;
  /** Rewards compared, those of repeated rollouts too. */
  checked = 0;

  constructor(expected: ReadonlyMap<string, Expected>, mode: ExtractionMode) {
    this.#expected = expected;
    this.#mode = mode;
  }

  /** Rollouts that have their reward. */
  get settled(): ReadonlyMap<string, number> {
    return this.#rewards;
  }

  get missing(): string[] {
    return [...this.#expected.keys()].filter((name) => !this.#rewards.has(name));
  }

  record({ name, reward, label }: Rewarded): void {
    this.checked += 1;
    const expected = this.#expected.get(name);
    if (expected === undefined) {
      this.fault(`${name} was never sent`);
      return;
    }
    if (reward !== expected.reward) {
      this.fault(`${name} was paid ${reward} instead of ${expected.reward}`);
    }
    // Before all rollouts of its group are in, a reward comes without the label.
    if (label !== null && !this.#hasLabel(label, expected)) {
      this.fault(`${name} was held against label ${label} instead of ${expected.label}`);
    }
    const earlier = this.#rewards.get(name);
    if (earlier !== undefined && earlier !== reward) {
      this.fault(`${name} was paid ${reward} after ${earlier}`);
    }
    if (reward !== null) this.#rewards.set(name, reward);
  }

  fault(text: string): void {
    this.faultCount += 1;
    if (this.faults.length < FAULTS_KEPT) this.faults.push(text);
  }

  #hasLabel(label: Rewarded['label'], expected: Expected): boolean {
    if (typeof label === 'boolean') return label === (expected.label !== null);
    return (label === null ? null : canonicalKey(label, this.#mode)) === expected.label;
  }
}
