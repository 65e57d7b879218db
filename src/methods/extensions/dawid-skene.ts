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
  const { rows, weights, places } = countEqual(labels);
  const agents = Math.max(0, ...rows.map((row) => row.length));
  let accuracy: readonly number[] = Array.from({ length: agents }, () => options.start);
  let posteriors = expect(rows, accuracy, options.classes);
  for (let iterations = 1; ; iterations++) {
    const next = maximise({ rows, weights }, posteriors, accuracy, options);
    const moved = Math.max(0, ...next.map((value, agent) => Math.abs(value - (accuracy[agent] ?? 0))));
    accuracy = next;
    if (moved < options.tolerance || iterations >= options.maxIterations) {
      return { accuracy, posteriors: places.map((place) => posteriors[place] ?? new Map()), iterations };
    }
    posteriors = expect(rows, accuracy, options.classes);
  }
}

interface CountedRows {
  readonly rows: readonly (readonly (string | null)[])[];
  /** How many prompts have each row. */
  readonly weights: readonly number[];
}

/** Prompts with the same labels have the same posterior. Few agents have few different rows, so that this is most of the work. */
function countEqual(labels: CountedRows['rows']): CountedRows & { readonly places: readonly number[] } {
  const known = new Map<string, number>();
  const rows: (readonly (string | null)[])[] = [];
  const weights: number[] = [];
  const places = labels.map((row) => {
    const name = JSON.stringify(row);
    const place = known.get(name) ?? rows.push(row) - 1;
    known.set(name, place);
    weights[place] = (weights[place] ?? 0) + 1;
    return place;
  });
  return { rows, weights, places };
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
  { rows, weights }: CountedRows,
  posteriors: readonly ReadonlyMap<string, number>[],
  accuracy: readonly number[],
  { prior, clip }: DawidSkeneOptions,
): readonly number[] {
  const [alpha, beta] = prior ?? [1, 1];
  return accuracy.map((before, agent) => {
    let [right, given] = [0, 0];
    for (const [place, row] of rows.entries()) {
      const label = row[agent] ?? null;
      const count = weights[place] ?? 0;
      if (label === null) continue;
      given += count;
      right += count * (posteriors[place]?.get(label) ?? 0);
    }
    const weight = given + alpha + beta - 2;
    return weight <= 0 ? before : Math.min(1 - clip, Math.max(clip, (right + alpha - 1) / weight));
  });
}
