import type { z } from 'zod';
import {
  DEFAULT_REWARD_RULES,
  DISAGREEMENTS,
  REWARD_KINDS,
  type RewardRules,
} from '../domain/reward-rules.ts';
import { boundedNumber, flag, oneOf, share, strictObject, wholeNumber, withDefault } from './fields.ts';

const { fourRegime, restrain } = DEFAULT_REWARD_RULES;

/** What TTRL-Guard's code has as defaults. */
const FLIP_GATE = { flipPenalty: 0.5, confidentPenalty: 0.3, tauFlip: 0.3, tauShare: 0.6, floor: 0.1 };

const fourRegimeSchema = strictObject({
  tau_high: withDefault(
    share(),
    fourRegime.tauHigh,
    'Share of all rollouts that the top answer needs to be paid 1; with less it is paid 0.',
  ),
  tau_mid: withDefault(
    share(),
    fourRegime.tauMid,
    'Share from which another answer is paid 0 instead of minus `penalty`; at most `tau_high`.',
  ),
  penalty: withDefault(
    boundedNumber(0, 1_000),
    fourRegime.penalty,
    'What an answer below `tau_mid`, one that nobody gave, and no answer cost.',
  ),
});

const restrainSchema = strictObject({
  center: withDefault(boundedNumber(0, 1), restrain.center, 'Share that counts most.'),
  width: withDefault(
    boundedNumber(0.001, 10),
    restrain.width,
    'Standard deviation of the bell. A wide one weighs all answers alike.',
  ),
  min_count: withDefault(
    wholeNumber(1, 1_000_000),
    restrain.minCount,
    'Rollouts that the top answer needs; with fewer every rollout is paid 0.',
  ),
  advantage_penalty: withDefault(
    boundedNumber(0, 1_000),
    restrain.advantagePenalty,
    'What `advantage_offset` then tells the trainer to take off every advantage of the group.',
  ),
  prompt_weight: withDefault(
    flag(),
    restrain.promptWeight,
    'Multiplies the rewards by the bell at the share of the top answer of the frozen agents (`role: teacher`) that teach it, as RESTRAIN weighs its prompts by a frozen model. `reward_weight` says by how much.',
  ),
});

const flipGateSchema = strictObject({
  flip_penalty: withDefault(share(), FLIP_GATE.flipPenalty, 'What a changed label takes off the weight.'),
  confident_penalty: withDefault(
    share(),
    FLIP_GATE.confidentPenalty,
    'What it takes off the rest where the new label is a confident one.',
  ),
  tau_flip: withDefault(
    share(),
    FLIP_GATE.tauFlip,
    "Share of the teachers' labels that have to have changed for that, and more.",
  ),
  tau_share: withDefault(
    share(),
    FLIP_GATE.tauShare,
    'Share of all rollouts above which the new label is a confident one.',
  ),
  floor: withDefault(share(), FLIP_GATE.floor, 'The least weight.'),
});

const entropyWindowSchema = strictObject({
  min: withDefault(boundedNumber(0, 20), 0, 'Entropy in nats that the answers must exceed.'),
  max: withDefault(
    boundedNumber(0, 20).nullable(),
    null,
    'Entropy in nats that they must stay below; null: none. ln k where all differ.',
  ),
});

/** Section `reward` of a cohort: how a label becomes rewards. `reward-checks.ts` has the rules between its fields. */
export const rewardSchema = strictObject({
  kind: withDefault(
    oneOf(REWARD_KINDS),
    'hard',
    'What an answer is paid for: `hard` being the label, `soft` its share of the rollouts behind the label, `four-regime` both and a penalty, `novelty` being the label or not, and unlike the others, `restrain` its weight as one of many labels, `log-distill` the log-probability that the peer gives it.',
  ),
  scale: withDefault(
    boundedNumber(0.000001, 1_000_000),
    1,
    'Factor of every reward of a labeled group. `unlabeled_reward` is not scaled.',
  ),
  four_regime: fourRegimeSchema.optional().meta({ description: 'Only with `kind: four-regime`.' }),
  restrain: restrainSchema.optional().meta({ description: 'Only with `kind: restrain`.' }),
  weight: withDefault(
    oneOf(['none', ...DISAGREEMENTS]),
    'none',
    "Weighs the rewards of a group by how much it disagrees with its teachers': by the top answers, in total variation or by Jensen-Shannon divergence. The agent's own group is waited for.",
  ),
  w_min: share().optional().meta({
    description: 'The least such weight. Only with `weight`. Default: 0.',
    default: 0,
  }),
  flip_gate: flipGateSchema.nullable().default(null).meta({
    description:
      'Weighs the rewards down where the label has changed since the last round of the prompt. null: no gate. Default: null.',
  }),
  entropy_window: entropyWindowSchema.nullable().default(null).meta({
    description:
      'Leaves a group unlabeled where the answers behind its label are too much or too little alike. null: never. Default: null.',
  }),
}).prefault({});

type RewardConfig = z.output<typeof rewardSchema>;

/** The domain's form, with the defaults of what was left out. */
export function toRewardRules(config: RewardConfig): RewardRules {
  const regimes = config.four_regime;
  const bell = config.restrain;
  const gate = config.flip_gate;
  return {
    kind: config.kind,
    scale: config.scale,
    fourRegime:
      regimes === undefined
        ? fourRegime
        : { tauHigh: regimes.tau_high, tauMid: regimes.tau_mid, penalty: regimes.penalty },
    restrain:
      bell === undefined
        ? restrain
        : {
            center: bell.center,
            width: bell.width,
            minCount: bell.min_count,
            advantagePenalty: bell.advantage_penalty,
            promptWeight: bell.prompt_weight,
          },
    weight: config.weight,
    minWeight: config.w_min ?? DEFAULT_REWARD_RULES.minWeight,
    flipGate:
      gate === null
        ? null
        : {
            flipPenalty: gate.flip_penalty,
            confidentPenalty: gate.confident_penalty,
            tauFlip: gate.tau_flip,
            tauShare: gate.tau_share,
            floor: gate.floor,
          },
    entropyWindow: config.entropy_window,
  };
}

/** The written form, every setting explicit that it may have. */
export function toRewardConfig(rules: RewardRules): z.input<typeof rewardSchema> {
  const { kind, scale, fourRegime: regimes, restrain: bell, weight, minWeight, flipGate: gate } = rules;
  return {
    kind,
    scale,
    ...(kind === 'four-regime' && {
      four_regime: { tau_high: regimes.tauHigh, tau_mid: regimes.tauMid, penalty: regimes.penalty },
    }),
    ...(kind === 'restrain' && {
      restrain: {
        center: bell.center,
        width: bell.width,
        min_count: bell.minCount,
        advantage_penalty: bell.advantagePenalty,
        prompt_weight: bell.promptWeight,
      },
    }),
    weight,
    ...(weight !== 'none' && { w_min: minWeight }),
    flip_gate:
      gate === null
        ? null
        : {
            flip_penalty: gate.flipPenalty,
            confident_penalty: gate.confidentPenalty,
            tau_flip: gate.tauFlip,
            tau_share: gate.tauShare,
            floor: gate.floor,
          },
    entropy_window: rules.entropyWindow,
  };
}
