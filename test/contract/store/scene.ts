import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { ArrivalOutcome, GroupArrival, NewRollout } from '../../../src/domain/arrival.ts';
import type { Bucket, Group } from '../../../src/domain/bucket.ts';
import type { Decision, Skip } from '../../../src/domain/close.ts';
import type { AgentName, Cohort } from '../../../src/domain/cohort.ts';
import type { Plan } from '../../../src/domain/plan.ts';
import type { BucketRef, DueDecision, Notice, Refused, Store } from '../../../src/store/store.ts';
import { buildArrival, buildCohort, buildContext, type CohortOverrides } from '../../support/builders.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** Makes a fresh store. It may ignore the clock if its `advance` drives the store's own. */
export type CreateStore = (clock: FakeClock) => Promise<Store> | Store;

export interface StoreSetup {
  readonly createStore: CreateStore;
  /** Lets time pass on the store's clock, where that is not the one given to `createStore`. */
  readonly advance?: (ms: number) => Promise<void>;
}

export interface SendOptions extends Partial<Omit<GroupArrival, 'promptId' | 'rollouts'>> {
  readonly incarnation?: string | null;
  readonly step?: number | null;
  readonly holder?: string;
  readonly plan?: Plan | null;
  readonly paysByTruth?: boolean;
}

/** One cohort in a store, as a test sees it: through the port only. */
export class Scene {
  readonly store: Store;
  readonly cohort: Cohort;
  readonly #pass: (ms: number) => Promise<void>;
  readonly #notices: Notice[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(store: Store, cohort: Cohort, pass: (ms: number) => Promise<void>) {
    this.store = store;
    this.cohort = cohort;
    this.#pass = pass;
    store.subscribe((notice) => {
      this.#notices.push(notice);
      for (const listener of this.#listeners) listener();
    });
  }

  async sendAll(
    agent: AgentName,
    arrivals: readonly GroupArrival[],
    options: SendOptions = {},
  ): Promise<readonly (ArrivalOutcome | Refused)[]> {
    const { incarnation = null, step = null, holder = randomUUID(), plan = null } = options;
    const { paysByTruth = false } = options;
    const { finished: _, ...context } = buildContext(this.cohort, agent, {
      incarnation,
      step,
      holder,
      plan,
      paysByTruth: () => paysByTruth,
    });
    return this.store.submit(this.cohort, context, arrivals);
  }

  async send(
    agent: AgentName,
    promptId: string,
    rollouts: readonly NewRollout[],
    options: SendOptions = {},
  ): Promise<ArrivalOutcome | Refused> {
    const { round = null, truth = null, pausesMs } = options;
    const known = { round, truth, ...(pausesMs !== undefined && { pausesMs }) };
    const [outcome] = await this.sendAll(agent, [buildArrival(promptId, rollouts, known)], options);
    if (outcome === undefined) throw new Error('the store gave no outcome for an arrival');
    return outcome;
  }

  /** Sends rollouts that must be stored; tells the round they went to and the rest of the outcome. */
  async record(...args: Parameters<Scene['send']>): Promise<Stored & { readonly round: number }> {
    const outcome = await this.send(...args);
    if (outcome.kind !== 'stored') throw new Error(`expected "stored", got ${JSON.stringify(outcome)}`);
    return { ...outcome, round: outcome.bucket.round };
  }

  async skip(agent: AgentName, promptId: string, options: Partial<Skip> = {}): Promise<Skipped> {
    const [skipped] = await this.store.skip(this.cohort, agent, [
      { promptId, round: null, step: null, ...options },
    ]);
    if (skipped === undefined) throw new Error('the store gave no outcome for a skip');
    return skipped;
  }

  /** Lets time pass and closes what is due; tells what that decided in this cohort. */
  async advance(ms: number): Promise<readonly DueDecision[]> {
    await this.#pass(ms);
    const due = await this.store.closeDue();
    return due.filter(({ cohort }) => cohort === this.cohort.name);
  }

  async bucket(promptId: string, round = 0): Promise<Bucket | null> {
    const [bucket] = await this.store.readBuckets(this.cohort.name, [{ promptId, round }]);
    return bucket ?? null;
  }

  /** An agent's group, which must exist. */
  async group(agent: AgentName, promptId: string, round = 0): Promise<Group> {
    const group = (await this.bucket(promptId, round))?.groups.get(agent);
    if (group === undefined) throw new Error(`no group of "${agent}" for ${promptId}, round ${round}`);
    return group;
  }

  async release(agent: AgentName, holder: string, ...refs: readonly BucketRef[]): Promise<void> {
    await this.store.release(this.cohort.name, agent, holder, refs);
  }

  async answer(agent: AgentName, holder: string, ...refs: readonly BucketRef[]): Promise<void> {
    await this.store.answer(this.cohort.name, agent, holder, refs);
  }

  /** Resolves once such a notice has come; a store may deliver it later than the change. */
  async noticed(isWanted: (notice: Notice) => boolean): Promise<Notice> {
    return new Promise((resolve) => {
      const look = () => {
        const notice = this.#notices.find(isWanted);
        if (notice === undefined) return;
        this.#listeners.delete(look);
        resolve(notice);
      };
      this.#listeners.add(look);
      look();
    });
  }
}

type Stored = Extract<ArrivalOutcome, { readonly kind: 'stored' }>;

interface Skipped {
  readonly ref: BucketRef;
  readonly decision: Decision | null;
}

/** A store with one cohort, whose name no other test uses. The store is closed after the test. */
export async function openScene(setup: StoreSetup, overrides: CohortOverrides = {}): Promise<Scene> {
  const clock = new FakeClock();
  const store = await setup.createStore(clock);
  onTestFinished(() => store.close());
  const cohort = buildCohort({ ...overrides, name: overrides.name ?? `c-${randomUUID()}` });
  await store.putCohort(cohort);
  return new Scene(store, cohort, setup.advance ?? (async (ms) => clock.advance(ms)));
}
