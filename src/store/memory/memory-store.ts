import { isDeepStrictEqual } from 'node:util';
import {
  type ArrivalContext,
  type ArrivalOutcome,
  type GroupArrival,
  isAnonymous,
} from '../../domain/arrival.ts';
import { type Bucket, isOpen } from '../../domain/bucket.ts';
import { CallVisits } from '../../domain/call-visits.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Decision, type Skip, skipPrompt } from '../../domain/close.ts';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { findAgent } from '../../domain/cohort.ts';
import type { StepIncrement } from '../../domain/diagnostics/tally.ts';
import { holderAt } from '../../domain/find-stored.ts';
import { answerHolder, holdRollouts, releaseHolder } from '../../domain/hold.ts';
import type { Manifest } from '../../domain/manifest.ts';
import { receive } from '../../domain/receive.ts';
import { NO_RECEIPTS } from '../receipts.ts';
import type {
  AgentActivity,
  BucketRef,
  CohortPut,
  DiagnosticsRead,
  DueDecision,
  HeldRef,
  Notice,
  Refused,
  Registration,
  StepRange,
  Store,
  SubmissionRecord,
  SubmittedGroup,
} from '../store.ts';
import { ActivityLog } from './activity-log.ts';
import type { CohortShelf } from './cohort-shelf.ts';
import { type Holding, logOf, openHolding } from './holding.ts';
import { MemoryPlans } from './plan-shelf.ts';
import { SampleShelf } from './sample-shelf.ts';

/**
 * The embedded store: all state in this process, gone with it. The reference for every other store, and
 * right for one replica. Each method does its work before it yields, so every change is atomic.
 */
export class MemoryStore implements Store {
  readonly kind = 'memory';
  readonly samples: SampleShelf;
  readonly receipts = NO_RECEIPTS;
  readonly plans = new MemoryPlans((cohort) => this.#cohorts.get(cohort));
  readonly #clock: Clock;
  readonly #cohorts = new Map<string, Holding>();
  readonly #listeners = new Set<(notice: Notice) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.samples = new SampleShelf(clock, (cohort) => this.#shelf(cohort));
  }

  async putCohort(cohort: Cohort): Promise<CohortPut> {
    const holding = this.#cohorts.get(cohort.name);
    if (holding === undefined) {
      this.#cohorts.set(cohort.name, openHolding({ ...cohort, edition: 0 }));
      return 'created';
    }
    const { edition } = holding.shelf.cohort;
    if (isDeepStrictEqual(holding.shelf.cohort, { ...cohort, edition })) return 'unchanged';
    if (holding.shelf.openBuckets > 0) return 'in-use';
    holding.shelf.cohort = { ...cohort, edition: edition + 1 };
    return 'replaced';
  }

  async getCohort(name: string): Promise<Cohort | null> {
    return this.#cohorts.get(name)?.shelf.cohort ?? null;
  }

  async listCohorts(): Promise<readonly Cohort[]> {
    const cohorts = [...this.#cohorts.values()].map(({ shelf }) => shelf.cohort);
    return cohorts.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async deleteCohort(name: string): Promise<boolean> {
    const existed = this.#cohorts.delete(name);
    if (existed) this.#notify({ kind: 'deleted', cohort: name });
    return existed;
  }

  async register(cohort: string, agent: AgentName, incarnation: string | null): Promise<Registration> {
    const holding = this.#cohorts.get(cohort);
    if (holding === undefined) return { kind: 'current' };
    const log = logOf(holding, agent);
    const registration = log.register(incarnation);
    // Who never named an incarnation cannot name a new one: that it speaks again is all there is to go by.
    if (registration.kind === 'new' || (incarnation === null && log.incarnation === null))
      log.finished = false;
    if (registration.kind === 'new' && registration.previous !== null && incarnation !== null) {
      this.#notify({ kind: 'restarted', cohort, agent, incarnation });
    }
    return registration;
  }

  async submit(
    cohort: Cohort,
    context: Omit<ArrivalContext, 'finished'>,
    arrivals: readonly GroupArrival[],
    gone: AbortSignal | null = null,
  ): Promise<readonly (ArrivalOutcome | Refused)[]> {
    const holding = this.#cohorts.get(cohort.name);
    if (holding === undefined) return arrivals.map(() => ({ kind: 'unknown-cohort' }));
    const finished = new Set([...holding.activity].flatMap(([agent, log]) => (log.finished ? [agent] : [])));
    const visits = new CallVisits(arrivals, context.agent.k);
    return arrivals.map((arrival, place) => {
      const sent = visits.of(arrival);
      if (gone?.aborted && isAnonymous(arrival)) return { kind: 'left' };
      const holder = holderAt(context.holder, place);
      return visits.note(arrival, this.#receive(holding, { ...context, holder, finished }, sent));
    });
  }

  async release(cohort: string, agent: AgentName, holder: string, held: readonly HeldRef[]): Promise<void> {
    this.#shelf(cohort)?.changeHeld(held, this.#clock.now(), (prompt, round) =>
      releaseHolder(prompt, round, agent, holder),
    );
  }

  async answer(cohort: string, agent: AgentName, holder: string, held: readonly HeldRef[]): Promise<void> {
    this.#shelf(cohort)?.changeHeld(held, this.#clock.now(), (prompt, round) =>
      answerHolder(prompt, round, agent, holder),
    );
  }

  async hold(
    cohort: string,
    agent: AgentName,
    holder: string,
    groups: readonly SubmittedGroup[],
  ): Promise<void> {
    for (const [place, group] of groups.entries()) {
      this.#shelf(cohort)?.changeHeld([group], this.#clock.now(), (prompt, round) =>
        holdRollouts(prompt, round, agent, new Set(group.rolloutIds), holderAt(holder, place)),
      );
    }
  }

  async skip(
    cohort: Cohort,
    agentName: AgentName,
    skips: readonly Skip[],
  ): Promise<readonly { readonly ref: BucketRef; readonly decision: Decision | null }[]> {
    const holding = this.#cohorts.get(cohort.name);
    const agent = findAgent(cohort, agentName);
    if (holding === undefined || agent === undefined) return [];
    const now = this.#clock.now();
    const skipper = { cohort, agent, incarnation: logOf(holding, agentName).incarnation };
    return skips.map((skip) => {
      const before = holding.shelf.prompt(skip.promptId);
      const closed = skipPrompt(before, skip, skipper, now);
      const ref = { promptId: skip.promptId, round: closed.round };
      holding.shelf.replace(closed.prompt, closed.round, now);
      logOf(holding, agentName).record(ref, 0, now);
      this.#notifyDecision(cohort.name, closed.decision);
      return { ref, decision: closed.decision };
    });
  }

  async finish(cohort: Cohort, agent: AgentName): Promise<readonly Decision[]> {
    const holding = this.#cohorts.get(cohort.name);
    if (holding === undefined) return [];
    logOf(holding, agent).finished = true;
    const now = this.#clock.now();
    const open = [...holding.shelf.listOpen()];
    const decisions = open.flatMap((bucket) => holding.shelf.close(bucket, agent, 'finish', now) ?? []);
    for (const decision of decisions) this.#notifyDecision(cohort.name, decision);
    return decisions;
  }

  async endShort(...[cohort, agent, refs, size]: Parameters<Store['endShort']>) {
    const ended = this.#shelf(cohort.name)?.endShort(refs, agent, size, this.#clock.now()) ?? [];
    for (const decision of ended) this.#notifyDecision(cohort.name, decision);
    return ended;
  }

  async closeDue(): Promise<readonly DueDecision[]> {
    const now = this.#clock.now();
    const decisions: DueDecision[] = [];
    for (const [name, { shelf, submissions }] of this.#cohorts) {
      for (const decision of shelf.closeDue(now)) {
        decisions.push({ ...decision, cohort: name });
        this.#notifyDecision(name, decision);
      }
      submissions.dropExpired(now);
    }
    return decisions;
  }

  async readBuckets(cohort: string, refs: readonly BucketRef[]): Promise<readonly (Bucket | null)[]> {
    const shelf = this.#cohorts.get(cohort)?.shelf;
    return refs.map((ref) => shelf?.bucket(ref) ?? null);
  }

  async listOpenBuckets(cohort: string, limit: number): Promise<readonly Bucket[]> {
    const buckets: Bucket[] = [];
    for (const bucket of this.#cohorts.get(cohort)?.shelf.listOpen() ?? []) {
      if (buckets.length >= limit) break;
      buckets.push(bucket);
    }
    return buckets;
  }

  async countOpenBuckets(cohort: string): Promise<number> {
    return this.#cohorts.get(cohort)?.shelf.openBuckets ?? 0;
  }

  async readPrompt(cohort: string, promptId: string): Promise<readonly Bucket[]> {
    const rounds = this.#cohorts.get(cohort)?.shelf.prompt(promptId).rounds;
    return [...(rounds?.values() ?? [])].sort((a, b) => a.round - b.round);
  }

  async readActivity(cohort: Cohort): Promise<readonly AgentActivity[]> {
    const holding = this.#cohorts.get(cohort.name);
    return cohort.agents.map(({ name }) => (holding?.activity.get(name) ?? new ActivityLog()).read(name));
  }

  async putSubmission(cohort: Cohort, id: string, record: SubmissionRecord): Promise<void> {
    const submissions = this.#cohorts.get(cohort.name)?.submissions;
    submissions?.put(id, record, this.#clock.now() + cohort.barrier.deadlineMs + cohort.retentionMs);
  }

  async getSubmission(cohort: string, agent: AgentName, id: string): Promise<SubmissionRecord | null> {
    return this.#cohorts.get(cohort)?.submissions.get(agent, id) ?? null;
  }

  async putManifest(cohort: string, manifest: Manifest | null): Promise<void> {
    const holding = this.#cohorts.get(cohort);
    if (holding !== undefined) holding.manifest = manifest;
  }

  async getManifest(cohort: string, knownVersion: string | null): Promise<Manifest | 'unchanged' | null> {
    const manifest = this.#cohorts.get(cohort)?.manifest ?? null;
    return manifest !== null && manifest.version === knownVersion ? 'unchanged' : manifest;
  }

  async addDiagnostics(cohort: string, increments: readonly StepIncrement[]): Promise<void> {
    this.#cohorts.get(cohort)?.diagnostics.add(increments, this.#clock.now());
  }

  async readDiagnostics(cohort: string, range: StepRange): Promise<DiagnosticsRead> {
    const diagnostics = this.#cohorts.get(cohort)?.diagnostics;
    return diagnostics?.read(range, this.#clock.now()) ?? { steps: [], earlier: 0, first: null };
  }

  nameHolder(connection: string): string {
    return connection;
  }

  onInquiry(): void {}

  subscribe(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async check(): Promise<readonly string[]> {
    return [];
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#cohorts.clear();
  }

  #receive(holding: Holding, context: ArrivalContext, arrival: GroupArrival): ArrivalOutcome | Refused {
    const { shelf } = holding;
    const now = this.#clock.now();
    const before = shelf.prompt(arrival.promptId);
    const { prompt, outcome } = receive(before, arrival, context, now);
    if (outcome.kind !== 'stored') return outcome;
    const { bucket } = outcome;
    const limit = shelf.cohort.limits.openBuckets;
    const opens = isOpen(bucket) && !shelf.isOpen(bucket);
    if (opens && shelf.openBuckets >= limit) return { kind: 'full', limit };
    shelf.replace(prompt, bucket.round, now);
    logOf(holding, context.agent.name).record(bucket, outcome.added, now, context);
    this.#notifyDecision(shelf.cohort.name, outcome);
    return outcome;
  }

  #shelf(cohort: string): CohortShelf | undefined {
    return this.#cohorts.get(cohort)?.shelf;
  }

  #notifyDecision(cohort: string, decision: Decision | null): void {
    if (decision === null || decision.decided.length === 0) return;
    const { promptId, round } = decision.bucket;
    this.#notify({ kind: 'decided', cohort, ref: { promptId, round } });
  }

  #notify(notice: Notice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}
