/** What came of the cases of one family. A false match is counted apart: it is worse than a miss. */
export interface Tally {
  correct: number;
  falseMatches: number;
  misses: number;
  contested: number;
}

export type Verdict = boolean | string | null;

export interface Outcome {
  got: Verdict;
  expected: Verdict;
  contested?: boolean;
}

export function emptyTally(): Tally {
  return { correct: 0, falseMatches: 0, misses: 0, contested: 0 };
}

/** Whether the outcome is as expected; counts it in each tally. */
export function count(outcome: Outcome, tallies: readonly Tally[]): boolean {
  const right = outcome.got === outcome.expected;
  for (const tally of tallies) {
    if (right) tally.correct += 1;
    else if (outcome.contested === true) tally.contested += 1;
    else if (outcome.got === false || outcome.got === null) tally.misses += 1;
    else tally.falseMatches += 1;
  }
  return right;
}

/** The share of the cases that are not contested, 0 to 1; 0 of none. */
export function share(tally: Tally): number {
  return tally.correct / Math.max(1, tally.correct + tally.falseMatches + tally.misses);
}

export function formatTally(name: string, tally: Tally): string {
  const all = tally.correct + tally.falseMatches + tally.misses;
  const contested = tally.contested === 0 ? '' : `  contested ${tally.contested}`;
  const percent = (100 * share(tally)).toFixed(1).padStart(5);
  return `  ${name.padEnd(24)} ${`${tally.correct}/${all}`.padStart(10)}  ${percent} %  false matches ${tally.falseMatches}  misses ${tally.misses}${contested}`;
}
