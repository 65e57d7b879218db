import { type Bucket, votersOf } from '../../domain/bucket.ts';
import type { AgentName } from '../../domain/cohort.ts';
import { type MajorityTie, MOST_SUBSETS, majAtK, pooledMajAtK } from '../../methods/maj-at-k.ts';
import type { SampleCounts } from '../../methods/sample-pairs.ts';
import type { Random } from '../../theory/random.ts';

/** maj@k of one agent, or of several whose answers are pooled. */
export interface MajorityRow {
  readonly agents: readonly AgentName[];
  readonly k: number;
  /** Mean over prompts, 0 to 1; null without a prompt. */
  readonly score: number | null;
  /** Of the drawing of subsets alone, not of the choice of prompts; 0 where every subset was counted. */
  readonly standard_error: number | null;
  /** Prompts and rounds with a truth in which every agent of the files has k rollouts. */
  readonly prompts: number;
  readonly exact: boolean;
}

/** Agents whose pairs are pooled; of more, only all together. */
const MOST_PAIRED = 6;
const FEWEST_DRAWS = 100;
/** Subsets drawn for one row, over all prompts. */
const DRAWS_PER_ROW = 1_000_000;

interface Held {
  readonly agents: readonly AgentName[];
  readonly k: number;
  sum: number;
  variance: number;
  prompts: number;
  exact: boolean;
}

/**
 * maj@k at a matched budget (Co-RL, appendix D.4): every row votes with k answers, of which pooled agents
 * give equally many.
 */
export class MajorityTable {
  readonly #rows: Held[] = [];
  readonly #agents: readonly AgentName[];
  readonly #tie: MajorityTie;
  readonly #random: Random;
  readonly #draws: number;

  /** `buckets`: about how many there will be. */
  constructor(
    agents: readonly AgentName[],
    sizes: readonly number[],
    {
      tie,
      random,
      buckets,
    }: { readonly tie: MajorityTie; readonly random: Random; readonly buckets: number },
  ) {
    this.#agents = agents;
    this.#tie = tie;
    this.#random = random;
    this.#draws = Math.min(
      MOST_SUBSETS,
      Math.max(FEWEST_DRAWS, Math.ceil(DRAWS_PER_ROW / Math.max(1, buckets))),
    );
    for (const k of sizes) {
      for (const members of membersOf(agents)) {
        this.#rows.push({ agents: members, k, sum: 0, variance: 0, prompts: 0, exact: true });
      }
    }
  }

  add({ groups }: Bucket, samples: ReadonlyMap<AgentName, SampleCounts>): void {
    const answers = new Map<AgentName, readonly (string | null)[]>();
    const gold = new Set<string>();
    for (const name of this.#agents) {
      const rightKeys = samples.get(name)?.rightKeys ?? null;
      const group = groups.get(name);
      if (rightKeys === null || group === undefined) return;
      for (const key of rightKeys) gold.add(key);
      answers.set(
        name,
        votersOf(group).map(({ key }) => key),
      );
    }
    const fewest = Math.min(...[...answers.values()].map(({ length }) => length));
    for (const row of this.#rows) {
      if (fewest < row.k) continue;
      const options = {
        k: row.k,
        isGold: (key: string) => gold.has(key),
        tie: this.#tie,
        random: this.#random,
        draws: this.#draws,
      };
      const pools = row.agents.map((name) => answers.get(name) ?? []);
      const { score, standardError, exact } =
        pools.length === 1
          ? majAtK(pools[0] ?? [], options)
          : pooledMajAtK(
              pools.map((pool) => pool.slice(0, fewest)),
              options,
            );
      row.sum += score;
      row.variance += standardError ** 2;
      row.prompts += 1;
      row.exact &&= exact;
    }
  }

  rows(): readonly MajorityRow[] {
    return this.#rows.map(({ agents, k, sum, variance, prompts, exact }) => ({
      agents,
      k,
      score: prompts === 0 ? null : sum / prompts,
      standard_error: prompts === 0 ? null : Math.sqrt(variance) / prompts,
      prompts,
      exact,
    }));
  }
}

/** Each by itself, every two, and all. */
function membersOf(agents: readonly AgentName[]): readonly (readonly AgentName[])[] {
  const singles = agents.map((name) => [name]);
  const pairs =
    agents.length > MOST_PAIRED
      ? []
      : agents.flatMap((first, at) => agents.slice(at + 1).map((second) => [first, second]));
  return [...singles, ...pairs, ...(agents.length > 2 ? [agents] : [])];
}
