import type { Bucket } from '../domain/bucket.ts';
import type { Clock } from '../domain/clock.ts';
import type { AgentName, Cohort } from '../domain/cohort.ts';
import { ServiceError } from '../domain/errors.ts';
import type { PlanRecord } from '../domain/plan.ts';
import { seesOthers } from '../domain/reveal.ts';
import type { Sample } from '../domain/sample.ts';
import type { Wait } from '../domain/verdict/evidence.ts';
import type { Vote } from '../domain/vote.ts';
import { voteOf } from '../methods/ballots.ts';
import { isLabelRight } from '../methods/bucket-truth.ts';
import type { Judgement } from '../methods/method.ts';
import { methodOf } from '../methods/registry.ts';
import type { AgentActivity, Store } from '../store/store.ts';
import type { Cohorts } from './cohorts.ts';
import { judgeGroup } from './judge-groups.ts';
import { latestOf, type MarkedPrompt, markPrompt } from './mark-prompt.ts';
import type { Planner } from './planner.ts';
import { findWaits } from './waits.ts';

export interface ExplainedRound {
  /** Who asks and may not see the others' answers in it yet; null: all is shown. */
  readonly veiledFor: AgentName | null;
  readonly bucket: Bucket;
  readonly explained: readonly {
    readonly agent: string;
    readonly vote: Vote;
    readonly judgement: Judgement | null;
    /** Whether the vote's label, and the label that it is rewarded against, equal the ground truth; null without either. */
    readonly ownLabelCorrect: boolean | null;
    readonly labelCorrect: boolean | null;
  }[];
}

export interface LiveState {
  readonly now: number;
  readonly openBuckets: number;
  readonly activity: readonly AgentActivity[];
  readonly waits: readonly Wait[];
  /** Whose groups each agent waits for in buckets that begin now. */
  readonly teachers: ReadonlyMap<AgentName, readonly AgentName[]>;
  readonly plan: PlanRecord | null;
}

/** Open buckets that the waits are read from. */
const SEEN_BUCKETS = 5_000;

/** Read-only views for people: what is going on, and why a reward was what it was. */
export class Inspector {
  readonly #store: Store;
  readonly #cohorts: Cohorts;
  readonly #clock: Clock;
  readonly #planner: Planner;

  constructor(store: Store, cohorts: Cohorts, clock: Clock, planner: Planner) {
    this.#store = store;
    this.#cohorts = cohorts;
    this.#clock = clock;
    this.#planner = planner;
  }

  async live(cohort: Cohort): Promise<LiveState> {
    const [openBuckets, activity, buckets, plan] = await Promise.all([
      this.#store.countOpenBuckets(cohort.name),
      this.#store.readActivity(cohort),
      this.#store.listOpenBuckets(cohort.name, SEEN_BUCKETS),
      this.#planner.shown(cohort),
    ]);
    const { waitsFor } = methodOf(cohort.method);
    const left = new Set(activity.flatMap(({ agent, finished }) => (finished ? [agent] : [])));
    const teachers = new Map(cohort.agents.map((agent) => [agent.name, waitsFor(cohort, agent, plan, left)]));
    return {
      now: this.#clock.now(),
      openBuckets,
      activity,
      teachers,
      waits: findWaits(cohort, buckets),
      plan,
    };
  }

  async open(cohortName: string, limit: number): Promise<{ total: number; buckets: readonly Bucket[] }> {
    const { name } = await this.#cohorts.get(cohortName);
    const [total, buckets] = await Promise.all([
      this.#store.countOpenBuckets(name),
      this.#store.listOpenBuckets(name, limit),
    ]);
    return { total, buckets };
  }

  /**
   * The prompts that came last, the latest first, with what each is worth a look for; at most as many as are remembered of
   * every agent together. As the agent `viewer` may see them; null: as anybody else. Throws `unknown_cohort`.
   */
  async recent(cohortName: string, viewer: AgentName | null = null): Promise<readonly MarkedPrompt[]> {
    const cohort = await this.#cohorts.get(cohortName);
    const refs = latestOf(await this.#store.readActivity(cohort));
    const buckets = await this.#store.readBuckets(cohort.name, refs);
    return buckets.flatMap((bucket) => {
      if (bucket === null || (viewer !== null && !seesOthers(bucket.settings, bucket.groups.get(viewer))))
        return [];
      return [markPrompt(cohort, bucket)];
    });
  }

  /** Completions that were kept, by agent, the latest last. Throws `unknown_cohort`. */
  async samples(cohortName: string): Promise<readonly Sample[]> {
    const { name } = await this.#cohorts.get(cohortName);
    return this.#store.samples.read(name);
  }

  /** Every round kept of a prompt, ascending, as the agent `viewer` may see it; null: as anybody else. Throws `unknown_bucket`. */
  async explain(
    cohortName: string,
    promptId: string,
    viewer: AgentName | null = null,
  ): Promise<readonly ExplainedRound[]> {
    const cohort = await this.#cohorts.get(cohortName);
    const buckets = await this.#store.readPrompt(cohort.name, promptId);
    if (buckets.length === 0) {
      throw new ServiceError(
        'unknown_bucket',
        `Cohort "${cohort.name}" holds nothing of prompt "${promptId}": it never came, or its retention is over.`,
      );
    }
    const isVeiled = (bucket: Bucket) =>
      viewer !== null && !seesOthers(bucket.settings, bucket.groups.get(viewer));
    return buckets.map((bucket) => ({
      bucket,
      veiledFor: isVeiled(bucket) ? viewer : null,
      explained: cohort.agents.flatMap((agent) => {
        const group = bucket.groups.get(agent.name);
        if (group === undefined) return [];
        const vote = voteOf(group, bucket.settings, bucket);
        const judgement = judgeGroup(bucket, { cohort, agent });
        const ownLabelCorrect = isLabelRight(vote.label, bucket);
        const labelCorrect = isLabelRight(judgement?.label ?? null, bucket);
        return [{ agent: agent.name, vote, judgement, ownLabelCorrect, labelCorrect }];
      }),
    }));
  }
}
