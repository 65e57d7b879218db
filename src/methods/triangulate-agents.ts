import {
  type Accuracies,
  type Agreements,
  triangulateBinary,
  triangulateOpen,
} from './extensions/triangulate.ts';

/** `agreement[i][j]`: how often agents i and j agree, 0 to 1; null where they cannot be compared. */
export type AgreementMatrix = readonly (readonly (number | null)[])[];

/**
 * Accuracy of every agent from agreement alone: the median over all pairs of others of what triangulation says, 0 to 1;
 * null for an agent that no three say anything of. Errors must be independent given the truth.
 */
export function triangulateAgents(
  agreement: AgreementMatrix,
  answers: 'binary' | 'open',
): readonly (number | null)[] {
  const solve: (agreements: Agreements) => Accuracies | null =
    answers === 'binary' ? triangulateBinary : triangulateOpen;
  return agreement.map((row, own) => {
    const estimates: number[] = [];
    for (let first = 0; first < row.length; first++) {
      for (let second = first + 1; second < row.length; second++) {
        if (first === own || second === own) continue;
        const [a, b, c] = [row[first], row[second], agreement[first]?.[second]];
        if (a == null || b == null || c == null) continue;
        const solved = solve([a, b, c]);
        if (solved !== null) estimates.push(solved[0]);
      }
    }
    return estimates.length === 0 ? null : median(estimates);
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const above = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? (above + (sorted[middle - 1] ?? 0)) / 2 : above;
}
