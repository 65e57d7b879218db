import type { Course } from './dynamics.ts';
import { toChance } from './log-odds.ts';
import { drawBinomial, type Random } from './random.ts';
import { type Moment, toFiniteLogOdds } from './trajectory.ts';

/**
 * One training run with real votes: each step every agent samples one group, labels are counted from those samples,
 * and its log-odds move by η (2Z−1) √(C(K−C)) / K, Z telling whether its label is right (Proposition 1). Answers are
 * binary. Returns the chances at `start` and after every step, `steps` + 1 of them.
 */
export function sampleRun(
  { learners, teaching }: Course,
  start: readonly number[],
  steps: number,
  random: Random,
): readonly Moment[] {
  let l: readonly number[] = start.map(toFiniteLogOdds);
  const moments: Moment[] = [{ time: 0, p: start }];
  for (let step = 1; step <= steps; step++) {
    const { counts, labels } = sampleVotes(learners, l, random);
    l = moveBy(learners, l, counts, (n) => labelFor(n, { learners, teaching }, counts, labels, random));
    moments.push({ time: step, p: l.map(toChance) });
  }
  return moments;
}

/** One group of each agent at its log-odds `l`: how many of its answers are right, and +1 or −1 for its label. */
function sampleVotes(
  learners: Course['learners'],
  l: readonly number[],
  random: Random,
): { readonly counts: readonly number[]; readonly labels: readonly number[] } {
  const counts = learners.map(({ k }, n) => drawBinomial(k, toChance(l[n] ?? 0), random));
  return { counts, labels: counts.map((c, n) => majority(c, learners[n]?.k ?? 0, random)) };
}

/** The log-odds after that step, when agent `n` is rewarded by a label that is right (+1), wrong (−1) or missing (0). */
export function moveBy(
  learners: Course['learners'],
  l: readonly number[],
  counts: readonly number[],
  labelOf: (n: number) => number,
): readonly number[] {
  return l.map((value, n) => {
    const { k, eta } = learners[n] ?? { k: 1, eta: 0 };
    const c = counts[n] ?? 0;
    return value + (eta * labelOf(n) * Math.sqrt(c * (k - c))) / k;
  });
}

/** +1 when the label that rewards agent `n` is right, −1 when it is wrong, 0 when there is none. */
function labelFor(
  n: number,
  { learners, teaching }: Pick<Course, 'learners' | 'teaching'>,
  counts: readonly number[],
  labels: readonly number[],
  random: Random,
): number {
  const size = labels.length;
  switch (teaching) {
    case 'self':
      return labels[n] ?? 0;
    case 'predecessor':
      return labels[(n + size - 1) % size] ?? 0;
    case 'successor':
      return labels[(n + 1) % size] ?? 0;
    case 'peer-majority':
      return Math.sign(labels.reduce((sum, label, m) => (m === n ? sum : sum + label), 0));
    case 'pooled': {
      const right = counts.reduce((sum, c, m) => (m === n ? sum : sum + c), 0);
      const all = learners.reduce((sum, { k }, m) => (m === n ? sum : sum + k), 0);
      return majority(right, all, random);
    }
  }
}

/** Ties are drawn: the rule "half" of the theory. */
function majority(right: number, all: number, random: Random): number {
  return Math.sign(2 * right - all) || (random() < 0.5 ? -1 : 1);
}
