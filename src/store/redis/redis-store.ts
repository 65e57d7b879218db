import type { ArrivalContext, ArrivalOutcome, GroupArrival } from '../../domain/arrival.ts';
import type { Bucket } from '../../domain/bucket.ts';
import type { Decision, Skip } from '../../domain/close.ts';
import { type AgentName, type Cohort, findAgent } from '../../domain/cohort.ts';
import type {
  AgentActivity,
  BucketRef,
  CohortPut,
  DueDecision,
  HeldRef,
  Notice,
  Refused,
  Registration,
  Store,
  SubmittedGroup,
} from '../store.ts';
import { Activity } from './activity.ts';
import { Closer } from './closer.ts';
import { CohortDirectory } from './cohort-directory.ts';
import { Connection } from './connection.ts';
import { Inquiries } from './inquiries.ts';
import { KeptRecords } from './kept-records.ts';
import { Keys } from './keys.ts';
import { channelsOf, type KnownCohort } from './known-cohort.ts';
import { type NoticeMessage, Notices } from './notices.ts';
import { OpenBuckets } from './open-buckets.ts';
import { nameHolder, Presence } from './presence.ts';
import { Prompts } from './prompts.ts';
import { Purger } from './purge.ts';
import { Reader } from './reader.ts';
import { Reaper } from './reaper.ts';
import { RedisPlans } from './redis-plans.ts';
import { RedisReceipts } from './redis-receipts.ts';
import type { RedisStoreOptions } from './redis-store-options.ts';
import { tryRights } from './rights.ts';
import { Samples } from './samples.ts';
import { finishedOf, incarnationOf, Speakers } from './speakers.ts';
import type { StoreParts } from './store-parts.ts';
import { Submitter } from './submitter.ts';
import { Tokens } from './tokens.ts';

/**
 * The store that replicas share. Redis holds the truth; what a change means is computed here, by the same pure functions
 * that the embedded store runs, and swapped in by one script if nobody was faster. Messages only wake.
 */
export class RedisStore extends KeptRecords implements Store {
  readonly kind = 'redis';
  readonly samples: Samples;
  readonly receipts: RedisReceipts;
  readonly #tokens = new Tokens();
  readonly plans = new RedisPlans(this, this.#tokens, (name) => this.#find(name));
  readonly #keys: Keys;
  readonly #origin: string;
  readonly #directory: CohortDirectory;
  readonly #open: OpenBuckets;
  readonly #speakers: Speakers;
  readonly #submitter: Submitter;
  readonly #closer: Closer;
  readonly #reader: Reader;
  readonly #reaper: Reaper;
  readonly #purger: Purger;
  readonly #notices: Notices;
  readonly #inquiries: Inquiries;
  readonly #listeners = new Set<(notice: Notice) => void>();

  constructor({ target, prefix, observer, now }: RedisStoreOptions) {
    super(new Connection({ target, observer, ...(now !== undefined && { now }) }));
    this.#origin = this.#tokens.next();
    this.#keys = new Keys(prefix);
    this.#directory = new CohortDirectory(this.connection, this.#keys, this.#origin, (known) =>
      this.#forget(known),
    );
    const prompts = new Prompts(this.connection, this.#directory, this.#tokens, this.#origin, {
      decided: (notice) => this.#tell(notice),
      scheduled: (shard, inMs) => this.#reaper.scheduled(shard, inMs),
    });
    this.#reaper = new Reaper(this.connection, prompts);
    this.#purger = new Purger(this.connection);
    this.#open = new OpenBuckets(this.connection);
    this.#speakers = new Speakers(this.connection, this.#tokens, this.#origin);
    this.samples = new Samples(this.connection, (cohort) => this.#find(cohort));
    const presence = new Presence(this.connection, this.#keys, this.#origin);
    this.#inquiries = new Inquiries(this.connection, this.#keys, this.#tokens, this.#origin);
    this.receipts = new RedisReceipts(this.connection, this.#keys, this.#origin);
    const parts: StoreParts = {
      prompts,
      open: this.#open,
      speakers: this.#speakers,
      activity: new Activity(this.connection, this.#tokens),
      presence,
      inquiries: this.#inquiries,
      receipts: this.receipts,
      origin: this.#origin,
    };
    this.#submitter = new Submitter(parts);
    this.#closer = new Closer(parts);
    this.#reader = new Reader(parts);
    this.#notices = new Notices({
      target,
      pattern: this.#keys.channelPattern,
      channels: [this.#keys.cohortsChannel],
      mailbox: this.#keys.replica(this.#origin),
      onMail: (text) => this.#inquiries.hear(text),
      onMessage: (message) => this.#hear(message),
      onReady: () => {
        presence.listens();
        this.#tell({ kind: 'gap' });
        this.#directory.expire();
      },
    });
  }

  async putCohort(cohort: Cohort): Promise<CohortPut> {
    return this.#directory.put(cohort, async (known) => (await this.#open.count(known)) > 0);
  }

  async getCohort(name: string): Promise<Cohort | null> {
    return (await this.#find(name))?.cohort ?? null;
  }

  async listCohorts(): Promise<readonly Cohort[]> {
    const cohorts = [...(await this.#directory.all()).values()].map(({ cohort }) => cohort);
    return cohorts.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async deleteCohort(name: string): Promise<boolean> {
    const deleted = await this.#directory.delete(name);
    if (deleted === null) return false;
    this.#tell({ kind: 'deleted', cohort: name });
    await this.#purger.purge(deleted);
    return true;
  }

  async register(cohort: string, agent: AgentName, incarnation: string | null): Promise<Registration> {
    const known = await this.#find(cohort);
    if (known === null) return { kind: 'current' };
    const registration = await this.#speakers.register(known, agent, incarnation);
    if (registration.kind === 'new' && registration.previous !== null && incarnation !== null) {
      this.#tell({ kind: 'restarted', cohort, agent, incarnation });
    }
    return registration;
  }

  async submit(
    cohort: Cohort,
    context: Omit<ArrivalContext, 'finished'>,
    arrivals: readonly GroupArrival[],
    gone: AbortSignal | null = null,
  ): Promise<readonly (ArrivalOutcome | Refused)[]> {
    const known = await this.#find(cohort.name);
    if (known === null) return arrivals.map(() => ({ kind: 'unknown-cohort' }));
    const finished = finishedOf(await this.#speakers.readRecent(known));
    return this.#submitter.submit(known, { ...context, finished }, arrivals, gone);
  }

  async release(cohort: string, agent: AgentName, holder: string, held: readonly HeldRef[]): Promise<void> {
    const known = await this.#find(cohort);
    if (known !== null) await this.#closer.release(known, agent, holder, held);
  }

  async answer(cohort: string, agent: AgentName, holder: string, held: readonly HeldRef[]): Promise<void> {
    const known = await this.#find(cohort);
    if (known !== null) await this.#closer.answer(known, agent, holder, held);
  }

  async hold(
    cohort: string,
    agent: AgentName,
    holder: string,
    groups: readonly SubmittedGroup[],
  ): Promise<void> {
    const known = await this.#find(cohort);
    if (known !== null) await this.#closer.hold(known, agent, holder, groups);
  }

  async skip(
    cohort: Cohort,
    agentName: AgentName,
    skips: readonly Skip[],
  ): Promise<readonly { readonly ref: BucketRef; readonly decision: Decision | null }[]> {
    const known = await this.#find(cohort.name);
    const agent = findAgent(cohort, agentName);
    if (known === null || agent === undefined) return [];
    const incarnation = incarnationOf(await this.#speakers.read(known), agentName);
    return this.#closer.skip(known, { cohort, agent, incarnation }, skips);
  }

  async finish(cohort: Cohort, agent: AgentName): Promise<readonly Decision[]> {
    const known = await this.#find(cohort.name);
    return known === null ? [] : this.#closer.finish(known, agent);
  }

  async endShort(
    cohort: Cohort,
    agent: AgentName,
    refs: readonly BucketRef[],
    size: number,
  ): Promise<readonly Decision[]> {
    const known = await this.#find(cohort.name);
    return known === null ? [] : this.#closer.endShort(known, agent, refs, size);
  }

  async closeDue(): Promise<readonly DueDecision[]> {
    await this.#purger.again();
    return this.#reaper.closeDue((await this.#directory.all()).values());
  }

  async readBuckets(cohort: string, refs: readonly BucketRef[]): Promise<readonly (Bucket | null)[]> {
    const known = await this.#find(cohort);
    return known === null ? refs.map(() => null) : this.#reader.buckets(known, refs);
  }

  async listOpenBuckets(cohort: string, limit: number): Promise<readonly Bucket[]> {
    const known = await this.#find(cohort);
    return known === null ? [] : this.#reader.openBuckets(known, limit);
  }

  async countOpenBuckets(cohort: string): Promise<number> {
    const known = await this.#find(cohort);
    return known === null ? 0 : this.#open.count(known);
  }

  async readPrompt(cohort: string, promptId: string): Promise<readonly Bucket[]> {
    const known = await this.#find(cohort);
    return known === null ? [] : this.#reader.prompt(known, promptId);
  }

  async readActivity(cohort: Cohort): Promise<readonly AgentActivity[]> {
    return this.#reader.activity(await this.#find(cohort.name), cohort);
  }

  nameHolder(connection: string): string {
    return nameHolder(this.#origin, connection);
  }

  onInquiry(listener: () => Promise<void>): void {
    this.#inquiries.listen(listener);
  }

  subscribe(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async check(): Promise<readonly string[]> {
    this.#notices.assertTaken();
    await tryRights(this.connection, this.#keys, this.#origin);
    const { lost, unreadable } = await this.#directory.unserved();
    const [gone] = lost.values();
    if (gone !== undefined) throw gone;
    // Where nothing can be served, others had better be asked; where only some cannot, the rest must not suffer for them.
    const [first] = unreadable;
    if (first !== undefined && (await this.#directory.all()).size === 0) await this.#find(first);
    return unreadable.map(
      (name) => `Cohort "${name}" cannot be read by this version of PeerVote; the log says why.`,
    );
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#notices.close();
    this.connection.close();
  }

  protected find(name: string): Promise<KnownCohort | null> {
    return this.#find(name);
  }

  async #find(name: string): Promise<KnownCohort | null> {
    const known = await this.#directory.find(name);
    if (known !== null) this.#notices.watch(channelsOf(known));
    return known;
  }

  #tell(notice: Notice): void {
    for (const listener of this.#listeners) listener(notice);
  }

  #hear({ origin, notices }: NoticeMessage): void {
    if (origin === this.#origin) return;
    // A deletion is not taken from a message, which may be late and mean an earlier cohort of the name, but looked up.
    if (notices.every(({ kind }) => kind === 'deleted')) this.#directory.expire();
    for (const notice of notices) this.#tell(notice);
  }

  #forget(known: KnownCohort): void {
    this.#notices.unwatch(channelsOf(known));
    this.#open.forget(known.generation);
    this.#reaper.forget(known);
    this.#speakers.forget(known.generation);
  }
}
