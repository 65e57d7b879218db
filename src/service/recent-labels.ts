import { hashKey } from '../domain/hash.ts';

/** Labels of the peer, of other prompts, that one label is compared with. */
const COMPARED = 32;
/** Latest labels of an agent whose diversity is taken. */
const WINDOW = 100;
/** Fewer have no diversity to speak of. */
const FEWEST = 20;
const MOST_COHORTS = 2_000;

/** A label as far as it is compared: hashes, so that a long answer takes no room. */
interface Seen {
  readonly prompt: number;
  readonly key: number;
}

/** How often labels of different prompts are the same. */
export interface ByChance {
  readonly compared: number;
  readonly same: number;
}

export interface Diversity {
  /** Of the latest labels, the share of the commonest. */
  readonly commonest: number;
  /** Different labels over all. */
  readonly distinct: number;
}

/**
 * The latest labels of every agent, as this process decided them. Two agents that give one answer to everything agree on every
 * prompt, and as often across prompts: what they agree on beyond that is what says something (Cohen 1960, with the chance taken from
 * labels of other prompts). Nobody is paid by it.
 */
export class RecentLabels {
  readonly #cohorts = new Map<string, Map<string, Seen[]>>();

  /** How often `key`, a label of this prompt, is what the peer said of other prompts lately. */
  chance(cohort: string, peer: string, promptId: string, key: string): ByChance {
    const prompt = hashKey(promptId);
    const wanted = hashKey(key);
    const others = (this.#cohorts.get(cohort)?.get(peer) ?? []).filter((seen) => seen.prompt !== prompt);
    const latest = others.slice(-COMPARED);
    return { compared: latest.length, same: latest.filter((seen) => seen.key === wanted).length };
  }

  /** Takes a label in; how diverse the agent's latest are with it, null while they are few. */
  note(cohort: string, agent: string, promptId: string, key: string): Diversity | null {
    let agents = this.#cohorts.get(cohort);
    if (agents === undefined) {
      const [oldest] = this.#cohorts.keys();
      if (oldest !== undefined && this.#cohorts.size >= MOST_COHORTS) this.#cohorts.delete(oldest);
      agents = new Map();
      this.#cohorts.set(cohort, agents);
    }
    const labels = agents.get(agent) ?? [];
    agents.set(agent, labels);
    labels.push({ prompt: hashKey(promptId), key: hashKey(key) });
    if (labels.length > WINDOW) labels.shift();
    if (labels.length < FEWEST) return null;
    const counts = new Map<number, number>();
    for (const seen of labels) counts.set(seen.key, (counts.get(seen.key) ?? 0) + 1);
    return { commonest: Math.max(...counts.values()) / labels.length, distinct: counts.size / labels.length };
  }
}
