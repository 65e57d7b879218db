/** What came of reducing one value per token to one number per rollout. */
export type TokenMean =
  | { readonly kind: 'mean'; readonly mean: number }
  /** No token counts: the rollout is empty, and has no mean. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid'; readonly reason: string };

const LARGEST = 1e9;

/** An entropy or a divergence computed in single precision may come out this far below zero. */
const ROUNDING = 1e-5;

/**
 * Mean of per-token entropies or divergences (nats) over the tokens whose mask is not 0; without a mask over all. The
 * mask must have one entry per token. Values that the mask leaves out are not looked at: they are padding.
 */
export function meanOverTokens(
  values: readonly number[],
  mask: readonly (number | boolean)[] | null,
): TokenMean {
  if (mask !== null && mask.length !== values.length) {
    const reason = `has ${values.length} values, but the mask has ${mask.length}: send one of each per token`;
    return { kind: 'invalid', reason };
  }
  let sum = 0;
  let count = 0;
  for (const [at, value] of values.entries()) {
    if (mask !== null && Number(mask[at]) === 0) continue;
    const reason = whyNoMeasure(value);
    if (reason !== null) return { kind: 'invalid', reason: `${reason} at token ${at}` };
    sum += Math.max(0, value);
    count++;
  }
  if (count === 0) return { kind: 'empty' };
  return bounded(sum / count);
}

/** Checks one mean entropy or divergence that the trainer reduced itself; a rounding error below 0 counts as 0. */
export function readMean(value: number): TokenMean {
  const reason = whyNoMeasure(value);
  return reason === null ? bounded(Math.max(0, value)) : { kind: 'invalid', reason };
}

/** Values this large are no entropies, and sums of them would be rewards and figures that JSON cannot carry. */
function bounded(mean: number): TokenMean {
  return mean <= LARGEST
    ? { kind: 'mean', mean }
    : { kind: 'invalid', reason: `has a mean above ${LARGEST}` };
}

/** Both measures are finite and never negative. Null: the value is one. */
function whyNoMeasure(value: number): string | null {
  if (!Number.isFinite(value)) return 'has a value that is not finite';
  return value < -ROUNDING ? `has the negative value ${value}` : null;
}
