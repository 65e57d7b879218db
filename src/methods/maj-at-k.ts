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
  const { k, random, draws = MOST_SUBSETS } = options;
  const size = Math.min(k, answers.length);
  const count = binomial(answers.length, size);
  const exact = count <= MOST_SUBSETS;
  const subsets = exact ? subsetsOf(answers.length, size) : drawSubsets(answers.length, size, draws, random);
  return averageOver(answers, subsets, exact, options);
}

/**
 * maj@k of several agents, each of which gives k / agents of the answers (Co-RL, appendix D.4), over all ways to choose them
 * when there are at most {@link MOST_SUBSETS} (or `draws`), else over drawn ones. Where k leaves a rest, some agents give one answer
 * more, in all ways equally. Every pool must have as many answers as the first. Ties `first` favour the first pool.
 */
export function pooledMajAtK(
  pools: readonly (readonly (string | null)[])[],
  options: Parameters<typeof majAtK>[1],
): MajAtK {
  const { k, random, draws = MOST_SUBSETS } = options;
  const size = pools[0]?.length ?? 0;
  const part = Math.floor(k / pools.length);
  const rest = k % pools.length;
  const count =
    binomial(pools.length, rest) *
    binomial(size, part + 1) ** rest *
    binomial(size, part) ** (pools.length - rest);
  // With few draws, as for many prompts, counting all ways would take the time that drawing saves.
  const exact = count <= Math.min(MOST_SUBSETS, draws);
  const plan = { pools: pools.length, size, part, rest };
  const subsets = exact ? everyChoice(plan) : drawChoices(plan, draws, random);
  return averageOver(pools.flat(), subsets, exact, options);
}

function averageOver(
  answers: readonly (string | null)[],
  subsets: Iterable<readonly number[]>,
  exact: boolean,
  { isGold, tie }: Pick<Parameters<typeof majAtK>[1], 'isGold' | 'tie'>,
): MajAtK {
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

function* drawSubsets(
  n: number,
  size: number,
  draws: number,
  random: () => number,
): Generator<readonly number[]> {
  for (let draw = 0; draw < draws; draw++) yield drawSubset(n, size, random);
}

interface PoolPlan {
  readonly pools: number;
  /** Answers of each. */
  readonly size: number;
  /** How many each gives, and how many pools give one more. */
  readonly part: number;
  readonly rest: number;
}

function* everyChoice({ pools, size, part, rest }: PoolPlan): Generator<readonly number[]> {
  for (const more of subsetsOf(pools, rest)) {
    yield* joined(
      Array.from({ length: pools }, (_, pool) => part + (more.includes(pool) ? 1 : 0)),
      size,
    );
  }
}

/** All ways to take so many of `size` things from one pool after the other. */
function* joined(parts: readonly number[], size: number, from = 0): Generator<readonly number[]> {
  const part = parts[from];
  if (part === undefined) {
    yield [];
    return;
  }
  for (const own of subsetsOf(size, part)) {
    for (const others of joined(parts, size, from + 1))
      yield [...own.map((at) => from * size + at), ...others];
  }
}

function* drawChoices(
  { pools, size, part, rest }: PoolPlan,
  draws: number,
  random: () => number,
): Generator<readonly number[]> {
  for (let draw = 0; draw < draws; draw++) {
    const more = drawSubset(pools, rest, random);
    yield Array.from({ length: pools }, (_, pool) =>
      drawSubset(size, part + (more.includes(pool) ? 1 : 0), random).map((at) => pool * size + at),
    ).flat();
  }
}

/** Selection sampling (Knuth, Algorithm S): each subset with the same chance, in order. */
function drawSubset(n: number, size: number, random: () => number): readonly number[] {
  const picked: number[] = [];
  for (let at = 0; picked.length < size; at++) {
    if ((n - at) * random() < size - picked.length) picked.push(at);
  }
  return picked;
}
