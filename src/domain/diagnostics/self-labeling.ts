import type { Vote } from '../vote.ts';
import { countCase, type Grade, type Ratios } from './ratios.ts';

/** Key under which "no answer" stands for election; no answer has it. */
const EMPTY_KEY = '';

/**
 * The `self_labeling/*` metrics that the TTRL baseline of the Co-RL reference logs for one group
 * (self_label_trainer.py). `top_frequency_mean` counts a group without answers as 0, and a group without a
 * truth as a wrong label.
 */
export function countSelfLabeling(vote: Vote, truth: string | null, grade: Grade): Ratios {
  const { label, clusters, votes, ballots } = vote;
  const top = clusters[0];
  const answered = votes - (clusters.find(({ key }) => key === EMPTY_KEY)?.votes ?? 0);
  const matches = label === null ? null : truth !== null && grade(label.answer, truth);
  return new Map([
    ['self_labeling/fraction_labeled', countCase(label !== null)],
    [
      'self_labeling/top_frequency_mean',
      { numerator: top === undefined ? 0 : top.votes / votes, denominator: 1 },
    ],
    ['self_labeling/parseable_fraction', { numerator: answered, denominator: ballots }],
    ['self_labeling/pseudo_label_matches_gt', countCase(matches)],
  ]);
}
