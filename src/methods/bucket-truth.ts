import type { Bucket } from '../domain/bucket.ts';
import type { TruthCase } from '../domain/diagnostics/count-votes.ts';
import { isTrue } from './ground-truth.ts';

/**
 * What says which answers of a bucket are right, each asked once; null where nothing does. Of programs whose outputs vote it is
 * what the tests said of one that has these outputs, if they said something of every output. For people and figures only.
 */
export function truthOf({ truth, groups }: Pick<Bucket, 'truth' | 'groups'>): TruthCase | null {
  if (truth !== null && truth.mode !== 'code') {
    const known = new Map<string, boolean>();
    return {
      key: truth.key,
      isRight: (answer) => {
        const right = known.get(answer) ?? isTrue(answer, truth);
        known.set(answer, right);
        return right;
      },
    };
  }
  const passed = new Map<string, boolean>();
  for (const { rollouts } of groups.values()) {
    for (const { answer, signals } of rollouts) {
      if (answer === null) continue;
      if (signals?.passed === undefined) return null;
      passed.set(answer, signals.passed === 1 || passed.get(answer) === true);
    }
  }
  // No output is written as the truth is: there is none to write.
  return passed.size === 0 ? null : { key: NO_KEY, isRight: (answer) => passed.get(answer) === true };
}

const NO_KEY = '\u0000';

/** Whether a label is right; null where one of them is missing. */
export function isLabelRight(
  label: { readonly answer: string } | null,
  bucket: Pick<Bucket, 'truth' | 'groups'>,
): boolean | null {
  const truth = label === null ? null : truthOf(bucket);
  return label === null || truth === null ? null : truth.isRight(label.answer);
}
