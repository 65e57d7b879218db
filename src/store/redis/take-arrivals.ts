import {
  type ArrivalContext,
  type ArrivalOutcome,
  type GroupArrival,
  isAnonymous,
} from '../../domain/arrival.ts';
import { isOpen } from '../../domain/bucket.ts';
import { CallVisits } from '../../domain/call-visits.ts';
import { holderAt } from '../../domain/find-stored.ts';
import { answerHolder, releaseHolder } from '../../domain/hold.ts';
import { type KeptPrompt, touchRound } from '../../domain/kept-prompt.ts';
import { emptyPrompt } from '../../domain/prompt-state.ts';
import { receive } from '../../domain/receive.ts';
import type { BucketRef, Refused } from '../store.ts';
import type { Room } from './open-buckets.ts';
import { originOf } from './presence.ts';
import type { Change } from './prompts.ts';

/** An arrival, and its place in the call that it came with. */
export interface PlacedArrival {
  readonly arrival: GroupArrival;
  readonly place: number;
}

/** Arrivals by prompt, in their order. */
export function groupByPrompt(
  arrivals: readonly GroupArrival[],
): ReadonlyMap<string, readonly PlacedArrival[]> {
  const groups = new Map<string, PlacedArrival[]>();
  arrivals.forEach((arrival, place) => {
    const group = groups.get(arrival.promptId);
    if (group === undefined) groups.set(arrival.promptId, [{ arrival, place }]);
    else group.push({ arrival, place });
  });
  return groups;
}

/** Replicas that are gone: what they held can be taken up again, but for connections that were answered. */
export interface Departed {
  readonly origins: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
}

export interface Around {
  readonly room: Room;
  /** Names this replica. */
  readonly origin: string;
  /** Aborts when the caller leaves. */
  readonly gone: AbortSignal | null;
}

/** Takes the arrivals of one call for one prompt; outcomes in their order. Places in `room` are settled by the caller. */
export class ArrivalsChange {
  readonly #placed: readonly PlacedArrival[];
  readonly #context: ArrivalContext;
  readonly #room: Room;
  readonly #caller: AbortSignal | null;
  /** Replicas that are known to live, or to be gone, as far as this change needs to know. */
  readonly #alive: Set<string>;
  readonly #gone = new Set<string>();
  /** Connections of the gone ones whose reply was written all the same. */
  readonly #answered = new Set<string>();
  /** Replicas that it needs to know of: they hold texts that have come again. */
  #suspects: readonly string[] = [];
  /** Places taken less those given back. */
  #taken = 0;

  constructor(placed: readonly PlacedArrival[], context: ArrivalContext, { room, origin, gone }: Around) {
    this.#alive = new Set([origin]);
    this.#placed = placed;
    this.#context = context;
    this.#room = room;
    this.#caller = gone;
  }

  get suspects(): readonly string[] {
    return this.#suspects;
  }

  /** What became of {@link suspects}: those that are not gone live, and hold what they hold. */
  learn({ origins, answered }: Departed): void {
    for (const origin of this.#suspects) (origins.has(origin) ? this.#gone : this.#alive).add(origin);
    for (const connection of answered) this.#answered.add(connection);
  }

  /** Null: nothing was done, since it has to be known first which of {@link suspects} live. */
  readonly change: Change<readonly (ArrivalOutcome | Refused)[] | null> = (kept, now) => {
    this.settle(false);
    this.#suspects = this.#findSuspects(kept);
    if (this.#suspects.length > 0) return { kept, decided: [], result: null };
    let next = this.#releaseGone(kept, now);
    const decided: BucketRef[] = [];
    const visits = new CallVisits(
      this.#placed.map(({ arrival }) => arrival),
      this.#context.agent.k,
    );
    const result = this.#placed.map(({ arrival, place }): ArrivalOutcome | Refused => {
      const sent = visits.of(arrival);
      // Its retry may have been stored meanwhile, and even be answered: stored after it, it would be another vote.
      if (this.#caller?.aborted && isAnonymous(arrival)) return { kind: 'left' };
      const before = next?.state ?? emptyPrompt(arrival.promptId);
      const context = { ...this.#context, holder: holderAt(this.#context.holder, place) };
      const { prompt, outcome } = receive(before, sent, context, now);
      if (outcome.kind !== 'stored') return outcome;
      const { bucket } = outcome;
      const known = before.rounds.get(bucket.round);
      const wasOpen = known !== undefined && isOpen(known);
      if (isOpen(bucket) && !wasOpen) {
        if (!this.#room.take()) return { kind: 'full', limit: this.#room.limit };
        this.#taken++;
      } else if (wasOpen && !isOpen(bucket)) {
        this.#room.giveBack();
        this.#taken--;
      }
      visits.note(arrival, outcome);
      next = touchRound(next, prompt, bucket.round, now);
      if (outcome.decided.length > 0) decided.push({ promptId: bucket.promptId, round: bucket.round });
      return outcome;
    });
    return { kept: next, decided, result };
  };

  /** Other replicas that hold a text which has come again without an id: a retry, if they or its connection are gone. */
  #findSuspects(kept: KeptPrompt | null): readonly string[] {
    const digests = new Set(
      this.#placed.flatMap(({ arrival }) =>
        arrival.rollouts.flatMap(({ id, digest }) => (id === null ? [digest] : [])),
      ),
    );
    // Of one who left nothing without an id is stored.
    if (digests.size === 0 || this.#caller?.aborted) return [];
    const origins = new Set<string>();
    for (const { holder, digest } of this.#heldRollouts(kept)) {
      const origin = holder === null ? null : originOf(holder);
      if (origin === null || this.#alive.has(origin) || this.#gone.has(origin)) continue;
      if (digests.has(digest)) origins.add(origin);
    }
    return [...origins];
  }

  #releaseGone(kept: KeptPrompt | null, now: number): KeptPrompt | null {
    if (this.#gone.size === 0) return kept;
    let next = kept;
    for (const { holder } of this.#heldRollouts(kept)) {
      if (next === null || holder === null || !this.#gone.has(originOf(holder) ?? '')) continue;
      const connection = holder.slice(0, holder.lastIndexOf('/'));
      for (const round of next.state.rounds.keys()) {
        const end = this.#answered.has(connection) ? answerHolder : releaseHolder;
        const state = end(next.state, round, this.#context.agent.name, connection);
        if (state !== next.state) next = touchRound(next, state, round, now);
      }
    }
    return next;
  }

  #heldRollouts(kept: KeptPrompt | null) {
    const buckets = [...(kept?.state.rounds.values() ?? [])];
    return buckets.flatMap(({ groups }) => groups.get(this.#context.agent.name)?.rollouts ?? []);
  }

  /** What the last run took is used now, or free again. */
  settle(used: boolean): void {
    this.#room.settle(this.#taken, used);
    this.#taken = 0;
  }
}
