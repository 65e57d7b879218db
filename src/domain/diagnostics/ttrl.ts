import type { Vote } from '../vote.ts';
import { countCase, type Grade, type Ratio, type Ratios } from './ratios.ts';

/** One group of a TTRL run, its rollouts in order. */
export interface TtrlGroup {
  readonly vote: Vote;
  readonly truth: string | null;
  readonly rollouts: readonly { readonly answer: string | null; readonly reward: number | null }[];
}

/**
 * The metrics that PRIME-RL/TTRL logs for one group (ttt_metrics.py): all n rollouts vote, and the first
 * `trained` of them are trained on, which the `post_*` metrics are of. One deviation: the label is graded as
 * it is, where TTRL extracts an answer from the bare label again and so calls a right `\frac{1}{2}` wrong.
 * Without a truth only what needs none counts.
 */
export function countTtrl(group: TtrlGroup, trained: number, grade: Grade): Ratios {
  const { vote, truth, rollouts } = group;
  const { label } = vote;
  const isTrue = ({ answer }: TtrlGroup['rollouts'][number]) =>
    truth !== null && answer !== null && grade(answer, truth);
  const all = countAgainstTruth(rollouts, truth !== null, isTrue);
  const post = countAgainstTruth(rollouts.slice(0, trained), truth !== null, isTrue);
  const rewards = rollouts.flatMap(({ reward }) => reward ?? []);
  return new Map<string, Ratio>([
    [
      'label_accuracy',
      countCase(label === null || truth === null ? null : label.answer !== '' && grade(label.answer, truth)),
    ],
    // Of all rollouts: the top share that the vote itself uses leaves out those without an answer.
    ['majority_ratio', { numerator: vote.clusters[0]?.votes ?? 0, denominator: vote.ballots }],
    ['majority_voting_reward', { numerator: sum(rewards), denominator: rewards.length }],
    ...all,
    ...post.map(([name, ratio]): [string, Ratio] => [`post_${name}`, ratio]),
  ]);
}

/** Reward accuracy: how often the reward is what the ground truth would have paid. */
function countAgainstTruth(
  rollouts: TtrlGroup['rollouts'],
  hasTruth: boolean,
  isTrue: (rollout: TtrlGroup['rollouts'][number]) => boolean,
): [string, Ratio][] {
  const counted = hasTruth ? rollouts : [];
  const rewarded = counted.filter(({ reward }) => reward !== null);
  const agreeing = rewarded.filter((rollout) => rollout.reward === Number(isTrue(rollout)));
  const right = counted.filter(isTrue);
  return [
    ['reward_accuracy', { numerator: agreeing.length, denominator: rewarded.length }],
    ['ground_truth_ratio', { numerator: right.length, denominator: counted.length }],
    [`pass@${rollouts.length}`, countCase(counted.length === 0 ? null : right.length > 0)],
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
