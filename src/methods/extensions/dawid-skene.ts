export interface DawidSkeneOptions {
  /** M: how many answers a prompt has, at least 2. For open answers a nominal number such as 10. */
  readonly classes: number;
  /** Beta prior of an agent's accuracy, or null for plain maximum likelihood, which may collapse onto one agent. */
  readonly prior: readonly [alpha: number, beta: number] | null;
  /** Accuracy that every agent starts from. */
  readonly start: number;
  /** Stops when no accuracy moved more. */
  readonly tolerance: number;
  readonly maxIterations: number;
  /** Accuracies stay this far from 0 and 1. */
  readonly clip: number;
}

/** A Beta(4, 2) prior: without it EM may call one agent always right (spec: 8 prompts, 3 agents). */
export const DAWID_SKENE_DEFAULTS: DawidSkeneOptions = {
  classes: 10,
  prior: [4, 2],
  start: 0.7,
  tolerance: 1e-10,
  maxIterations: 200,
  clip: 1e-6,
};

export interface DawidSkene {
  /** Estimated probability that each agent's label is right, in the order of the columns. */
  readonly accuracy: readonly number[];
  /** For each prompt, the probability of each label that someone gave; sums to 1; empty where nobody did. */
  readonly posteriors: readonly ReadonlyMap<string, number>[];
  readonly iterations: number;
}

/**
 * One-coin Dawid-Skene (Dawid and Skene 1979; the one-coin form of crowd-kit): each agent is right with one
 * probability, and wrong labels are spread evenly over the other M - 1 answers. EM over `labels[prompt][agent]`, null
 * where an agent has none. The posterior is over the labels that were given. Three agents or more: with two,
 * agreement alone does not tell who is right. An agent without labels keeps the prior's mode, or the start.
 */
export function dawidSkene(
  labels: readonly (readonly (string | null)[])[],
  options: DawidSkeneOptions,
): DawidSkene {
  const agents = Math.max(0, ...labels.map((row) => row.length));
  let accuracy: readonly number[] = Array.from({ length: agents }, () => options.start);
  let posteriors = expect(labels, accuracy, options.classes);
  for (let iterations = 1; ; iterations++) {
    const next = maximise(labels, posteriors, accuracy, options);
    const moved = Math.max(0, ...next.map((value, agent) => Math.abs(value - (accuracy[agent] ?? 0))));
    accuracy = next;
    if (moved < options.tolerance || iterations >= options.maxIterations) {
      return { accuracy, posteriors, iterations };
    }
    posteriors = expect(labels, accuracy, options.classes);
  }
}

function expect(
  labels: readonly (readonly (string | null)[])[],
  accuracy: readonly number[],
  classes: number,
): readonly ReadonlyMap<string, number>[] {
  return labels.map((row) => {
    const candidates = [...new Set(row.flatMap((label) => label ?? []))];
    const logs = candidates.map((candidate) =>
      row.reduce((sum, label, agent) => {
        const right = accuracy[agent] ?? 0;
        if (label === null) return sum;
        return sum + Math.log(label === candidate ? right : (1 - right) / (classes - 1));
      }, 0),
    );
    const top = Math.max(...logs);
    const likelihoods = logs.map((log) => Math.exp(log - top));
    const total = likelihoods.reduce((sum, value) => sum + value, 0);
    return new Map(candidates.map((candidate, at) => [candidate, (likelihoods[at] ?? 0) / total]));
  });
}

function maximise(
  labels: readonly (readonly (string | null)[])[],
  posteriors: readonly ReadonlyMap<string, number>[],
  accuracy: readonly number[],
  { prior, clip }: DawidSkeneOptions,
): readonly number[] {
  const [alpha, beta] = prior ?? [1, 1];
  return accuracy.map((before, agent) => {
    let [right, given] = [0, 0];
    for (const [prompt, row] of labels.entries()) {
      const label = row[agent] ?? null;
      if (label === null) continue;
      given += 1;
      right += posteriors[prompt]?.get(label) ?? 0;
    }
    const weight = given + alpha + beta - 2;
    return weight <= 0 ? before : Math.min(1 - clip, Math.max(clip, (right + alpha - 1) / weight));
  });
}
