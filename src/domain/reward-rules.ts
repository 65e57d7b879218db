import type { MethodName } from './cohort.ts';
import type { Signals } from './signals.ts';

/** Methods whose reward is made of a label that agents voted for, to which reward rules apply. */
export const VOTING_METHODS: readonly MethodName[] = ['co-rl', 'ttrl', 'co-rewarding-i', 'co-rewarding-ii'];

export const REWARD_KINDS = ['hard', 'soft', 'four-regime', 'novelty', 'restrain', 'log-distill'] as const;
/**
 * What an answer is paid for: being the label (`hard`), its share of the votes (`soft`), a mix of both with a penalty
 * (`four-regime`), being the label or not with a bonus for unlike reasoning (`novelty`), its weight as one of many labels
 * (`restrain`), or what the peer thinks of its tokens (`log-distill`).
 */
export type RewardKind = (typeof REWARD_KINDS)[number];

export const DISAGREEMENTS = ['top1', 'tv', 'jsd'] as const;
/** How far apart two groups are: by their top answers, in total variation, or by Jensen-Shannon divergence. */
export type Disagreement = (typeof DISAGREEMENTS)[number];

export interface FourRegimeRules {
  /** Top share from which the vote's majority is trusted, 0 to 1. */
  readonly tauHigh: number;
  /** Share from which another answer is left alone, 0 to 1. */
  readonly tauMid: number;
  /** What an answer that was hardly given costs, at least 0: its reward is minus this. */
  readonly penalty: number;
}

/** The bell that RESTRAIN weighs consensus with: exp(-(f - center)^2 / (2 width^2)). */
export interface Bell {
  readonly center: number;
  /** Above 0. */
  readonly width: number;
}

export interface RestrainRules extends Bell {
  /** Rollouts that the top answer needs; with fewer every rollout is paid 0. */
  readonly minCount: number;
  /** What the trainer is then told to take off every advantage of the group, at least 0. */
  readonly advantagePenalty: number;
  /** Weighs the group by how much the frozen agents among its teachers agree with themselves, under the same bell. */
  readonly promptWeight: boolean;
}

export interface FlipGateRules {
  /** What a flip takes off the weight, 0 to 1. */
  readonly flipPenalty: number;
  /** What a confident flip takes off the rest, 0 to 1. */
  readonly confidentPenalty: number;
  /** Flip rate above which a flip may be a confident one. */
  readonly tauFlip: number;
  /** Share of the top answer above which it is. */
  readonly tauShare: number;
  /** The least weight. */
  readonly floor: number;
}

/** Both bounds are outside the window; `max` null: there is none. */
export interface EntropyWindow {
  readonly min: number;
  readonly max: number | null;
}

/** How a label becomes rewards, for methods that vote. The default pays 1 for the label and 0 for the rest. */
export interface RewardRules {
  readonly kind: RewardKind;
  /** Factor of every reward of a labeled group. */
  readonly scale: number;
  readonly fourRegime: FourRegimeRules;
  readonly restrain: RestrainRules;
  /** Weighs the rewards by how much the agent's own group disagrees with the teachers'. */
  readonly weight: Disagreement | 'none';
  /** The least such weight, 0 to 1. */
  readonly minWeight: number;
  readonly flipGate: FlipGateRules | null;
  /** Entropy of the answers behind the label, in nats, outside of which the group is unlabeled; null: any. */
  readonly entropyWindow: EntropyWindow | null;
}

export const DEFAULT_REWARD_RULES: RewardRules = {
  kind: 'hard',
  scale: 1,
  fourRegime: { tauHigh: 0.5, tauMid: 0.25, penalty: 0.5 },
  restrain: { center: 1, width: 0.5, minCount: 1, advantagePenalty: 0, promptWeight: false },
  weight: 'none',
  minWeight: 0,
  flipGate: null,
  entropyWindow: null,
};

/** What the rewards are made from beside answers. */
export function signalsOf({ kind }: RewardRules): readonly (keyof Signals)[] {
  switch (kind) {
    case 'novelty':
      return ['novelty'];
    case 'log-distill':
      return ['peerLogprob'];
    default:
      return [];
  }
}

/** Whether the agent's own group has to be decided before it is paid. */
export function readsOwnGroup({ kind, weight }: RewardRules): boolean {
  return kind === 'novelty' || weight !== 'none';
}
