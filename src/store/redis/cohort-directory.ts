import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Cohort } from '../../domain/cohort.ts';
import { type Caller, callScript, runOne } from './call.ts';
import type { Keys } from './keys.ts';
import { decodeCohort, encodeCohort, type KnownCohort } from './known-cohort.ts';
import { encodeNotice } from './notices.ts';

/** How old a definition may be that a replica goes by, should the notice of its change be lost. */
const FRESH_MS = 1_000;
/** How long a cohort that was deleted is not restored by a replica that had not heard of it. */
const TOMBSTONE_MS = 86_400_000;

/** The cohorts that all replicas share, each read at most once a second. */
export class CohortDirectory {
  readonly #caller: Caller;
  readonly #keys: Keys;
  readonly #origin: string;
  #known: ReadonlyMap<string, KnownCohort> = new Map();
  /** What this replica ever saw and did not hear to be deleted. */
  readonly #remembered = new Map<string, KnownCohort>();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<ReadonlyMap<string, KnownCohort>> | null = null;

  /** `origin` names this replica in messages. */
  constructor(caller: Caller, keys: Keys, origin: string) {
    this.#caller = caller;
    this.#keys = keys;
    this.#origin = origin;
  }

  /** A cohort that is not known is looked for: it may have been made on another replica just now. */
  async find(name: string): Promise<KnownCohort | null> {
    const known = (await this.all()).get(name);
    if (known !== undefined) return known;
    this.expire();
    return (await this.all()).get(name) ?? null;
  }

  async all(): Promise<ReadonlyMap<string, KnownCohort>> {
    if (performance.now() - this.#readAt < FRESH_MS) return this.#known;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** The next look goes to Redis. */
  expire(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** What this replica last saw of a cohort, for when Redis has lost it. */
  remembered(name: string): KnownCohort | null {
    return this.#remembered.get(name) ?? null;
  }

  /** The cohort was deleted on purpose. */
  forget({ cohort, generation }: KnownCohort): void {
    this.#remembered.delete(cohort.name);
    this.#keys.forget(cohort.name, generation);
    this.expire();
  }

  async put(
    cohort: Cohort,
    hasOpenBuckets: (known: KnownCohort) => Promise<boolean>,
  ): Promise<'created' | 'unchanged' | 'replaced' | 'in-use'> {
    for (;;) {
      this.expire();
      const known = await this.find(cohort.name);
      if (known !== null) {
        if (isDeepStrictEqual(known.cohort, cohort)) return 'unchanged';
        if (await hasOpenBuckets(known)) return 'in-use';
      }
      const generation = known?.generation ?? randomBytes(6).toString('base64url');
      const outcome = await this.#write(cohort, generation, known?.raw ?? '');
      if (outcome === 'ok') return known === null ? 'created' : 'replaced';
    }
  }

  /** Puts back all cohorts that Redis lost, as when it was restarted empty. */
  async mend(): Promise<void> {
    this.expire();
    const found = await this.all();
    for (const [name, known] of this.#remembered) if (!found.has(name)) await this.restore(known);
  }

  /** Puts back a cohort that Redis lost. False when it was deleted: then it stays so. */
  async restore(known: KnownCohort): Promise<boolean> {
    const outcome = await this.#write(known.cohort, known.generation, '');
    if (outcome === 'deleted') this.forget(known);
    // On a conflict another replica was faster, and everyone goes by what is there.
    return outcome !== 'deleted';
  }

  /** The cohort that there was, or null. */
  async delete(name: string): Promise<KnownCohort | null> {
    for (;;) {
      this.expire();
      const known = await this.find(name);
      if (known === null) return null;
      const notice = encodeNotice({ kind: 'deleted', cohort: name });
      const reply = await runOne(
        this.#caller,
        callScript(
          'cohortDelete',
          [this.#keys.cohorts, this.#keys.tombstone(known.generation)],
          [
            name,
            known.raw,
            TOMBSTONE_MS,
            this.#caller.publish,
            this.#keys.cohortsChannel,
            this.#message(notice),
          ],
        ),
      );
      this.expire();
      if (statusOf(reply) === 'ok') return known;
    }
  }

  async #write(cohort: Cohort, generation: string, read: string): Promise<string> {
    const raw = encodeCohort(cohort, generation);
    const reply = await runOne(
      this.#caller,
      callScript(
        'cohortPut',
        [this.#keys.cohorts, this.#keys.tombstone(generation)],
        [cohort.name, read, raw, this.#caller.publish, this.#keys.cohortsChannel, this.#message()],
      ),
    );
    this.expire();
    const status = statusOf(reply);
    if (status === 'ok') this.#remember(cohort, generation, raw);
    return status;
  }

  #remember(cohort: Cohort, generation: string, raw: string): KnownCohort {
    const known = { cohort, generation, keys: this.#keys.cohort(cohort.name, generation), raw };
    this.#remembered.set(cohort.name, known);
    return known;
  }

  async #read(): Promise<ReadonlyMap<string, KnownCohort>> {
    const startedAt = performance.now();
    const reply = await runOne(this.#caller, { name: 'hgetall', args: [this.#keys.cohorts] });
    const found = new Map<string, KnownCohort>();
    for (const [name, raw] of Object.entries(reply as Record<string, string>)) {
      const before = this.#known.get(name);
      if (before?.raw === raw) found.set(name, before);
      else {
        const { cohort, generation } = decodeCohort(raw);
        found.set(name, this.#remember(cohort, generation, raw));
      }
    }
    this.#known = found;
    this.#readAt = startedAt;
    return found;
  }

  #message(...notices: readonly string[]): string {
    return `[${[JSON.stringify(this.#origin), ...notices].join(',')}]`;
  }
}

function statusOf(reply: unknown): string {
  return Array.isArray(reply) ? String(reply[0]) : '';
}
