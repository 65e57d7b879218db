import { type Bucket, votersOf } from '../../domain/bucket.ts';
import type { AgentName } from '../../domain/cohort.ts';
import { isTrue } from '../../methods/ground-truth.ts';
import type { SampleCounts } from '../../methods/sample-pairs.ts';

/** The rollouts of every agent that has some in this bucket. Each key is graded once, by the first answer that has it. */
export function countSamples({ groups, truth }: Bucket): ReadonlyMap<AgentName, SampleCounts> {
  const rightByKey = new Map<string, boolean>();
  const counts = new Map<AgentName, SampleCounts>();
  for (const [name, group] of groups) {
    const rollouts = votersOf(group);
    if (rollouts.length === 0) continue;
    const byKey = new Map<string, number>();
    const rightKeys = new Set<string>();
    for (const { key, answer } of rollouts) {
      if (key === null) continue;
      byKey.set(key, (byKey.get(key) ?? 0) + 1);
      // A program's truth is its tests, which say nothing of an answer.
      if (truth === null || truth.mode === 'code') continue;
      const right = rightByKey.get(key) ?? isTrue(answer, truth);
      rightByKey.set(key, right);
      if (right) rightKeys.add(key);
    }
    const isGraded = truth !== null && truth.mode !== 'code';
    counts.set(name, { rollouts: rollouts.length, byKey, rightKeys: isGraded ? rightKeys : null });
  }
  return counts;
}
