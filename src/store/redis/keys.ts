import { AGENT_COUNTERS, PAIR_COUNTERS } from '../../domain/diagnostics/counters.ts';
import { hashKey } from '../../domain/hash.ts';

/**
 * How many hash slots the prompts of one cohort are spread over. Every replica must use the same number, so it is
 * part of the key schema. Few, since a batch costs one call per shard that it touches.
 */
const SHARDS = 8;

/** Where a part of a cohort's prompts lies: keys that share a slot, so that one script may change them together. */
export interface Shard {
  /** Prompts by the time of their next attention. */
  readonly index: string;
  /** Open buckets by the time that they were opened at. */
  readonly open: string;
  /** Submissions by the time that they expire at. */
  readonly submissions: string;
  readonly channel: string;
  /** Key of the member `member` of `index`. */
  readonly prompt: (member: string) => string;
  /** Key of the member `member` of `submissions`. */
  readonly submission: (member: string) => string;
}

/** Named after the counters: a version that counts other things begins anew, and what the old one wrote expires. */
const DIAGNOSTICS_FORMAT = hashKey(JSON.stringify([AGENT_COUNTERS, PAIR_COUNTERS])).toString(36);

/** Where everything of one generation of a cohort lies. A cohort that is deleted and made anew is another one. */
export interface CohortKeys {
  readonly shards: readonly Shard[];
  /** Who speaks for each agent, and who has left. */
  readonly speakers: string;
  readonly activity: (agent: string) => string;
  /** Its problems by text. */
  readonly manifest: string;
  /** Its latest completions, for people. */
  readonly samples: (agent: string) => string;
  /** Figures by step, and the steps that there are. */
  readonly diagnostics: string;
  readonly diagnosticSteps: string;
  /** What it thinks of its agents, and what that is made from. */
  readonly plan: string;
  readonly labelRows: string;
  /** Hears of restarts. */
  readonly channel: string;
}

/** The key schema. All names start with `prefix`; the braces make Redis Cluster keep together what belongs together. */
export class Keys {
  readonly #prefix: string;
  readonly #cohorts = new Map<string, CohortKeys>();

  /** `prefix` must be free of braces. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Hash of all cohorts' definitions by name. */
  get cohorts(): string {
    return `${this.#prefix}{cohorts}`;
  }

  get cohortsChannel(): string {
    return `${this.cohorts}:notices`;
  }

  /** Written to see whether anything can be. */
  get probes() {
    const name = `${this.cohorts}:probe`;
    return { text: name, hash: `${name}:hash`, list: `${name}:list` } as const;
  }

  /** The channel that only this replica listens to, to be seen alive. */
  replica(origin: string): string {
    return `${this.cohorts}:replica:${origin}`;
  }

  /** Connections of a replica whose reply was written. */
  receipts(origin: string): string {
    return `${this.cohorts}:answered:${origin}`;
  }

  get replicaPattern(): string {
    return `${escapePattern(this.#prefix)}{cohorts}:replica:*`;
  }

  /** Says that this generation of a cohort was deleted on purpose. */
  tombstone(generation: string): string {
    return `${this.cohorts}:deleted:${generation}`;
  }

  /** Matches every channel. */
  get channelPattern(): string {
    return `${escapePattern(this.#prefix)}{*:notices`;
  }

  cohort(name: string, generation: string): CohortKeys {
    const id = `${name}~${generation}`;
    const known = this.#cohorts.get(id);
    if (known !== undefined) return known;
    const tag = `${this.#prefix}{${id}}`;
    const keys: CohortKeys = {
      shards: Array.from({ length: SHARDS }, (_, at) => shardAt(`${this.#prefix}{${id}:${at}}`)),
      speakers: `${tag}:speakers`,
      activity: (agent) => `${tag}:activity:${agent}`,
      manifest: `${tag}:manifest`,
      samples: (agent) => `${tag}:samples:${agent}`,
      diagnostics: `${tag}:diagnostics:${DIAGNOSTICS_FORMAT}`,
      diagnosticSteps: `${tag}:diagnostics:${DIAGNOSTICS_FORMAT}:steps`,
      plan: `${tag}:plan`,
      labelRows: `${tag}:label-rows`,
      channel: `${tag}:notices`,
    };
    this.#cohorts.set(id, keys);
    return keys;
  }

  /** A cohort that is gone takes its names along. */
  forget(name: string, generation: string): void {
    this.#cohorts.delete(`${name}~${generation}`);
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\*?[\]^]/g, '\\$&');
}

/** The shard of a prompt or a submission. */
export function shardOf({ shards }: CohortKeys, member: string): Shard {
  const shard = shards[hashKey(member) % shards.length];
  if (shard === undefined) throw new Error('a cohort has no shards');
  return shard;
}

function shardAt(tag: string): Shard {
  return {
    index: `${tag}:index`,
    open: `${tag}:open`,
    submissions: `${tag}:submissions`,
    channel: `${tag}:notices`,
    prompt: (member) => `${tag}:p:${member}`,
    submission: (member) => `${tag}:s:${member}`,
  };
}

/**
 * An id of a client as part of a key. UTF-8 has no lone surrogates, which two ids may differ in: such an id is written
 * as JSON, which escapes them.
 */
export function memberOf(id: string): string {
  return id.isWellFormed() ? `=${id}` : `~${JSON.stringify(id)}`;
}

/** The id that {@link memberOf} made a member of. */
export function idOf(member: string): string {
  return member.startsWith('~') ? String(JSON.parse(member.slice(1))) : member.slice(1);
}

/** A round of a prompt as a member of its shard's open buckets. */
export function openMember(round: number, member: string): string {
  return `${round}${member}`;
}

/** What {@link openMember} was made of. */
export function readOpenMember(text: string): { readonly round: number; readonly promptId: string } {
  const at = text.search(/[=~]/);
  return { round: Number(text.slice(0, at)), promptId: idOf(text.slice(at)) };
}
