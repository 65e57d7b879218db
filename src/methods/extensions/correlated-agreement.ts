export interface CorrelatedAgreement {
  /** Share of the prompts on which both gave the same answer. */
  readonly agreement: number;
  /** Mean of 1[a_i = b_j] over different prompts i and j: what agreement says of two that always answer alike. */
  readonly chance: number;
  /** agreement - chance: 0 for two agents that answer every prompt with one constant. */
  readonly score: number;
  /** Per compared prompt 1[a_i = b_i] minus the mean of 1[a_i = b_j] over the others; their mean is the score. */
  readonly scores: readonly number[];
}

/**
 * Correlated agreement of two agents over a batch of prompts (Dasgupta and Ghosh 2013): agreement beyond what their
 * habits explain. `pairs` hold both answers to one prompt; prompts that either left unanswered are dropped. Null for
 * fewer than two. It needs a batch, so that it is a metric and not a reward (docs/decisions/0011).
 */
export function correlatedAgreement(
  pairs: readonly (readonly [string | null, string | null])[],
): CorrelatedAgreement | null {
  const both = pairs.flatMap(([a, b]) => (a === null || b === null ? [] : [[a, b] as const]));
  const others = both.length - 1;
  if (others < 1) return null;
  const counts = new Map<string, number>();
  for (const [, b] of both) counts.set(b, (counts.get(b) ?? 0) + 1);
  let [hits, chances] = [0, 0];
  const scores = both.map(([a, b]) => {
    const hit = a === b ? 1 : 0;
    const elsewhere = (counts.get(a) ?? 0) - hit;
    hits += hit;
    chances += elsewhere;
    return hit - elsewhere / others;
  });
  const agreement = hits / both.length;
  const chance = chances / (both.length * others);
  return { agreement, chance, score: agreement - chance, scores };
}
