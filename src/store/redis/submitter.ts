import type { ArrivalContext, ArrivalOutcome, GroupArrival } from '../../domain/arrival.ts';
import { isOpen } from '../../domain/bucket.ts';
import type { AgentName } from '../../domain/cohort.ts';
import type { BucketRef, Refused } from '../store.ts';
import { closing } from './closing.ts';
import type { KnownCohort } from './known-cohort.ts';
import { finishedOf } from './speakers.ts';
import type { StoreParts } from './store-parts.ts';
import { ArrivalsChange, groupByPrompt } from './take-arrivals.ts';

type Outcome = ArrivalOutcome | Refused;

/** Takes submissions: prompts in one go, then what is known of the agent. */
export class Submitter {
  readonly #parts: StoreParts;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  async submit(
    known: KnownCohort,
    context: ArrivalContext,
    arrivals: readonly GroupArrival[],
  ): Promise<readonly Outcome[]> {
    const { prompts, open, speakers, activity, presence, origin } = this.#parts;
    const room = await open.room(known);
    const outcomes = new Array<Outcome>(arrivals.length);
    await Promise.all(
      [...groupByPrompt(arrivals)].map(async ([promptId, placed]) => {
        const taking = new ArrivalsChange(placed, context, room, origin);
        let isStored = false;
        try {
          let results = await prompts.change(known, promptId, taking.change);
          while (results === null) {
            taking.learn(await presence.findGone(taking.suspects));
            results = await prompts.change(known, promptId, taking.change);
          }
          isStored = true;
          results.forEach((outcome, at) => {
            outcomes[placed[at]?.place ?? 0] = outcome;
          });
        } finally {
          taking.settle(isStored);
        }
      }),
    );
    const stored = outcomes.flatMap((outcome) => (outcome.kind === 'stored' ? [outcome] : []));
    if (stored.length === 0) return outcomes;
    const refs = stored.map(({ bucket }) => bucket);
    const rollouts = stored.reduce((sum, { added }) => sum + added, 0);
    // Who left meanwhile matters only where a group of somebody is open.
    const [now] = await Promise.all([
      refs.some(isOpen) ? speakers.read(known) : null,
      activity.record(known, context.agent.name, { refs, rollouts }),
    ]);
    if (now === null) return outcomes;
    const left = [...finishedOf(now)].filter((agent) => !context.finished.has(agent));
    return left.length === 0 ? outcomes : this.#closeLeft(known, outcomes, left);
  }

  /** Groups of agents that left while this was stored, and so may not have seen that it opened them. */
  async #closeLeft(
    known: KnownCohort,
    outcomes: readonly Outcome[],
    left: readonly AgentName[],
  ): Promise<readonly Outcome[]> {
    return Promise.all(
      outcomes.map(async (outcome) => {
        let current = outcome;
        for (const agent of left) {
          if (current.kind !== 'stored' || !isOpenIn(current, agent)) continue;
          const { promptId, round }: BucketRef = current.bucket;
          const decision = await this.#parts.prompts.change(known, promptId, closing(round, agent, 'finish'));
          if (decision === null) continue;
          current = {
            ...current,
            bucket: decision.bucket,
            decided: [...current.decided, ...decision.decided],
          };
        }
        return current;
      }),
    );
  }
}

function isOpenIn({ bucket }: Extract<Outcome, { readonly kind: 'stored' }>, agent: AgentName): boolean {
  return bucket.groups.get(agent)?.state === 'open';
}
