import { type Bucket, isDecided } from '../../domain/bucket.ts';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { voteOf } from '../../methods/ballots.ts';
import { rightOf } from '../../methods/sample-pairs.ts';
import type { Collection } from '../rollouts/collection.ts';
import { countSamples } from '../rollouts/sample-counts.ts';

/** All rollouts of a candidate for one prompt, over all rounds. */
interface Passed {
  rollouts: number;
  right: number;
  readonly wrongByKey: Map<string, number>;
}

/** How often a candidate was right on a prompt. */
export interface Pass {
  readonly rollouts: number;
  readonly right: number;
}

/** How often a candidate gave each answer to a prompt, by key; a rollout without an answer is in none. */
export interface Answered {
  readonly rollouts: number;
  readonly byKey: ReadonlyMap<string, number>;
}

/** What a recommendation rests on. */
export interface Gathered {
  /** `passes[prompt][candidate]`, of the prompts with a truth that every candidate has rollouts for. */
  readonly passes: readonly (readonly Pass[])[];
  /** `answers[prompt][candidate]` over all rounds, of the prompts that every candidate has rollouts for. */
  readonly answers: readonly (readonly Answered[])[];
  /** Prompts with a truth that some candidate has no rollouts for. */
  readonly leftOut: number;
  /**
   * One over the chance that two wrong answers of one agent to one prompt are the same: as many equally likely ones
   * there would be. Infinity where none were the same; null where no agent has two wrong answers to one prompt.
   */
  readonly wrongAnswers: number | null;
  /** `labels[prompt][round][candidate]`: what each voted for; null where it has no label. */
  readonly labels: readonly (readonly (readonly (string | null)[])[])[];
}

/** Reads what the candidates did out of all rollouts. */
export function gather(collection: Collection, cohort: Cohort, candidates: readonly AgentName[]): Gathered {
  const passes: Gathered['passes'][number][] = [];
  const answers: Answered[][] = [];
  const labels: (readonly (string | null)[])[][] = [];
  let leftOut = 0;
  const wrong = { pairs: 0, same: 0 };
  const close = (passed: ReadonlyMap<AgentName, Passed>, given: ReadonlyMap<AgentName, GatheredAnswers>) => {
    const own = candidates.flatMap((name) => given.get(name) ?? []);
    if (own.length === candidates.length) answers.push(own);
    if (passed.size === 0) return;
    for (const { wrongByKey } of passed.values()) addCollisions(wrong, wrongByKey);
    const row = candidates.flatMap((name) => passed.get(name) ?? []);
    if (row.length < candidates.length) leftOut += 1;
    else passes.push(row.map(({ rollouts, right }) => ({ rollouts, right })));
  };
  let promptId: string | null = null;
  let passed = new Map<AgentName, Passed>();
  let given = new Map<AgentName, GatheredAnswers>();
  for (const bucket of collection.buckets(cohort)) {
    if (bucket.promptId !== promptId) {
      close(passed, given);
      passed = new Map();
      given = new Map();
      labels.push([]);
      promptId = bucket.promptId;
    }
    const samples = countSamples(bucket);
    addPasses(passed, samples, candidates);
    addAnswers(given, samples, candidates);
    labels.at(-1)?.push(candidates.map((name) => labelOf(cohort, bucket, name)));
  }
  close(passed, given);
  return {
    passes,
    answers,
    leftOut,
    labels,
    wrongAnswers: wrong.pairs === 0 ? null : wrong.pairs / wrong.same,
  };
}

type Samples = ReturnType<typeof countSamples>;

interface GatheredAnswers {
  rollouts: number;
  readonly byKey: Map<string, number>;
}

function addAnswers(
  given: Map<AgentName, GatheredAnswers>,
  samples: Samples,
  candidates: readonly AgentName[],
): void {
  for (const name of candidates) {
    const counts = samples.get(name);
    if (counts === undefined) continue;
    const sum = given.get(name) ?? { rollouts: 0, byKey: new Map<string, number>() };
    sum.rollouts += counts.rollouts;
    for (const [key, count] of counts.byKey) sum.byKey.set(key, (sum.byKey.get(key) ?? 0) + count);
    given.set(name, sum);
  }
}

function addPasses(passed: Map<AgentName, Passed>, samples: Samples, candidates: readonly AgentName[]): void {
  for (const name of candidates) {
    const counts = samples.get(name);
    if (counts === undefined || counts.rightKeys === null) continue;
    const sum = passed.get(name) ?? { rollouts: 0, right: 0, wrongByKey: new Map<string, number>() };
    sum.rollouts += counts.rollouts;
    sum.right += rightOf(counts);
    for (const [key, count] of counts.byKey) {
      if (!counts.rightKeys.has(key)) sum.wrongByKey.set(key, (sum.wrongByKey.get(key) ?? 0) + count);
    }
    passed.set(name, sum);
  }
}

/** Pairs of wrong answers, and those that are the same. */
function addCollisions(wrong: { pairs: number; same: number }, byKey: ReadonlyMap<string, number>): void {
  let total = 0;
  for (const count of byKey.values()) {
    total += count;
    wrong.same += (count * (count - 1)) / 2;
  }
  wrong.pairs += (total * (total - 1)) / 2;
}

function labelOf(cohort: Cohort, bucket: Bucket, name: AgentName): string | null {
  const group = bucket.groups.get(name);
  return isDecided(group) ? (voteOf(group, cohort, bucket).label?.key ?? null) : null;
}
