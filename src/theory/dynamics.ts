import { binomialPmf, convolve } from './binomial.ts';
import { type OpenAnswers, openAnswers, openPull, openSelfPull, pluralityAccuracy } from './open-answers.ts';
import { largestWrongCounts } from './wrong-counts.ts';

/** Whose label rewards an agent. Ring `predecessor` is the paper's direction, `successor` the reference code's. */
export const TEACHING = ['self', 'predecessor', 'successor', 'peer-majority', 'pooled'] as const;
export type Teaching = (typeof TEACHING)[number];

export interface Learner {
  /** Rollouts per prompt. */
  readonly k: number;
  /** Learning rate η: log-odds per unit of time at full pull. */
  readonly eta: number;
}

/** A cohort on one problem, as Theorem 1 of Co-RL (arXiv 2608.17253) sees it. */
export interface Course {
  readonly learners: readonly Learner[];
  readonly teaching: Teaching;
  /** Equally likely wrong answers; 1 makes answers binary, as in the paper. */
  readonly wrong: number;
}

/** dl/dt for log-odds l = log(p/(1−p)) of each agent's chance of a right answer, given those chances. */
export type Drift = (p: readonly number[]) => readonly number[];

/** Chances that a label is right and that it is some wrong answer; what is left of 1 is no label. */
interface LabelOdds {
  readonly right: number;
  readonly wrong: number;
}

/** The mean-field drift of a course: an infinite batch of statistically independent groups per unit of time. */
export function driftOf({ learners, teaching, wrong }: Course): Drift {
  const tables = new Map(
    [...new Set(learners.map(({ k }) => k))].map((k) => [k, openAnswers(k, wrong)] as const),
  );
  const answers = learners.map(({ k }) => tables.get(k) ?? openAnswers(k, wrong));
  const oddsOf = labelOdds(answers, teaching, wrong);
  return (p) =>
    learners.map(({ eta }, n) => {
      const own = answers[n];
      const chance = p[n] ?? 0;
      if (own === undefined) return 0;
      if (teaching === 'self') return eta * openSelfPull(own, chance);
      const { right, wrong: lost } = oddsOf(p, n);
      return eta * openPull(own, chance, right, lost);
    });
}

function labelOdds(
  answers: readonly OpenAnswers[],
  teaching: Teaching,
  wrong: number,
): (p: readonly number[], n: number) => LabelOdds {
  const size = answers.length;
  const peersOf = (n: number) => answers.map((_, m) => m).filter((m) => m !== n);
  const accuracy = (p: readonly number[], m: number) => {
    const table = answers[m];
    return table === undefined ? 0 : pluralityAccuracy(table, p[m] ?? 0);
  };
  switch (teaching) {
    case 'self':
      return () => ({ right: 0, wrong: 0 });
    case 'predecessor':
    case 'successor': {
      const step = teaching === 'predecessor' ? size - 1 : 1;
      return (p, n) => {
        const right = accuracy(p, (n + step) % size);
        return { right, wrong: 1 - right };
      };
    }
    case 'peer-majority': {
      const table = pluralityOfLabels(size - 1, wrong);
      return (p, n) => {
        const rightLabels = peersOf(n)
          .map((m) => accuracy(p, m))
          .reduce<readonly number[]>((sum, v) => convolve(sum, [1 - v, v]), [1]);
        return {
          right: rightLabels.reduce((sum, chance, s) => sum + chance * (table[s]?.right ?? 0), 0),
          wrong: rightLabels.reduce((sum, chance, s) => sum + chance * (table[s]?.wrong ?? 0), 0),
        };
      };
    }
    case 'pooled': {
      const pools = new Map<number, OpenAnswers>();
      for (const n of answers.keys()) {
        const k = peersOf(n).reduce((sum, m) => sum + (answers[m]?.k ?? 0), 0);
        if (!pools.has(k)) pools.set(k, openAnswers(k, wrong));
      }
      return (p, n) => {
        const counts = peersOf(n).reduce<readonly number[]>(
          (sum, m) => convolve(sum, binomialPmf(answers[m]?.k ?? 0, p[m] ?? 0)),
          [1],
        );
        const shares = pools.get(counts.length - 1)?.right ?? [];
        const right = counts.reduce((sum, chance, c) => sum + chance * (shares[c] ?? 0), 0);
        return { right, wrong: 1 - right };
      };
    }
  }
}

/** For s right labels among `peers`: how often the unique plurality is right, and how often wrong; a tie is no label. */
export function pluralityOfLabels(peers: number, wrong: number): readonly LabelOdds[] {
  return Array.from({ length: peers + 1 }, (_, s) => {
    let odds = { right: 0, wrong: 0 };
    for (const [most, chances] of largestWrongCounts(peers - s, wrong).entries()) {
      const alone = chances[1] ?? 0;
      const any = chances.reduce((sum, chance) => sum + chance, 0);
      if (most < s) odds = { ...odds, right: odds.right + any };
      if (most > s) odds = { ...odds, wrong: odds.wrong + alone };
    }
    return odds;
  });
}
