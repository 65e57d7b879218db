import type { Learner } from './dynamics.ts';
import type { Random } from './random.ts';

/** One group of each agent: how often each answer came, the vote, and whether the vote was tied. */
export interface Sampled {
  readonly counts: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly tied: readonly boolean[];
}

/**
 * One group of each agent at its logits over the answers. Ties are drawn: the rule "half" of the theory. Of twins the second
 * draws what the first drew.
 */
export function sampleAnswers(
  learners: readonly Learner[],
  logits: readonly (readonly number[])[],
  twins: readonly (readonly [number, number])[],
  random: Random,
): Sampled {
  const draws = learners.map(({ k }) => Array.from({ length: k }, random));
  for (const [first, second] of twins) draws[second] = draws[first] ?? [];
  const counts = learners.map((_, n) => countAnswers(logits[n] ?? [], draws[n] ?? []));
  const labels: number[] = [];
  const tied: boolean[] = [];
  for (const count of counts) {
    const most = Math.max(...count);
    const leaders = count.flatMap((value, answer) => (value === most ? [answer] : [])).reverse();
    tied.push(leaders.length > 1);
    labels.push(leaders[leaders.length > 1 ? Math.floor(random() * leaders.length) : 0] ?? 0);
  }
  return { counts, labels, tied };
}

function countAnswers(logits: readonly number[], draws: readonly number[]): number[] {
  const top = Math.max(...logits);
  const weights = logits.map((value) => Math.exp(value - top));
  const total = weights.reduce((sum, value) => sum + value, 0);
  const counts = logits.map(() => 0);
  for (const draw of draws) {
    let rest = draw * total;
    let answer = 0;
    while (answer < weights.length - 1 && rest >= (weights[answer] ?? 0)) rest -= weights[answer++] ?? 0;
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

/**
 * Moves the logits of one agent, in place, when it is rewarded by this label: each of its K answers pushes its own logit by
 * η/2 times its advantage (r − mean) / deviation, over K. With two answers that is Proposition 1: the log-odds move by
 * η √(C(K−C)) / K. A group that is all right or all wrong moves nothing, and so does no label, below 0.
 */
export function moveAnswers(
  { k, eta }: Learner,
  logits: number[],
  counts: readonly number[],
  label: number,
): void {
  const right = label < 0 ? 0 : (counts[label] ?? 0);
  if (right === 0 || right === k) return;
  const mean = right / k;
  const push = eta / 2 / Math.sqrt(mean * (1 - mean)) / k;
  for (const [answer, count] of counts.entries()) {
    const advantage = (answer === label ? 1 : 0) - mean;
    logits[answer] = (logits[answer] ?? 0) + push * count * advantage;
  }
}
