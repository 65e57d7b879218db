import type { PeerTeaching } from './course-table.ts';

/** A cohort that candidates could make, as places in their list. */
export interface CandidateCohort {
  /** In ring order. */
  readonly members: readonly number[];
  readonly teaching: PeerTeaching;
}

export interface Candidates {
  readonly cohorts: readonly CandidateCohort[];
  /** Agents of the largest cohorts that were made. */
  readonly largest: number;
}

/** How many agents a cohort may have. */
export interface Sizes {
  readonly smallest: number;
  readonly largest: number;
}

/**
 * All rings of `smallest` (at least 2) to `largest` of `count` candidates, in both directions, and with three or more also their peer-majority
 * and pooled cohorts. A ring is named once: it starts with its first candidate, and of an order and its reverse one is
 * the `successor` ring of the other. A size whose cohorts would bring the number above `most` is left out, with all larger.
 */
export function candidateCohorts(count: number, { smallest, largest }: Sizes, most: number): Candidates {
  const cohorts: CandidateCohort[] = [];
  for (let size = smallest; size <= Math.min(count, largest); size++) {
    if (cohorts.length + numberOf(count, size) > most) return { cohorts, largest: size - 1 };
    for (const members of subsets(count, size)) {
      const [first = 0, ...rest] = members;
      for (const order of orders(rest)) {
        // Of an order and its reverse, which is the ring the other way round.
        if (size > 2 && (order[0] ?? 0) > (order.at(-1) ?? 0)) continue;
        cohorts.push({ members: [first, ...order], teaching: 'predecessor' });
        if (size > 2) cohorts.push({ members: [first, ...order], teaching: 'successor' });
      }
      if (size > 2) {
        cohorts.push({ members, teaching: 'peer-majority' }, { members, teaching: 'pooled' });
      }
    }
  }
  return { cohorts, largest: Math.min(count, largest) };
}

function numberOf(count: number, size: number): number {
  let choices = 1;
  for (let at = 1; at <= size; at++) choices = (choices * (count + 1 - at)) / at;
  let rings = 1;
  for (let at = 2; at < size; at++) rings *= at;
  return choices * (rings + (size > 2 ? 2 : 0));
}

function* subsets(count: number, size: number, from = 0): Generator<readonly number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let first = from; first <= count - size; first++) {
    for (const rest of subsets(count, size - 1, first + 1)) yield [first, ...rest];
  }
}

function* orders(items: readonly number[]): Generator<readonly number[]> {
  if (items.length <= 1) {
    yield items;
    return;
  }
  for (const [at, item] of items.entries()) {
    for (const rest of orders(items.filter((_, other) => other !== at))) yield [item, ...rest];
  }
}
