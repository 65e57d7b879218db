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

/** What a recommendation rests on. */
export interface Gathered {
  /** `passes[prompt][candidate]`, of the prompts with a truth that every candidate has rollouts for. */
  readonly passes: readonly (readonly { readonly rollouts: number; readonly right: number }[])[];
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
  const labels: (readonly (string | null)[])[][] = [];
  let leftOut = 0;
  const wrong = { pairs: 0, same: 0 };
  const close = (passed: ReadonlyMap<AgentName, Passed>) => {
    if (passed.size === 0) return;
    for (const { wrongByKey } of passed.values()) addCollisions(wrong, wrongByKey);
    const row = candidates.flatMap((name) => passed.get(name) ?? []);
    if (row.length < candidates.length) leftOut += 1;
    else passes.push(row.map(({ rollouts, right }) => ({ rollouts, right })));
  };
  let promptId: string | null = null;
  let passed = new Map<AgentName, Passed>();
  for (const bucket of collection.buckets(cohort)) {
    if (bucket.promptId !== promptId) {
      close(passed);
      passed = new Map();
      labels.push([]);
      promptId = bucket.promptId;
    }
    addPasses(passed, bucket, candidates);
    labels.at(-1)?.push(candidates.map((name) => labelOf(cohort, bucket, name)));
  }
  close(passed);
  return { passes, leftOut, labels, wrongAnswers: wrong.pairs === 0 ? null : wrong.pairs / wrong.same };
}

function addPasses(passed: Map<AgentName, Passed>, bucket: Bucket, candidates: readonly AgentName[]): void {
  const samples = countSamples(bucket);
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
