import type { ArrivalContext, ArrivalOutcome, GroupArrival } from '../../domain/arrival.ts';
import { isOpen } from '../../domain/bucket.ts';
import { holderAt } from '../../domain/find-stored.ts';
import { type KeptPrompt, touchRound } from '../../domain/kept-prompt.ts';
import { emptyPrompt } from '../../domain/prompt-state.ts';
import { receive } from '../../domain/receive.ts';
import type { BucketRef, Refused } from '../store.ts';
import type { Room } from './open-buckets.ts';
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

/** Takes the arrivals of one call for one prompt; outcomes in their order. Places in `room` are settled by the caller. */
export class ArrivalsChange {
  readonly #placed: readonly PlacedArrival[];
  readonly #context: ArrivalContext;
  readonly #room: Room;
  /** Places taken less those given back. */
  #taken = 0;

  constructor(placed: readonly PlacedArrival[], context: ArrivalContext, room: Room) {
    this.#placed = placed;
    this.#context = context;
    this.#room = room;
  }

  readonly change: Change<readonly (ArrivalOutcome | Refused)[]> = (kept, now) => {
    this.settle(false);
    let next: KeptPrompt | null = kept;
    const decided: BucketRef[] = [];
    const result = this.#placed.map(({ arrival, place }): ArrivalOutcome | Refused => {
      const before = next?.state ?? emptyPrompt(arrival.promptId);
      const context = { ...this.#context, holder: holderAt(this.#context.holder, place) };
      const { prompt, outcome } = receive(before, arrival, context, now);
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
      next = touchRound(next, prompt, bucket.round, now);
      if (outcome.decided.length > 0) decided.push({ promptId: bucket.promptId, round: bucket.round });
      return outcome;
    });
    return { kept: next, decided, result };
  };

  /** What the last run took is used now, or free again. */
  settle(used: boolean): void {
    this.#room.settle(this.#taken, used);
    this.#taken = 0;
  }
}
