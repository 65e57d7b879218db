import type { Gathered } from './gather.ts';

/** `agreement[i][j]`: how often candidates i and j have the same label, 0 to 1; null where they cannot be compared. */
export type AgreementMatrix = readonly (readonly (number | null)[])[];

/** How often every two candidates have the same label, of the groups in which both have one; 1 on the diagonal. */
export function agreementOf(labels: Gathered['labels'], candidates: number): AgreementMatrix {
  const both = Array.from({ length: candidates }, () => new Float64Array(candidates));
  const same = Array.from({ length: candidates }, () => new Float64Array(candidates));
  for (const row of labels.flat()) {
    for (let i = 0; i < candidates; i++) {
      for (let j = 0; j < candidates; j++) {
        const [a, b] = [row[i] ?? null, row[j] ?? null];
        const [bothOf, sameOf] = [both[i], same[i]];
        if (a === null || b === null || bothOf === undefined || sameOf === undefined) continue;
        bothOf[j] = (bothOf[j] ?? 0) + 1;
        if (a === b) sameOf[j] = (sameOf[j] ?? 0) + 1;
      }
    }
  }
  return both.map((row, i) =>
    Array.from(row, (count, j) => (count === 0 ? null : (same[i]?.[j] ?? 0) / count)),
  );
}
