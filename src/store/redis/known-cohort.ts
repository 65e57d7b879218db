import { type Cohort, METHOD_NAMES, type Supervision } from '../../domain/cohort.ts';
import { hashKey } from '../../domain/hash.ts';
import { DEFAULT_METHOD_OPTIONS } from '../../domain/method-options.ts';
import { DEFAULT_RELIABILITY_RULES } from '../../domain/plan.ts';
import { DEFAULT_REWARD_RULES } from '../../domain/reward-rules.ts';
import { VOTE_WEIGHTINGS } from '../../domain/vote-weighting.ts';
import { UnreadableValueError } from './checked-list.ts';
import type { CohortKeys } from './keys.ts';
import { keepUnknown } from './unknown-settings.ts';

/** A cohort as it is defined. */
export interface Defined {
  readonly cohort: Cohort;
  /** Settings that were replaced and that buckets may still go by, oldest first. */
  readonly former: readonly Former[];
  /** Told apart from an earlier cohort of the same name that was deleted. */
  readonly generation: string;
}

/** A cohort and where it lies. */
export interface KnownCohort extends Defined {
  readonly keys: CohortKeys;
  /** The definition as Redis has it. */
  readonly raw: string;
}

/** Where notices about a cohort come from. */
export function channelsOf({ keys }: KnownCohort): readonly string[] {
  return [keys.channel, ...keys.shards.map(({ channel }) => channel)];
}

/** Settings that a cohort had. */
export interface Former {
  /** When others took their place, in milliseconds. */
  readonly until: number;
  readonly cohort: Cohort;
}

/** Settings that are kept of a cohort beside those of now: each about 2 KB that every replica reads once a second. */
const MOST_FORMER = 16;

/**
 * The former settings once those of now are replaced at `now`, in milliseconds. What is asked for again within its retention
 * is kept for another one. Null where there is no room.
 */
export function formerAfter({ cohort, former }: Defined, now: number): readonly Former[] | null {
  const all = [...former, { until: now, cohort }];
  const kept = all.filter(({ until, cohort: { retentionMs } }) => until + 2 * retentionMs > now);
  return kept.length > MOST_FORMER ? null : kept;
}

/** The settings of this edition, or the oldest that are kept of earlier ones; null: it is a later one than is known. */
export function settingsOf({ cohort, former }: Defined, edition: number): Cohort | null {
  if (edition > cohort.edition) return null;
  const found = former.find((one) => one.cohort.edition >= edition);
  return edition === cohort.edition || found === undefined ? cohort : found.cohort;
}

const FORMAT = 1;

/** What a cohort that an older version wrote lacks: the settings that came after it. */
const NEWER_SETTINGS = {
  weighting: 'none',
  includeOwn: false,
  reliability: DEFAULT_RELIABILITY_RULES,
  edition: 0,
} as const;

const SUPERVISIONS: readonly string[] = [
  'ring',
  'adaptive',
  'peer-majority',
  'pooled',
  'graph',
] satisfies Supervision['kind'][];

/** `over`: the definition that this one takes the place of; what a newer version says in it beside ours stays. */
export function encodeCohort({ cohort, generation, former }: Defined, over: string | null = null): string {
  const record = { format: FORMAT, generation, cohort, ...(former.length > 0 && { former }) };
  if (over === null) return JSON.stringify(record);
  const before = JSON.parse(over) as { readonly cohort: Cohort };
  return JSON.stringify({ ...before, ...record, cohort: keepUnknown(before.cohort, cohort) });
}

/** The generation of a definition, even of one that cannot be read otherwise: what tells it from one of the same name. */
export function generationOf(raw: string): string {
  try {
    const value: unknown = JSON.parse(raw);
    if (isRecord(value) && typeof value.generation === 'string') return value.generation;
  } catch {
    // It is named after itself below.
  }
  return `unreadable-${hashKey(raw).toString(36)}`;
}

/**
 * Reads what {@link encodeCohort} wrote. Its settings came through the schema of the configuration on their way in, so
 * only its outline is checked. Throws UnreadableValueError.
 */
export function decodeCohort(raw: string): Defined {
  const value: unknown = parse(raw);
  if (!isRecord(value) || value.format !== FORMAT || typeof value.generation !== 'string') {
    throw new UnreadableValueError('a cohort has an unknown format');
  }
  const { generation, cohort, former = [] } = value;
  if (!Array.isArray(former)) throw new UnreadableValueError('a cohort has no list of former settings');
  return { generation, cohort: readSettings(cohort), former: former.map(readFormer) };
}

function readFormer(value: unknown): Former {
  if (!isRecord(value) || typeof value.until !== 'number') {
    throw new UnreadableValueError('former settings of a cohort are not whole');
  }
  return { until: value.until, cohort: readSettings(value.cohort) };
}

function readSettings(cohort: unknown): Cohort {
  const parts = ['supervision', 'vote', 'answers', 'barrier', 'watchdog', 'limits'];
  const isWhole =
    isRecord(cohort) &&
    typeof cohort.name === 'string' &&
    Array.isArray(cohort.agents) &&
    cohort.agents.every((agent) => isRecord(agent) && typeof agent.name === 'string') &&
    parts.every((part) => isRecord(cohort[part]));
  if (!isWhole) throw new UnreadableValueError('a cohort is not whole');
  const known = { ...NEWER_SETTINGS, ...(cohort as unknown as Cohort) };
  const { method, supervision, weighting } = known;
  assertKnown(METHOD_NAMES, method);
  assertKnown(SUPERVISIONS, supervision.kind);
  assertKnown(VOTE_WEIGHTINGS, weighting);
  const { minPosterior, ...teaching } = supervision as Supervision & { readonly minPosterior?: number };
  const judge = { ...DEFAULT_METHOD_OPTIONS.judge, ...known.options?.judge };
  const options = { ...DEFAULT_METHOD_OPTIONS, ...known.options, judge };
  const reward = { ...DEFAULT_REWARD_RULES, ...known.reward };
  // A setting of supervision `adaptive` before others had it too.
  const reliability = {
    ...DEFAULT_RELIABILITY_RULES,
    ...(minPosterior !== undefined && { minPosterior }),
    ...known.reliability,
  };
  return { ...known, supervision: teaching as Supervision, reliability, options, reward };
}

/** What a newer version added to a list would fail whoever goes by it, far from here. */
function assertKnown(list: readonly string[], name: string): void {
  if (!list.includes(name)) throw new UnreadableValueError(`a cohort goes by an unknown "${name}"`);
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch (error) {
    throw new UnreadableValueError('a cohort is not JSON', { cause: error });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
