import type { Store } from '../store/store.ts';
import { readiness, scoreGroup } from './judge-groups.ts';
import { unknownSubmission } from './refusals.ts';
import type { SubmissionResult, Ticket, WaitingFor } from './submission.ts';
import { storedGroups } from './ticket.ts';

/** Entries of `waitingFor` in an answer; a big batch may wait for thousands. */
const WAITING_FOR_SHOWN = 100;

/**
 * What is known of a ticket at `now`: all its rewards, or whom it waits for. Throws `unknown_submission` when
 * one of its buckets is gone.
 */
export async function lookUp(store: Store, ticket: Ticket, now: number): Promise<SubmissionResult> {
  const { cohort, agent, submissionId } = ticket;
  const buckets = await store.readBuckets(cohort.name, storedGroups(ticket));
  const waitingFor: WaitingFor[] = [];
  for (const bucket of buckets) {
    if (bucket === null) throw unknownSubmission(submissionId);
    const ready = readiness(cohort, agent, bucket);
    if (ready.kind === 'waiting') waitingFor.push(...ready.waitingFor);
  }
  if (waitingFor.length > 0) {
    return {
      kind: 'pending',
      submissionId,
      waitingFor: waitingFor.slice(0, WAITING_FOR_SHOWN),
      waitingForTotal: waitingFor.length,
      crowded: false,
    };
  }
  let next = 0;
  const groups = ticket.groups.map((group) => {
    if (group.kind === 'done') return group.result;
    const bucket = buckets[next++];
    const result = bucket == null ? null : scoreGroup(cohort, agent, bucket, group.group);
    if (result === null) throw unknownSubmission(submissionId);
    return result;
  });
  return { kind: 'decided', submissionId, groups, waitedMs: now - ticket.recordedAt };
}
