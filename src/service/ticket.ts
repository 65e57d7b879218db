import { randomUUID } from 'node:crypto';
import { detach } from '../answers/detach.ts';
import type { ArrivalOutcome } from '../domain/arrival.ts';
import type { Refused, SubmittedGroup } from '../store/store.ts';
import type { Prepared } from './prepare-groups.ts';
import type { Ticket, TicketGroup } from './submission.ts';

/**
 * Names the connection that waits, and a submission that came without an id. Joined, since every rollout
 * that it holds keeps it: V8 keeps what `randomUUID` returns as 13 strings to be joined, ten times the memory.
 */
export function makeHolder(): string {
  return detach(randomUUID());
}

/** Where the groups of a submission went, in the order sent. Every outcome must be `stored`. */
export function toTicketGroups(
  groups: Prepared['groups'],
  outcomes: readonly (ArrivalOutcome | Refused)[],
): TicketGroup[] {
  return groups.map((group) => {
    if (group.kind === 'done') return group;
    const outcome = outcomes[group.arrival];
    if (outcome?.kind !== 'stored') throw new Error(`Arrival ${group.arrival} was not stored.`);
    const { promptId, round } = outcome.bucket;
    return {
      kind: 'stored',
      group: {
        promptId,
        round,
        rolloutIds: outcome.slots.map(({ id }) => id),
        // One submission speaks for one incarnation.
        incarnation: outcome.slots[0]?.incarnation ?? null,
      },
    };
  });
}

/** The groups of a ticket that lie in buckets, in the order sent. */
export function storedGroups({ groups }: Pick<Ticket, 'groups'>): SubmittedGroup[] {
  return groups.flatMap((group) => (group.kind === 'stored' ? [group.group] : []));
}

/** Whether rollouts of the group came without id. No client's id starts like those that the server gives. */
export function hasServerIds({ rolloutIds }: SubmittedGroup): boolean {
  return rolloutIds.some((id) => id.startsWith('~'));
}

/** The prompts whose decisions concern a ticket. */
export function promptIdsOf(ticket: Pick<Ticket, 'groups'>): Set<string> {
  return new Set(storedGroups(ticket).map(({ promptId }) => promptId));
}
