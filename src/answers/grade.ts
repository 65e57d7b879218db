import { canonicalKey } from './canonical-key.ts';
import type { ExtractionMode } from './modes.ts';

export type GradeStatus = 'equal' | 'different' | 'unparsable_truth' | 'unparsable_prediction';

export interface GradeResult {
  equal: boolean;
  status: GradeStatus;
  /** One sentence for the person who audits a reward. */
  reason: string;
}

/** Compares an extracted answer with the ground truth. An unparsable truth is never credit. */
export function grade(prediction: string | null, truth: string, mode: ExtractionMode = 'auto'): GradeResult {
  const truthKey = canonicalKey(truth, mode);
  if (truthKey === null) return { equal: false, status: 'unparsable_truth', reason: 'the truth is empty' };
  const key = prediction === null ? null : canonicalKey(prediction, mode);
  if (key === null) return { equal: false, status: 'unparsable_prediction', reason: 'there is no answer' };
  if (key === truthKey) return { equal: true, status: 'equal', reason: 'both have the same canonical form' };
  return { equal: false, status: 'different', reason: 'the canonical forms differ' };
}
