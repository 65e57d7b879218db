/** l = log(p/(1−p)); ±Infinity at 1 and 0. */
export function toLogOdds(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

/** p = 1/(1+e^−l), exact at both ends. */
export function toChance(l: number): number {
  if (l >= 0) return 1 / (1 + Math.exp(-l));
  const e = Math.exp(l);
  return e / (1 + e);
}
