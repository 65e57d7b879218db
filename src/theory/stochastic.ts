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
  let l = start.map(toFiniteLogOdds);
  const moments: Moment[] = [{ time: 0, p: start }];
  for (let step = 1; step <= steps; step++) {
    const counts = learners.map(({ k }, n) => drawBinomial(k, toChance(l[n] ?? 0), random));
    const labels = counts.map((c, n) => majority(c, learners[n]?.k ?? 0, random));
    l = l.map((value, n) => {
      const { k, eta } = learners[n] ?? { k: 1, eta: 0 };
      const c = counts[n] ?? 0;
      const z = labelFor(n, { learners, teaching }, counts, labels, random);
      return value + (eta * z * Math.sqrt(c * (k - c))) / k;
    });
    moments.push({ time: step, p: l.map(toChance) });
  }
  return moments;
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
