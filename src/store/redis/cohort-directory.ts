import { randomBytes } from 'node:crypto';
import type { Cohort } from '../../domain/cohort.ts';
import { isUnreadable, ServiceError } from '../../domain/errors.ts';
import type { CohortPut } from '../store.ts';
import { type Caller, callScript, readAs, runOne } from './call.ts';
import { DeletedCohorts, TOMBSTONE_MS } from './deleted-cohorts.ts';
import type { CohortKeys, Keys } from './keys.ts';
import { decodeCohort, encodeCohort, formerAfter, generationOf, type KnownCohort } from './known-cohort.ts';
import { encodeNotice } from './notices.ts';
import { agree } from './unknown-settings.ts';

/** How old a definition may be that a replica goes by, should the notice of its change be lost. */
const FRESH_MS = 1_000;

/** A definition as Redis has it; `known` is null where another version wrote it, and it is only carried. */
interface Entry {
  readonly name: string;
  readonly generation: string;
  readonly raw: string;
  readonly known: KnownCohort | null;
}

type Known = ReadonlyMap<string, KnownCohort>;

/** The cohorts that cannot be served here at the moment. */
interface Unserved {
  /** Gone from Redis, and not put back yet: the last error of each. */
  readonly lost: ReadonlyMap<string, ServiceError>;
  /** Of another version. */
  readonly unreadable: readonly string[];
}

/**
 * The cohorts that all replicas share, each read at most once a second. Whoever finds one missing that it has seen, and
 * that nobody deleted, puts it back before it goes on: Redis was restarted empty, or flushed.
 */
export class CohortDirectory {
  readonly #caller: Caller;
  readonly #keys: Keys;
  readonly #origin: string;
  readonly #forgotten: (known: KnownCohort) => void;
  #known: Known = new Map();
  /** What was in Redis at the last look, or should have been. */
  #entries: ReadonlyMap<string, Entry> = new Map();
  #lost: ReadonlyMap<string, ServiceError> = new Map();
  readonly #deleted = new DeletedCohorts();
  #readAt = Number.NEGATIVE_INFINITY;
  /** How often something changed that a look under way may have missed. */
  #changes = 0;
  #reading: Promise<Known> | null = null;

  /** `origin` names this replica in messages; `forgotten` hears of each cohort that turns out to be deleted. */
  constructor(caller: Caller, keys: Keys, origin: string, forgotten: (known: KnownCohort) => void) {
    this.#caller = caller;
    this.#keys = keys;
    this.#origin = origin;
    this.#forgotten = forgotten;
  }

  /**
   * Null: it was never there, or was deleted. One that is not known is looked for: it may have been made on another replica
   * just now. Throws `unreadable_data` for one of another version, `store_unavailable` for one that is lost at the moment.
   */
  async find(name: string): Promise<KnownCohort | null> {
    const known = (await this.all()).get(name);
    if (known !== undefined) return known;
    this.expire();
    const found = (await this.all()).get(name) ?? null;
    if (found === null) this.#assertUnknown(name);
    return found;
  }

  /** Those that can be read. */
  async all(): Promise<Known> {
    if (performance.now() - this.#readAt < FRESH_MS) return this.#known;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** The next look goes to Redis. */
  expire(): void {
    this.#changes++;
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Looks again, which puts back what can be. */
  async unserved(): Promise<Unserved> {
    this.expire();
    await this.all();
    const unreadable = [...this.#entries.values()].filter(({ known }) => known === null);
    return { lost: this.#lost, unreadable: unreadable.map(({ name }) => name).sort() };
  }

  async put(cohort: Cohort, hasOpenBuckets: (known: KnownCohort) => Promise<boolean>): Promise<CohortPut> {
    for (;;) {
      this.expire();
      const known = await this.find(cohort.name);
      if (known !== null) {
        if (agree(known.cohort, cohort)) return 'unchanged';
        if (await hasOpenBuckets(known)) return 'in-use';
      }
      const former = known === null ? [] : formerAfter(known, this.#caller.now() || Date.now());
      if (former === null) return 'changed-too-often';
      const generation = known?.generation ?? randomBytes(6).toString('base64url');
      const edition = known === null ? 0 : known.cohort.edition + 1;
      const defined = { cohort: { ...cohort, edition }, former, generation };
      const raw = encodeCohort(defined, known?.raw ?? null);
      const outcome = await this.#write(this.#entryOf(cohort.name, raw), known?.raw ?? '');
      if (outcome === 'ok') return known === null ? 'created' : 'replaced';
    }
  }

  /** As of the last look, which may have been before this one was made. */
  latest(name: string): KnownCohort | null {
    return this.#known.get(name) ?? null;
  }

  /** Deletes it, even one that cannot be read, and tells where it lay. Null when there was none. */
  async delete(
    name: string,
  ): Promise<{ readonly keys: CohortKeys; readonly agents: readonly string[] } | null> {
    for (;;) {
      this.expire();
      await this.all();
      const entry = this.#entries.get(name);
      if (entry === undefined) return null;
      const lost = this.#lost.get(name);
      if (lost !== undefined) throw lost;
      const { known, generation } = entry;
      const agents = known?.cohort.agents.map((agent) => agent.name) ?? [];
      const keys = known?.keys ?? this.#keys.cohort(name, generation);
      if (await this.#remove(entry)) return { keys, agents };
    }
  }

  #assertUnknown(name: string): void {
    const lost = this.#lost.get(name);
    if (lost !== undefined) throw lost;
    const entry = this.#entries.get(name);
    if (entry !== undefined) this.#readCohort(entry);
  }

  async #remove(entry: Entry): Promise<boolean> {
    const notice = encodeNotice({ kind: 'deleted', cohort: entry.name });
    const reply = await runOne(
      this.#caller,
      callScript(
        'cohortDelete',
        [this.#keys.cohorts, this.#keys.tombstone(entry.generation)],
        [
          entry.name,
          entry.raw,
          TOMBSTONE_MS,
          this.#caller.publish,
          this.#keys.cohortsChannel,
          this.#message(notice),
        ],
      ),
    );
    this.expire();
    if (statusOf(reply) !== 'ok') return false;
    this.#forget(entry);
    return true;
  }

  /** Creates or replaces it if what is there is still `read`. What is there already counts as written. */
  async #write(entry: Entry, read: string): Promise<string> {
    const reply = await runOne(
      this.#caller,
      callScript(
        'cohortPut',
        [this.#keys.cohorts, this.#keys.tombstone(entry.generation)],
        [entry.name, read, entry.raw, this.#caller.publish, this.#keys.cohortsChannel, this.#message()],
      ),
    );
    this.expire();
    const status = statusOf(reply);
    if (status === 'ok') this.#entries = new Map(this.#entries).set(entry.name, entry);
    if (status === 'deleted') this.#forget(entry);
    return status;
  }

  /** It was deleted on purpose, and stays so. */
  #forget({ name, generation, known }: Entry): void {
    this.#deleted.add(generation);
    if (this.#entries.get(name)?.generation === generation) {
      const entries = new Map(this.#entries);
      entries.delete(name);
      this.#entries = entries;
    }
    this.#keys.forget(name, generation);
    if (known !== null) this.#forgotten(known);
  }

  async #read(): Promise<Known> {
    const startedAt = performance.now();
    const changes = this.#changes;
    const reply = await runOne(this.#caller, { name: 'hgetall', args: [this.#keys.cohorts] });
    const there = new Map<string, Entry>();
    const again: Entry[] = [];
    for (const [name, raw] of Object.entries(reply as Record<string, string>)) {
      const before = this.#entries.get(name);
      const entry = before?.raw === raw ? before : this.#entryOf(name, raw);
      if (this.#deleted.has(entry.generation)) again.push(entry);
      else there.set(name, entry);
    }
    // Somebody put it back who had not heard, after Redis had lost the mark of its deletion.
    await Promise.all(again.map((entry) => this.#remove(entry)));
    const missing = [...this.#entries.values()].filter(({ name }) => !there.has(name));
    const lost = new Map<string, ServiceError>();
    await Promise.all(
      missing.map(async (entry) => {
        const outcome = await this.#putBack(entry);
        if (outcome === 'deleted') return;
        there.set(entry.name, entry);
        if (outcome !== 'ok') lost.set(entry.name, outcome);
      }),
    );
    for (const [name, before] of this.#entries) {
      const { known } = before;
      if (known !== null && there.get(name)?.generation !== known.generation && there.has(name))
        this.#forgotten(known);
    }
    this.#entries = there;
    this.#lost = lost;
    this.#known = new Map(
      [...there].flatMap(([name, { known }]) => (known === null || lost.has(name) ? [] : [[name, known]])),
    );
    if (changes === this.#changes) this.#readAt = startedAt;
    return this.#known;
  }

  async #putBack(entry: Entry): Promise<'ok' | 'deleted' | ServiceError> {
    try {
      const status = await this.#write(entry, '');
      // Else another one of this name was put there meanwhile, which the next look shows.
      return status === 'ok' || status === 'deleted' ? status : lostError(entry, null);
    } catch (error) {
      return lostError(entry, error);
    }
  }

  #entryOf(name: string, raw: string): Entry {
    const entry = { name, generation: generationOf(raw), raw };
    try {
      return { ...entry, known: this.#readCohort(entry) };
    } catch (error) {
      if (isUnreadable(error)) return { ...entry, known: null };
      throw error;
    }
  }

  #readCohort({ name, generation, raw }: Omit<Entry, 'known'>): KnownCohort {
    return readAs(this.#caller, `${this.#keys.cohorts} (cohort "${name}")`, () => {
      return { ...decodeCohort(raw), generation, keys: this.#keys.cohort(name, generation), raw };
    });
  }

  #message(...notices: readonly string[]): string {
    return `[${[JSON.stringify(this.#origin), ...notices].join(',')}]`;
  }
}

function lostError({ name }: Entry, cause: unknown): ServiceError {
  const message = `Redis lost cohort "${name}", as one that comes back empty does, and it is not put back yet. Send the same request again: it will be.`;
  return new ServiceError('store_unavailable', message, { cause });
}

function statusOf(reply: unknown): string {
  return Array.isArray(reply) ? String(reply[0]) : '';
}
