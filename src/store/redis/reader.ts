import { type Bucket, isOpen } from '../../domain/bucket.ts';
import type { Cohort } from '../../domain/cohort.ts';
import { isUnreadable } from '../../domain/errors.ts';
import type { AgentActivity, BucketRef } from '../store.ts';
import { arrivalsOf } from './activity.ts';
import type { KnownCohort } from './known-cohort.ts';
import { incarnationOf } from './speakers.ts';
import type { StoreParts } from './store-parts.ts';

/** Reads what is there, without changing anything. */
export class Reader {
  readonly #parts: StoreParts;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  async buckets(known: KnownCohort, refs: readonly BucketRef[]): Promise<readonly (Bucket | null)[]> {
    return Promise.all(
      refs.map(async ({ promptId, round }) => {
        const kept = await this.#parts.prompts.read(known, promptId);
        return kept?.state.rounds.get(round) ?? null;
      }),
    );
  }

  /** Oldest first, at most `limit`. */
  async openBuckets(known: KnownCohort, limit: number): Promise<readonly Bucket[]> {
    const refs = await this.#parts.open.list(known, limit);
    const buckets = await Promise.all(refs.map((ref) => this.#bucketOrNothing(known, ref)));
    // One may have been decided since it was listed.
    return buckets.flatMap((bucket) => (bucket !== null && isOpen(bucket) ? [bucket] : []));
  }

  /** A view of all prompts need not fail for one of another version. */
  async #bucketOrNothing(known: KnownCohort, ref: BucketRef): Promise<Bucket | null> {
    try {
      const [bucket = null] = await this.buckets(known, [ref]);
      return bucket;
    } catch (error) {
      if (isUnreadable(error)) return null;
      throw error;
    }
  }

  /** Ascending by round. */
  async prompt(known: KnownCohort, promptId: string): Promise<readonly Bucket[]> {
    const kept = await this.#parts.prompts.read(known, promptId);
    return [...(kept?.state.rounds.values() ?? [])].sort((a, b) => a.round - b.round);
  }

  /** One entry per agent of `cohort`, in its order; `known` null: nobody ever spoke. */
  async activity(known: KnownCohort | null, cohort: Cohort): Promise<readonly AgentActivity[]> {
    const { speakers, activity } = this.#parts;
    const [speaking, arrivals] =
      known === null ? [null, null] : await Promise.all([speakers.read(known), activity.read(known)]);
    return cohort.agents.map((agent) => ({
      agent: agent.name,
      incarnation: speaking === null ? null : incarnationOf(speaking, agent.name),
      finished: speaking?.get(agent.name)?.finished ?? false,
      ...arrivalsOf(arrivals, agent),
    }));
  }
}
