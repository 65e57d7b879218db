import type { ExtractionMode } from '../answers/modes.ts';
import { gradeTruth, isReadable } from '../answers/truth.ts';
import type { Rollout, Truth } from '../domain/bucket.ts';
import type { RewardMethod } from './method.ts';
import { unrewarded } from './verdicts.ts';

/**
 * GT-Reward: 1 if the answer equals the ground truth, for a program if it passes the tests; nobody is waited for. The
 * upper reference.
 */
export const groundTruth: RewardMethod = {
  name: 'ground-truth',
  needsTruth: () => true,
  needs: [],
  waitsFor: () => [],
  judge({ cohort, agent, truth, own }) {
    if (agent.role === 'teacher') return unrewarded();
    const base = { teachers: [], share: null, staleness: 0 } as const;
    if (own.rollouts.some(wasTested) && (truth === null || truth.mode === 'code')) {
      return {
        ...base,
        status: 'scored',
        label: null,
        source: 'ground-truth',
        reason: null,
        reward: ({ signals }) => signals?.score ?? cohort.unlabeledReward,
      };
    }
    if (truth === null) {
      return {
        ...base,
        status: 'unlabeled',
        label: null,
        source: 'none',
        reason: 'No ground truth that can be read was sent for this prompt.',
        reward: () => cohort.unlabeledReward,
      };
    }
    return {
      ...base,
      status: 'scored',
      label: { key: truth.key, answer: truth.text },
      source: 'ground-truth',
      reason: doesParse(truth) ? null : UNPARSED_TRUTH,
      reward: ({ answer }) => (isTrue(answer, truth) ? 1 : 0),
    };
  },
};

/** Said with rewards that rest on such a truth, so that nobody finds out from a flat curve. */
export const UNPARSED_TRUTH =
  'The ground truth does not parse as one answer, so nothing but its own spelling is right.';

function doesParse({ text, accepted = [text], mode }: Truth): boolean {
  return accepted.some((one) => isReadable(one, mode as ExtractionMode));
}

/** The sandbox ran the tests on it, or said why it could not. */
function wasTested({ signals }: Rollout): boolean {
  return signals?.score !== undefined || signals?.fault !== undefined;
}

/** Whether an extracted answer equals the truth, in the mode that the truth came with. */
export function isTrue(answer: string | null, truth: Truth): boolean {
  // The mode entered through a schema that lists the extraction modes.
  return gradeTruth(answer, truth, truth.mode as ExtractionMode).equal;
}
