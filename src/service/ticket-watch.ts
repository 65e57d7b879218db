import type { Bucket } from '../domain/bucket.ts';
import type { AgentName } from '../domain/cohort.ts';
import type { Store, SubmittedGroup } from '../store/store.ts';
import { readiness, scoreGroup } from './judge-groups.ts';
import { unknownSubmission } from './refusals.ts';
import type { SubmissionResult, Ticket, WaitingFor } from './submission.ts';
import { storedGroups } from './ticket.ts';

/** Entries of `waitingFor` in an answer; a big batch may wait for thousands. */
const WAITING_FOR_SHOWN = 100;

/**
 * Looks after one ticket while it waits. Only what may have changed is read again, and everything once nothing is
 * waited for any more. What the store has lost is stored again by `repeat`, if the ticket can be repeated.
 */
export class TicketWatch {
  readonly #store: Store;
  readonly #repeat: (ticket: Ticket) => Promise<Ticket>;
  #ticket: Ticket;
  #groups: readonly SubmittedGroup[];
  /** By place among the stored groups: whom the group waits for, as of the last look at it. */
  readonly #waiting = new Map<number, readonly WaitingFor[]>();

  constructor(store: Store, ticket: Ticket, repeat: (ticket: Ticket) => Promise<Ticket>) {
    this.#store = store;
    this.#repeat = repeat;
    this.#ticket = ticket;
    this.#groups = storedGroups(ticket);
    for (const place of this.#groups.keys()) this.#waiting.set(place, []);
  }

  /**
   * What is known at `now`: all rewards, or whom the ticket waits for. `dirty`: the prompts that may have changed since
   * the last look, null for any. Throws `unknown_submission` when a bucket is gone for good.
   */
  async look(dirty: ReadonlySet<string> | null, now: number): Promise<SubmissionResult> {
    const places = [...this.#waiting.keys()].filter((place) => {
      const promptId = this.#groups[place]?.promptId;
      return dirty === null || (promptId !== undefined && dirty.has(promptId));
    });
    await this.#readAgain(places);
    if (this.#waiting.size > 0) return this.pending();
    // A teacher that restarted may have opened its group again meanwhile.
    const buckets = await this.#readAgain([...this.#groups.keys()]);
    return this.#waiting.size > 0 ? this.pending() : this.#score(buckets, now);
  }

  /** Whom the ticket waits for, as of the last look. */
  pending(): Extract<SubmissionResult, { readonly kind: 'pending' }> {
    const waitingFor = [...this.#waiting.values()].flat();
    return {
      kind: 'pending',
      submissionId: this.#ticket.submissionId,
      waitingFor: waitingFor.slice(0, WAITING_FOR_SHOWN),
      waitingForTotal: waitingFor.length,
      crowded: false,
    };
  }

  /** Buckets at these places of the stored groups. */
  async #readAgain(places: readonly number[]): Promise<readonly Bucket[]> {
    let buckets = await this.#read(places);
    if (places.some((place, at) => this.#isLost(place, buckets[at] ?? null))) {
      this.#ticket = await this.#repeat(this.#ticket);
      this.#groups = storedGroups(this.#ticket);
      buckets = await this.#read(places);
    }
    return places.map((place, at) => {
      const bucket = buckets[at];
      if (bucket == null) throw unknownSubmission(this.#ticket.submissionId);
      const ready = readiness(bucket, this.#ticket);
      if (ready.kind === 'waiting') this.#waiting.set(place, ready.waitingFor);
      else this.#waiting.delete(place);
      return bucket;
    });
  }

  #read(places: readonly number[]): Promise<readonly (Bucket | null)[]> {
    const refs = places.flatMap((place) => this.#groups[place] ?? []);
    return this.#store.readBuckets(this.#ticket.cohort.name, refs);
  }

  #isLost(place: number, bucket: Bucket | null): boolean {
    const group = this.#groups[place];
    if (this.#ticket.repeat === null || group === undefined) return false;
    return bucket === null || lacksRollouts(bucket, this.#ticket.agent.name, group);
  }

  #score(buckets: readonly Bucket[], now: number): SubmissionResult {
    const { submissionId, recordedAt } = this.#ticket;
    let next = 0;
    const groups = this.#ticket.groups.map((group) => {
      if (group.kind === 'done') return group.result;
      const stored = this.#groups[next];
      const bucket = buckets[next++];
      const result =
        bucket === undefined || stored === undefined ? null : scoreGroup(bucket, this.#ticket, stored);
      if (result === null) throw unknownSubmission(submissionId);
      return result;
    });
    return { kind: 'decided', submissionId, groups, waitedMs: now - recordedAt };
  }
}

/** Whether rollouts that were stored are gone, other than by a restart of their trainer, whose new ones replace them. */
function lacksRollouts(bucket: Bucket, agent: AgentName, submitted: SubmittedGroup): boolean {
  const own = bucket.groups.get(agent);
  if (own === undefined) return true;
  const known = new Set(own.rollouts.map(({ id, incarnation }) => `${incarnation ?? ''}\u0000${id}`));
  const { incarnation, rolloutIds } = submitted;
  if (rolloutIds.every((id) => known.has(`${incarnation ?? ''}\u0000${id}`))) return false;
  return own.rollouts.length === 0 || own.incarnation === incarnation;
}
