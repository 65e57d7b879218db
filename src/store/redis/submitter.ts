import type { ArrivalContext, ArrivalOutcome, GroupArrival } from '../../domain/arrival.ts';
import { isOpen } from '../../domain/bucket.ts';
import type { AgentName } from '../../domain/cohort.ts';
import type { BucketRef, Refused } from '../store.ts';
import { closing } from './closing.ts';
import type { KnownCohort } from './known-cohort.ts';
import { finishedOf } from './speakers.ts';
import type { StoreParts } from './store-parts.ts';
import { ArrivalsChange, type Departed, groupByPrompt } from './take-arrivals.ts';

type Outcome = ArrivalOutcome | Refused;

const NOBODY: Departed = { origins: new Set(), answered: new Set() };

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
    gone: AbortSignal | null,
  ): Promise<readonly Outcome[]> {
    const { prompts, open, speakers, activity, origin } = this.#parts;
    const room = await open.room(known);
    const outcomes = new Array<Outcome>(arrivals.length);
    await Promise.all(
      [...groupByPrompt(arrivals)].map(async ([promptId, placed]) => {
        const taking = new ArrivalsChange(placed, context, { room, origin, gone });
        let isStored = false;
        try {
          let results = await prompts.change(known, promptId, taking.change);
          while (results === null) {
            const { suspects } = taking;
            taking.learn(await unlessGone(() => this.#findGone(suspects), gone, NOBODY));
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
      activity.record(known, context.agent.name, { refs, rollouts, sent: context }),
    ]);
    if (now === null) return outcomes;
    const left = [...finishedOf(now)].filter((agent) => !context.finished.has(agent));
    return left.length === 0 ? outcomes : this.#closeLeft(known, outcomes, left);
  }

  /** Those of these replicas that are gone; the others have given back by then what their connections left behind. */
  async #findGone(suspects: readonly string[]): Promise<Departed> {
    const { presence, inquiries, receipts } = this.#parts;
    const away = await presence.findGone(suspects);
    const silent = await inquiries.ask(suspects.filter((origin) => !away.has(origin)));
    const origins = silent.length === 0 ? away : new Set([...away, ...(await presence.findGone(silent))]);
    return { origins, answered: await receipts.read(origins) };
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

/** What work gives, or `otherwise` as soon as the caller leaves: two who left must not wait for each other. */
async function unlessGone<T>(work: () => Promise<T>, gone: AbortSignal | null, otherwise: T): Promise<T> {
  if (gone === null) return work();
  if (gone.aborted) return otherwise;
  const over = new AbortController();
  const leaves = new Promise<T>((resolve) => {
    gone.addEventListener('abort', () => resolve(otherwise), { signal: over.signal });
  });
  return Promise.race([work(), leaves]).finally(() => over.abort());
}

function isOpenIn({ bucket }: Extract<Outcome, { readonly kind: 'stored' }>, agent: AgentName): boolean {
  return bucket.groups.get(agent)?.state === 'open';
}
