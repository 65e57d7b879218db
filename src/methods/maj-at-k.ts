/** What a tie for the top is worth: the gold answer's part of it, the earliest answer, or nothing. */
export type MajorityTie = 'fractional' | 'first' | 'discard';

export interface MajAtK {
  /** Mean score over subsets of k answers, 0 to 1. */
  readonly score: number;
  /** Standard error of a Monte Carlo estimate; 0 when every subset was counted. */
  readonly standardError: number;
  readonly subsets: number;
  /** Every subset was counted. */
  readonly exact: boolean;
}

/** More subsets than this are sampled instead of counted. */
export const MOST_SUBSETS = 5_000;

/** The answers with the most votes, earliest first; abstentions (null) do not vote. Empty when all abstain. */
export function majorities(answers: readonly (string | null)[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const answer of answers) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const top = Math.max(0, ...counts.values());
  return [...counts].filter(([, count]) => count === top).map(([answer]) => answer);
}

/** What the majority of these answers is worth against the gold ones, 0 to 1. */
export function scoreMajority(
  answers: readonly (string | null)[],
  isGold: (answer: string) => boolean,
  tie: MajorityTie,
): number {
  const leaders = majorities(answers);
  const [first] = leaders;
  if (first === undefined) return 0;
  switch (tie) {
    case 'first':
      return isGold(first) ? 1 : 0;
    case 'discard':
      return leaders.length === 1 && isGold(first) ? 1 : 0;
    case 'fractional':
      return leaders.filter(isGold).length / leaders.length;
  }
}

/**
 * maj@k: the score of the majority of k answers, averaged over all subsets of size k (kept in order) when there are
 * at most {@link MOST_SUBSETS}, else over that many drawn with `random`, uniform in [0, 1). Fewer than k answers make one
 * subset. Matched-budget comparisons pool the same number of answers per row; `fractional` favours no order of them.
 */
export function majAtK(
  answers: readonly (string | null)[],
  options: {
    readonly k: number;
    readonly isGold: (answer: string) => boolean;
    readonly tie: MajorityTie;
    readonly random: () => number;
    /** Subsets drawn where not all are counted, at least 2. */
    readonly draws?: number;
  },
): MajAtK {
  const { k, isGold, tie, random, draws = MOST_SUBSETS } = options;
  const size = Math.min(k, answers.length);
  const count = binomial(answers.length, size);
  const exact = count <= MOST_SUBSETS;
  const subsets = exact ? subsetsOf(answers.length, size) : drawSubsets(answers.length, size, draws, random);
  let [seen, mean, squares] = [0, 0, 0];
  for (const subset of subsets) {
    const score = scoreMajority(
      subset.map((at) => answers[at] ?? null),
      isGold,
      tie,
    );
    seen += 1;
    const delta = score - mean;
    mean += delta / seen;
    squares += delta * (score - mean);
  }
  const standardError = exact ? 0 : Math.sqrt(squares / (seen - 1) / seen);
  return { score: mean, standardError, subsets: seen, exact };
}

/** Unbiased pass@k: the chance that k of n answers (all, if fewer), `right` of them right, hold a right one (Chen et al. 2021). */
export function passAtK(n: number, right: number, k: number): number {
  let miss = 1;
  for (let at = 0; at < Math.min(k, n); at++) miss *= Math.max(0, n - right - at) / (n - at);
  return 1 - miss;
}

/** Stops growing above {@link MOST_SUBSETS}, before it leaves what a double holds. */
function binomial(n: number, k: number): number {
  let value = 1;
  for (let at = 1; at <= Math.min(k, n - k); at++) {
    value = (value * (n + 1 - at)) / at;
    if (value > MOST_SUBSETS) return value;
  }
  return Math.round(value);
}

function* subsetsOf(n: number, size: number): Generator<readonly number[]> {
  const picked = Array.from({ length: size }, (_, at) => at);
  for (;;) {
    yield [...picked];
    let at = size - 1;
    while (at >= 0 && picked[at] === n - size + at) at -= 1;
    const moved = picked[at];
    if (moved === undefined) return;
    for (let later = at; later < size; later++) picked[later] = moved + 1 + later - at;
  }
}

/** Selection sampling (Knuth, Algorithm S): each subset with the same chance, in order. */
function* drawSubsets(
  n: number,
  size: number,
  draws: number,
  random: () => number,
): Generator<readonly number[]> {
  for (let draw = 0; draw < draws; draw++) {
    const picked: number[] = [];
    for (let at = 0; picked.length < size; at++) {
      if ((n - at) * random() < size - picked.length) picked.push(at);
    }
    yield picked;
  }
}
