import type { ArrivalOutcome } from '../domain/arrival.ts';
import { votersOf } from '../domain/bucket.ts';
import type { Clock } from '../domain/clock.ts';
import { hashKey } from '../domain/hash.ts';
import type { Sample } from '../domain/sample.ts';
import type { Refused, Store } from '../store/store.ts';
import { makeSample, problemOf } from './make-sample.ts';
import type { Prepared } from './prepare-groups.ts';
import type { GroupInput } from './submission.ts';
import type { Logger } from './telemetry.ts';
import { WriteBehind } from './write-behind.ts';

export interface SampleLogParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

const FLUSH_EVERY_MS = 1_000;
/** Prompts of one agent that are written at a time: what a busy run costs at most. */
const PROMPTS_AT_A_TIME = 16;
const PER_GROUP = 2;
/** Agents whose completions are gathered at a time. */
const MOST_AGENTS = 1_000;

type Stored = Extract<ArrivalOutcome, { kind: 'stored' }>;

interface Gathered {
  readonly cohort: string;
  /** By the hash of the prompt id, so that all agents keep the same prompts. */
  readonly prompts: Map<string, { readonly rank: number; readonly samples: Sample[] }>;
}

/**
 * Keeps completions for the inspector: the first two of a group, and when many prompts come at once those with the
 * lowest hash. Written behind everybody's back; what cannot be written is lost, and nobody waits for it.
 */
export class SampleLog {
  readonly #behind: WriteBehind;
  #waiting = new Map<string, Gathered>();

  constructor({ store, clock, logger }: SampleLogParts) {
    this.#behind = new WriteBehind({
      clock,
      logger,
      everyMs: FLUSH_EVERY_MS,
      failure: 'Completions could not be kept.',
      take: () => {
        const waiting = [...this.#waiting.values()];
        this.#waiting = new Map();
        return waiting.flatMap(({ cohort, prompts }) => {
          const samples = [...prompts.values()].flatMap((prompt) => prompt.samples);
          return samples.length === 0 ? [] : [{ cohort, run: () => store.samples.add(cohort, samples) }];
        });
      },
    });
  }

  /** Takes what is kept of the groups that were just stored, out of those that were sent. */
  take(
    from: { readonly cohort: string; readonly agent: string },
    sent: readonly GroupInput[],
    { groups }: Pick<Prepared, 'groups'>,
    outcomes: readonly (ArrivalOutcome | Refused)[],
  ): void {
    for (const [position, input] of sent.entries()) {
      const group = groups[position];
      const outcome = group?.kind === 'arrival' ? outcomes[group.arrival] : undefined;
      if (outcome?.kind === 'stored') this.#add(from, input, outcome);
    }
  }

  #add(
    { cohort, agent }: { readonly cohort: string; readonly agent: string },
    sent: GroupInput,
    { bucket, slots, added }: Stored,
  ): void {
    if (added === 0) return;
    const { promptId, round } = bucket;
    const gathered = this.#of(cohort, agent);
    const rank = hashKey(promptId);
    if (gathered === null || !hasRoom(gathered, promptId, rank)) return;
    const group = bucket.groups.get(agent);
    const first = new Set(group === undefined ? [] : votersOf(group).slice(0, PER_GROUP));
    const problem = problemOf(sent);
    const samples = [...first].flatMap((rollout): Sample[] => {
      const { id: rolloutId, incarnation, answer, key } = rollout;
      const place = slots.findIndex((slot) => slot.id === rolloutId && slot.incarnation === incarnation);
      const input = sent.rollouts[place];
      if (input === undefined) return [];
      const sample = makeSample({ promptId, round, agent, rolloutId, incarnation, answer, key }, input);
      return sample === null ? [] : [problem === undefined ? sample : { ...sample, problem }];
    });
    if (samples.length === 0) return;
    const known = gathered.prompts.get(promptId);
    if (known === undefined) gathered.prompts.set(promptId, { rank, samples });
    else if (known.samples.length < 2 * PER_GROUP) known.samples.push(...samples);
    if (gathered.prompts.size > PROMPTS_AT_A_TIME) dropHighest(gathered);
    this.#behind.wake();
  }

  /** Writes what was gathered so far; resolves once that was tried. */
  flush(): Promise<void> {
    return this.#behind.flush();
  }

  #of(cohort: string, agent: string): Gathered | null {
    const name = JSON.stringify([cohort, agent]);
    const known = this.#waiting.get(name);
    if (known !== undefined) return known;
    if (this.#waiting.size >= MOST_AGENTS) return null;
    const made: Gathered = { cohort, prompts: new Map() };
    this.#waiting.set(name, made);
    return made;
  }
}

function hasRoom({ prompts }: Gathered, promptId: string, rank: number): boolean {
  if (prompts.size < PROMPTS_AT_A_TIME || prompts.has(promptId)) return true;
  return [...prompts.values()].some((other) => other.rank > rank);
}

function dropHighest({ prompts }: Gathered): void {
  const [highest] = [...prompts].sort(([, a], [, b]) => b.rank - a.rank);
  if (highest !== undefined) prompts.delete(highest[0]);
}
