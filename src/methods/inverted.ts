import type { Cohort } from '../domain/cohort.ts';
import { groundTruth } from './ground-truth.ts';
import type { Judgement, RewardMethod } from './method.ts';
import { ttrl } from './ttrl.ts';

/**
 * Control: 1 for an answer that is not the label, 0 for the one that is. The label is the ground truth, or the
 * group's own majority. A rollout without an answer gets 0: otherwise silence would be as good as any wrong answer, and
 * the run would tell of that, not of the label. The code of "Spurious Rewards" (arXiv 2506.10947) pays it 1 in its
 * `inverse_` tasks, which `abstention: 1` reproduces; its paper rewards a wrong label, which silence does not match.
 */
export const inverted: RewardMethod = {
  name: 'inverted',
  needs: [],
  needsTruth: ({ options }) => options.inverted.label === 'ground-truth',
  waitsFor: (cohort, agent, plan) => (isSelfVote(cohort) ? ttrl.waitsFor(cohort, agent, plan) : []),
  judge: (input) => {
    const { abstention } = input.cohort.options.inverted;
    const upright = (isSelfVote(input.cohort) ? ttrl : groundTruth).judge(input);
    return upright.label === null ? upright : invert(upright, abstention);
  },
};

function isSelfVote({ options }: Cohort): boolean {
  return options.inverted.label === 'self-vote';
}

/** Only for a judgement that has a label: without one every rollout gets the same, and there is nothing to turn round. */
function invert(upright: Judgement, abstention: 0 | 1): Judgement {
  return {
    ...upright,
    source: 'control',
    reward: (rollout) => {
      if (rollout.key === null) return abstention;
      return upright.reward(rollout) === 1 ? 0 : 1;
    },
  };
}
