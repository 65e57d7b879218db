import type { Cohort } from '../domain/cohort.ts';
import { countNoun } from '../domain/count-noun.ts';
import { ServiceError } from '../domain/errors.ts';
import { signalsOf } from '../domain/reward-rules.ts';
import type { Signals } from '../domain/signals.ts';
import { methodOf } from '../methods/registry.ts';
import { canBeGraded } from './check-submission.ts';
import { fieldsOf, readSignals, type SignalFault } from './read-signals.ts';
import type { GroupInput, RolloutInput, SubmissionInput } from './submission.ts';

/** Faults named in one error. */
const SHOWN = 20;

/** Refuses what comes over a protocol that has no place for what the method rewards by. Throws `invalid_signals`. */
export function checkProtocol(cohort: Cohort, { groups, carriesSignals = true }: SubmissionInput): void {
  const needs = [...methodOf(cohort.method).needs, ...signalsOf(cohort.reward)];
  if (carriesSignals || needs.length === 0 || groups.every(({ split }) => split === 'eval')) return;
  const fields = fieldsOf(needs);
  throw new ServiceError(
    'invalid_signals',
    `${nameRewards(cohort)} needs ${fields.join(' and ')} with every rollout, which the protocols of OpenRLHF, slime and ROLL have no place for. Send the rollouts to POST /v1/cohorts/{cohort}/agents/{agent}/rollouts, or choose rewards that are made from the text alone.`,
    { details: { fields } },
  );
}

/** What the cohort calls that which needs them. */
function nameRewards({ method, reward }: Cohort): string {
  return signalsOf(reward).length > 0 ? `Reward kind "${reward.kind}"` : `Method "${method}"`;
}

/** Reads the signals of a submission, rollout by rollout, and remembers what is wrong with them. */
export class SignalFaults {
  readonly #cohort: Cohort;
  readonly #shown: object[] = [];
  #first = '';
  #count = 0;

  constructor(cohort: Cohort) {
    this.#cohort = cohort;
  }

  /** The signals of one rollout; `place` is its place in the group as sent. */
  read(group: GroupInput, rollout: RolloutInput, place: number): Signals | null {
    const { signals, faults } = readSignals(rollout, this.#cohort, canBeGraded(group));
    for (const fault of faults) this.#add(fault, group.promptId, rollout.id ?? String(place));
    return signals;
  }

  /** Throws `invalid_signals` if anything is wrong. */
  check(): void {
    if (this.#count === 0) return;
    throw new ServiceError(
      'invalid_signals',
      `What these rollouts came with has ${countNoun(this.#count, 'fault')} for method "${this.#cohort.method}"; the first: ${this.#first}. Nothing of this submission is stored: put it right and send all of it again.`,
      { details: { count: this.#count, faults: this.#shown } },
    );
  }

  #add({ field, problem }: SignalFault, promptId: string, rollout: string): void {
    this.#count++;
    if (this.#first === '')
      this.#first = `${field} of rollout "${rollout}" of prompt "${promptId}" ${problem}`;
    if (this.#shown.length < SHOWN) this.#shown.push({ prompt_id: promptId, rollout, field, problem });
  }
}
