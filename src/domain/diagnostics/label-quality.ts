import type { Vote } from '../vote.ts';
import { countCase, type Grade, type Ratios } from './ratios.ts';

/** Ground truth as a label is held against it: its text by grading, its canonical key by equality. */
export interface TruthText {
  readonly text: string;
  readonly key: string;
}

/**
 * How good one group's own label is, by the one definition that this server uses for every method: hits
 * among labels that have a truth to be held against. The reference implementations each use another
 * denominator; theirs are under `co_labeling/*` and `self_labeling/*`. The truth is never used in a reward.
 */
export function countLabelQuality(vote: Vote, truth: TruthText | null, grade: Grade): Ratios {
  const { label, tied, votes } = vote;
  const comparable = label !== null && truth !== null;
  return new Map([
    ['label_coverage', countCase(label !== null)],
    ['label_accuracy', countCase(comparable ? grade(label.answer, truth.text) : null)],
    ['label_accuracy_string', countCase(comparable ? label.key === truth.key : null)],
    // Groups whose own top count is shared, among those with an answer.
    ['vote_tie_rate', countCase(votes === 0 ? null : tied)],
  ]);
}
