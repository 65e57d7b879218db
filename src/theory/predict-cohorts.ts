import type { CandidateCohort } from './candidate-cohorts.ts';
import { CohortLimit } from './cohort-limit.ts';
import { openAnswers, openSelfPull } from './open-answers.ts';

/** What the prediction rests on beside the pass rates. */
export interface PredictionRules {
  /** Rollouts per prompt of the run to come, the same for all. */
  readonly k: number;
  /** Equally likely wrong answers. */
  readonly wrong: number;
}

/** Ends of all prompts, 0 to 1, for cohort after cohort. */
export class Predictor {
  readonly #rates: readonly (readonly number[])[];
  readonly #rules: PredictionRules;
  readonly #limits = new Map<string, CohortLimit>();

  /** `rates[prompt][candidate]`: chances of a right answer, strictly between 0 and 1. */
  constructor(rates: readonly (readonly number[])[], rules: PredictionRules) {
    this.#rates = rates;
    this.#rules = rules;
  }

  /** Where every prompt ends for this cohort: its mean accuracy over agents in the limit. */
  endsOf({ members, teaching }: CandidateCohort): Float64Array {
    // The ring the other way round is a ring of the reversed order, whose ends may be known.
    const isReversed = teaching === 'successor';
    const order = isReversed ? [...members].reverse() : members;
    const limit = this.#limitOf(members.length, isReversed ? 'predecessor' : teaching);
    return Float64Array.from(this.#rates, (row) => limit.endOf(order.map((at) => row[at] ?? 0.5)));
  }

  /** The same for a candidate that is rewarded by its own votes: up or down from where its drift turns. */
  selfEndsOf(candidate: number): Float64Array {
    const answers = openAnswers(this.#rules.k, this.#rules.wrong);
    return Float64Array.from(this.#rates, (row) => {
      const pull = openSelfPull(answers, row[candidate] ?? 0.5);
      if (Math.abs(pull) < 1e-9) return 0.5;
      return pull > 0 ? 1 : 0;
    });
  }

  #limitOf(agents: number, teaching: CandidateCohort['teaching']): CohortLimit {
    const key = `${teaching} ${agents}`;
    const known = this.#limits.get(key);
    if (known !== undefined) return known;
    const limit = new CohortLimit({ ...this.#rules, agents, teaching });
    this.#limits.set(key, limit);
    return limit;
  }
}
