import { binomialPmf } from './binomial.ts';
import { bisect } from './vote-curve.ts';
import { largestWrongCounts } from './wrong-counts.ts';

/** What a group of K open answers does, for each count c of right ones; entries 0 … K. */
export interface OpenAnswers {
  readonly k: number;
  /** How often the right answer wins the plurality, ties drawn. */
  readonly right: readonly number[];
  /** √(c(K−c)): what a right label pays the right answers. */
  readonly gain: readonly number[];
  /** Mean of c·√(N/(K−N)): what a label that is some wrong answer with N rollouts takes from them. */
  readonly loss: readonly number[];
  /** The same where the label is the group's own winner; 0 where that is right. */
  readonly ownLoss: readonly number[];
}

/** `wrong` equally likely wrong answers, >= 1; with one, answers are binary. */
export function openAnswers(k: number, wrong: number): OpenAnswers {
  const right: number[] = [];
  const gain: number[] = [];
  const loss: number[] = [];
  const ownLoss: number[] = [];
  for (let c = 0; c <= k; c++) {
    const rest = k - c;
    const taken = (n: number) => (c === 0 ? 0 : c * Math.sqrt(n / (k - n)));
    let wins = 0;
    let lost = 0;
    for (const [most, chances] of largestWrongCounts(rest, wrong).entries()) {
      for (const [tied, chance] of chances.entries()) {
        if (chance === 0) continue;
        const share = most < c ? 1 : most === c ? 1 / (tied + 1) : 0;
        wins += chance * share;
        lost += chance * (1 - share) * taken(most);
      }
    }
    // Without any right answer there is nothing to win, and 0 rollouts of it cannot tie.
    right.push(c === 0 ? 0 : wins);
    gain.push(Math.sqrt(c * rest));
    loss.push(binomialPmf(rest, 1 / wrong).reduce((sum, chance, n) => sum + chance * taken(n), 0));
    ownLoss.push(lost);
  }
  return { k, right, gain, loss, ownLoss };
}

/** How often the plurality is right when each answer is right with probability `p`; 0 to 1. */
export function pluralityAccuracy({ k, right }: OpenAnswers, p: number): number {
  return mean(right, binomialPmf(k, p));
}

/** The p at which the plurality is right half of the time: below 1/2 as soon as wrong answers scatter. */
export function openEvenPoint(answers: OpenAnswers): number {
  return bisect((p) => pluralityAccuracy(answers, p) - 0.5, 0, 1);
}

/**
 * Log-odds drift at η = 1 under labels from elsewhere that are right with probability `labelRight`, some wrong answer
 * with probability `labelWrong`, and missing otherwise. From the policy gradient of one GRPO group with population
 * standard deviation, keeping the wrong answers alike; with one wrong answer it is h_K(p)·(labelRight − labelWrong).
 */
export function openPull(
  { k, gain, loss }: OpenAnswers,
  p: number,
  labelRight: number,
  labelWrong: number,
): number {
  const pmf = binomialPmf(k, p);
  return (labelRight * mean(gain, pmf) - labelWrong * mean(loss, pmf)) / k;
}

/** The same under the agent's own plurality, which shares its samples with the reward. */
export function openSelfPull({ k, right, gain, ownLoss }: OpenAnswers, p: number): number {
  return (
    binomialPmf(k, p).reduce(
      (sum, chance, c) => sum + chance * ((right[c] ?? 0) * (gain[c] ?? 0) - (ownLoss[c] ?? 0)),
      0,
    ) / k
  );
}

function mean(values: readonly number[], pmf: readonly number[]): number {
  return pmf.reduce((sum, chance, c) => sum + chance * (values[c] ?? 0), 0);
}
