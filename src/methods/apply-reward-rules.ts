import { type DecidedGroup, type Group, type Rollout, votersOf } from '../domain/bucket.ts';
import { type Cohort, findAgent } from '../domain/cohort.ts';
import type { RewardRules } from '../domain/reward-rules.ts';
import type { TieSeed, Vote } from '../domain/vote.ts';
import { voteOf } from './ballots.ts';
import { answerEntropy } from './extensions/answer-entropy.ts';
import { disagreementWeight } from './extensions/disagreement.ts';
import { flipRate, flipWeight } from './extensions/flip-gate.ts';
import { fourRegime } from './extensions/four-regime.ts';
import { noveltyRewards } from './extensions/novelty.ts';
import { bellOf, restrainWeights } from './extensions/restrain.ts';
import { type Shares, sharesOf } from './extensions/shares.ts';
import { softCross } from './extensions/soft-cross.ts';
import type { Judgement } from './method.ts';
import { withoutLabel } from './verdicts.ts';

/** What makes two answers the same. */
export interface Reading {
  readonly keyOf: (rollout: Rollout) => string | null;
  readonly voteOf: (group: Group, cohort: Cohort, seed: TieSeed) => Vote;
}

const BY_KEY: Reading = { keyOf: ({ key }) => key, voteOf };

/** What a label was made of. */
export interface LabelBasis {
  readonly cohort: Cohort;
  readonly seed: TieSeed;
  /** The student's own group; decided where the rules read it. */
  readonly own: Group;
  /** The one vote over rollouts that gave the label; null where labels were voted over. */
  readonly vote: Vote | null;
  /** The groups whose answers made the label. */
  readonly groups: readonly DecidedGroup[];
  /** Left out: by key. */
  readonly reading?: Reading;
}

type Pay = (rollout: Rollout) => number | null;

const NO_NOVELTY = 'No novelty was sent for this rollout.';

/**
 * The judgement with the cohort's reward rules applied; as it is under the default ones, and where there is no label.
 * Depends on decided groups only, so that every rollout of the group is paid by one rule, whenever it comes.
 */
export function applyRewardRules(judgement: Judgement, basis: LabelBasis): Judgement {
  const { cohort, vote } = basis;
  const rules = cohort.reward;
  if (judgement.label === null || isPlain(rules)) return judgement;
  const shares = vote === null ? null : sharesOf(vote);
  const reason = shares === null ? null : whyUnlabeled(shares, rules, judgement);
  if (reason !== null) return withoutLabel(judgement, cohort, reason);
  const weight = weightOf(judgement, shares, basis);
  const pay = payOf(judgement, shares, basis);
  const isRestrained = rules.kind === 'restrain' && (vote?.clusters[0]?.votes ?? 0) < rules.restrain.minCount;
  return {
    ...judgement,
    weight,
    advantageOffset: isRestrained ? -rules.restrain.advantagePenalty + 0 : 0,
    reward: (rollout) => {
      const base = isRestrained ? 0 : pay(rollout);
      // Adding 0 turns the -0 of a penalty of nothing into 0.
      return base === null ? null : base * weight * rules.scale + 0;
    },
    reasonOf: (rollout) => (pay(rollout) === null ? NO_NOVELTY : null),
  };
}

function isPlain({ kind, scale, weight, flipGate, entropyWindow }: RewardRules): boolean {
  return kind === 'hard' && scale === 1 && weight === 'none' && flipGate === null && entropyWindow === null;
}

/** What keeps a label from being used for rewards, as a sentence. */
function whyUnlabeled(shares: Shares, { kind, entropyWindow }: RewardRules, { teachers }: Judgement) {
  const who = teachers.join(', ');
  if (kind === 'four-regime' && shares.tied) return `The votes of ${who} are tied.`;
  if (entropyWindow === null) return null;
  const entropy = answerEntropy(shares);
  const { min, max } = entropyWindow;
  if (entropy > min && (max === null || entropy < max)) return null;
  const bounds = max === null ? `above ${min}` : `between ${min} and ${max}`;
  return `The answers of ${who} have an entropy of ${entropy.toFixed(3)} nats, and a label needs one ${bounds}.`;
}

function payOf(
  judgement: Judgement,
  shares: Shares | null,
  { cohort, own, reading = BY_KEY }: LabelBasis,
): Pay {
  const { kind, fourRegime: regimes, restrain } = cohort.reward;
  if (kind === 'novelty') return payNovelty(own, judgement);
  if (shares === null) return judgement.reward;
  const { keyOf } = reading;
  switch (kind) {
    case 'soft':
      return (rollout) => softCross(keyOf(rollout), shares);
    case 'four-regime':
      return (rollout) => fourRegime(keyOf(rollout), shares, regimes).reward;
    case 'restrain': {
      const weights = restrainWeights(shares, restrain);
      return (rollout) => {
        const key = keyOf(rollout);
        return key === null ? 0 : (weights.get(key) ?? 0);
      };
    }
    default:
      return judgement.reward;
  }
}

function payNovelty(own: Group, { reward }: Judgement): Pay {
  const caseOf = (rollout: Rollout) => {
    const novelty = rollout.signals?.novelty;
    const answered = rollout.key !== null;
    if (answered && novelty === undefined) return null;
    return { answered, majority: reward(rollout) === 1, novelty: novelty ?? 0 };
  };
  const pay = noveltyRewards(votersOf(own).flatMap((rollout) => caseOf(rollout) ?? []));
  return (rollout) => {
    const judged = caseOf(rollout);
    return judged === null ? null : pay(judged);
  };
}

/** The factor that all rewards of the group share, 0 to 1. */
function weightOf(judgement: Judgement, shares: Shares | null, basis: LabelBasis): number {
  const { cohort, seed, own, groups, reading = BY_KEY } = basis;
  const { weight, minWeight, flipGate } = cohort.reward;
  const disagreement =
    weight === 'none' || shares === null
      ? 1
      : disagreementWeight(sharesOf(reading.voteOf(own, cohort, seed)), shares, weight, minWeight);
  const base = disagreement * promptWeightOf(basis);
  if (flipGate === null) return base;
  const labelOf = (group: Group | null) =>
    group === null ? null : (reading.voteOf(group, cohort, seed).label?.key ?? null);
  const rate = flipRate(groups.map((group) => ({ now: labelOf(group), previous: labelOf(group.previous) })));
  return base * flipWeight(rate, shares?.topShare ?? judgement.share ?? 0, flipGate);
}

/** RESTRAIN's weight of a prompt: the bell at the share of the top answer of frozen agents, in their mean; 1 without them. */
function promptWeightOf({ cohort, seed, groups, reading = BY_KEY }: LabelBasis): number {
  const { kind, restrain } = cohort.reward;
  if (kind !== 'restrain' || !restrain.promptWeight) return 1;
  const frozen = groups.filter(({ agent }) => findAgent(cohort, agent)?.role === 'teacher');
  if (frozen.length === 0) return 1;
  const shares = frozen.map((group) => sharesOf(reading.voteOf(group, cohort, seed)).topShare);
  return bellOf(shares.reduce((sum, share) => sum + share, 0) / shares.length, restrain);
}
