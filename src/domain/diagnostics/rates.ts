import type { AgentCounts, PairCounts } from './counters.ts';

/** A figure with what it was taken of; `value` is null where that is nothing. */
export interface Rate {
  readonly value: number | null;
  /** Null where the value is no quotient, as of a standard deviation or an extreme. */
  readonly numerator: number | null;
  readonly denominator: number;
}

/** Figures by name. A Map, since names hold those of agents. */
export type Rates = ReadonlyMap<string, Rate>;

/** Numerator over denominator. */
export function rateOf(numerator: number, denominator: number): Rate {
  return { value: denominator === 0 ? null : numerator / denominator, numerator, denominator };
}

/** A figure that is no quotient, of so many things. */
function figure(value: number, denominator: number): Rate {
  return { value: denominator === 0 ? null : value, numerator: null, denominator };
}

/** How the figures of one agent come from its counts; docs/diagnostics.md defines each. */
export const AGENT_RATES = {
  reward_mean: (c) => rateOf(c.rewardSum, c.rewards),
  reward_std_within_pop: (c) => rateOf(c.populationStds, c.rewardedGroups),
  reward_std_within_unbiased: (c) => rateOf(c.unbiasedStds, c.spreadGroups),
  reward_std_batch: (c) => batchStd(c),
  frac_reward_zero_std: (c) => rateOf(c.zeroStds, c.rewardedGroups),
  'completions/mean_length': (c) => rateOf(c.lengthSum, c.lengths),
  'completions/min_length': (c) => figure(c.lengthMin, c.lengths),
  'completions/max_length': (c) => figure(c.lengthMax, c.lengths),
  'completions/clipped_ratio': (c) => rateOf(c.truncated, c.rollouts),
  'completions/mean_terminated_length': (c) => rateOf(c.endedLengthSum, c.endedLengths),
  'completions/min_terminated_length': (c) => figure(c.endedLengthMin, c.endedLengths),
  'completions/max_terminated_length': (c) => figure(c.endedLengthMax, c.endedLengths),
  parseable_fraction: (c) => rateOf(c.answered, c.rollouts),
  top_frequency_mean: (c) => rateOf(c.topShares, c.groups),
  majority_ratio: (c) => rateOf(c.topVotes, c.rollouts),
  vote_tie_rate: (c) => rateOf(c.tiedGroups, c.votedGroups),
  uniform_vote_rate: (c) => rateOf(c.uniformGroups, c.votedGroups),
  label_coverage: (c) => rateOf(c.labeled, c.groups),
  commonest_label_share: (c) => rateOf(c.commonestShares, c.labelLooks),
  distinct_labels_per_100: (c) => rateOf(100 * c.distinctShares, c.labelLooks),
  label_accuracy: (c) => rateOf(c.labelHits, c.truthLabels),
  label_accuracy_string: (c) => rateOf(c.labelKeyHits, c.truthLabels),
  supervision_fraction: (c) => rateOf(c.supervised, judged(c)),
  used_label_accuracy: (c) => rateOf(c.supervisionRight, c.supervisedTruths),
  supervision_contains_truth: (c) => rateOf(c.supervisionHits, c.supervisedTruths),
  match_rate: (c) => rateOf(c.matches, c.supervisedRollouts),
  unlabeled_fraction: (c) => rateOf(c.unlabeled, judged(c)),
  expired_fraction: (c) => rateOf(c.expired, judged(c)),
  skipped_fraction: (c) => rateOf(c.skipped, judged(c)),
  unanimous_rate: (c) => rateOf(c.unanimous, c.allLabeled),
  peer_tie_rate: (c) => rateOf(c.peerTies, c.peersLabeled),
  reward_accuracy: (c) => rateOf(c.rewardHits, c.truthRewards),
  ground_truth_ratio: (c) => rateOf(c.rightRollouts, c.truthRollouts),
  eval_accuracy: (c) => rateOf(c.evalRight, c.evalRollouts),
  pass_at_k: (c) => rateOf(c.passedGroups, c.truthGroups),
  staleness_mean: (c) => rateOf(c.staleness, judged(c)),
  barrier_wait_mean_s: (c) => rateOf(c.waitSum, c.waits),
  barrier_wait_max_s: (c) => figure(c.waitMax, c.waits),
} as const satisfies Readonly<Record<string, (counts: AgentCounts) => Rate>>;

/** How the figures of two agents come from their counts; docs/diagnostics.md defines each. */
export const PAIR_RATES = {
  agreement: (c) => rateOf(c.same, c.bothLabeled),
  agreement_by_chance: (c) => rateOf(c.chanceSame, c.chanceCompared),
  agreement_beyond_chance: (c) => beyondChance(c),
  agreement_graded: (c) => rateOf(c.equivalent, c.bothLabeled),
  both_labeled_fraction: (c) => rateOf(c.bothLabeled, c.compared),
  complementarity_bound: (c) => rateOf(c.compared - c.same, c.compared),
  label_complementarity: (c) => rateOf(onlyOneRight(c), c.truths),
  label_oracle: (c) => rateOf(c.truths - c.bothWrong, c.truths),
  both_right: (c) => rateOf(c.bothRight, c.truths),
  both_wrong: (c) => rateOf(c.bothWrong, c.truths),
  both_wrong_same: (c) => rateOf(c.wrongSame, c.truths),
  label_match: (c) => rateOf(c.bothRight + c.wrongSame, c.truths),
  accuracy_agent: (c) => rateOf(c.firstRight, c.truths),
  accuracy_peer: (c) => rateOf(c.secondRight, c.truths),
  kappa: (c) => kappa(c),
  identical_texts: (c) => rateOf(c.sameTexts, c.texts),
} as const satisfies Readonly<Record<string, (counts: PairCounts) => Rate>>;

/** Groups of learners. */
function judged({ scored, unlabeled, expired, skipped }: AgentCounts): number {
  return scored + unlabeled + expired + skipped;
}

/** Unbiased, over all rewards at once: what TRL logs as `reward_std`. */
function batchStd({ rewards, rewardSum, rewardSquares }: AgentCounts): Rate {
  if (rewards < 2) return { value: null, numerator: null, denominator: rewards };
  const squares = Math.max(0, rewardSquares - rewardSum ** 2 / rewards);
  return figure(Math.sqrt(squares / (rewards - 1)), rewards);
}

function onlyOneRight({ firstRight, secondRight, bothRight }: PairCounts): number {
  return firstRight + secondRight - 2 * bothRight;
}

/** Cohen's kappa of two agents being right; null where chance alone would always agree. */
function kappa({ truths, bothRight, bothWrong, firstRight, secondRight }: PairCounts): Rate {
  // Times truths², which keeps it to whole numbers, so that certainty is told from what is near it.
  const chance = firstRight * secondRight + (truths - firstRight) * (truths - secondRight);
  const room = truths * truths - chance;
  if (room === 0) return { value: null, numerator: null, denominator: truths };
  return figure(((bothRight + bothWrong) * truths - chance) / room, truths);
}

/** Cohen's kappa, with the chance taken from labels of other prompts; 0 where chance explains everything. */
function beyondChance({ same, bothLabeled, chanceSame, chanceCompared }: PairCounts): Rate {
  if (bothLabeled === 0 || chanceCompared === 0) return figure(0, 0);
  const chance = chanceSame / chanceCompared;
  return figure(chance === 1 ? 0 : (same / bothLabeled - chance) / (1 - chance), bothLabeled);
}
