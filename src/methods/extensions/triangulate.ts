/** How often agents 1 and 2, 1 and 3, and 2 and 3 agree, 0 to 1. */
export type Agreements = readonly [a12: number, a13: number, a23: number];

/** Estimated accuracy of agents 1, 2 and 3, at most 1. */
export type Accuracies = readonly [number, number, number];

/**
 * Accuracy of three agents from their agreement alone, for answers that are one of two: with c = 2a - 1,
 * p_1 = (1 + sqrt(c_12 c_13 / c_23)) / 2. Needs errors that are independent given the truth, and agents better
 * than chance: null where some c is not above 0 (Platanios et al. 2014).
 */
export function triangulateBinary(agreements: Agreements): Accuracies | null {
  return solve(
    agreements.map((a) => 2 * a - 1),
    (root) => (1 + root) / 2,
  );
}

/**
 * The same for open answers, where two wrong answers are never the same: p_1 = sqrt(a_12 a_13 / a_23). Null
 * where some pair never agrees. Wrong answers that do collide make it too high.
 */
export function triangulateOpen(agreements: Agreements): Accuracies | null {
  return solve(agreements, (root) => root);
}

function solve(pairs: readonly number[], accuracyOf: (root: number) => number): Accuracies | null {
  const [c12 = 0, c13 = 0, c23 = 0] = pairs;
  if (c12 <= 0 || c13 <= 0 || c23 <= 0) return null;
  const accuracy = (square: number) => Math.min(1, accuracyOf(Math.sqrt(square)));
  return [accuracy((c12 * c13) / c23), accuracy((c12 * c23) / c13), accuracy((c13 * c23) / c12)];
}
