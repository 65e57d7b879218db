import { z } from 'zod';
import type { Cohort, MethodName } from '../domain/cohort.ts';
import { DEFAULT_METHOD_OPTIONS, type MethodOptions } from '../domain/method-options.ts';
import { conditional, flag, oneOf, share, strictObject, wholeNumber } from './fields.ts';

const DEFAULTS = DEFAULT_METHOD_OPTIONS;

/** Like a share, but with bounds of its own. */
function number(min: number, max: number) {
  const error = `expected a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
}

const weight = number(0, 1_000);
const ALPHA_RULE = 'expected a list of 4 numbers from 0 to 1000';

/** Keys of `options`; each says which method reads it, see {@link OPTION_METHODS}. */
export const methodOptionsSchema = strictObject({
  base_format: conditional(
    flag(),
    DEFAULTS.rent.baseFormat,
    "Pays a rollout without an answer `unparseable_reward`, as the paper's own repository does. For `rent`.",
  ),
  unparseable_reward: conditional(
    number(-1_000, 1_000),
    DEFAULTS.rent.unparseableReward,
    'Reward of a rollout without an answer. Only with `base_format: true`.',
  ),
  match: conditional(
    oneOf(['grade', 'exact']),
    DEFAULTS.coRewarding.match,
    '`grade`: answers with one key are one answer, as everywhere. `exact`: only texts that are the same, as in the reference. For `co-rewarding-i` and `co-rewarding-ii`.',
  ),
  ema_steps: wholeNumber(1, 1_000_000_000).optional().meta({
    description:
      'T, the training steps over which a(s) falls from `ema_start` to `ema_end`. Absent: a(s) is not served. For `co-rewarding-ii`.',
  }),
  ema_start: conditional(share(), DEFAULTS.coRewarding.ema.start, 'a at step 1. Only with `ema_steps`.'),
  ema_end: conditional(share(), DEFAULTS.coRewarding.ema.end, 'a from step T + 1 on. Only with `ema_steps`.'),
  ema_interval: conditional(
    wholeNumber(1, 1_000_000_000),
    DEFAULTS.coRewarding.ema.interval,
    'The teacher is moved at every step that is a multiple of this. Only with `ema_steps`.',
  ),
  parser: conditional(
    oneOf(['strict', 'marti']),
    DEFAULTS.comas.parser,
    "How a scorer's verdict is read: `strict` takes 1, 2 or 3 in the last `<score>` tag and nothing else; `marti` as the MARTI fork, which always finds one. For `comas`.",
  ),
  horizon: conditional(
    oneOf(['discounted', 'last', 'current']),
    DEFAULTS.maporl.horizon,
    'Which turns pay an answer: this one and the `discounted` later ones, the `last`, or the `current` alone. For `maporl`.',
  ),
  share: conditional(
    oneOf(['all', 'individual']),
    DEFAULTS.maporl.share,
    "Whose scores count: the mean of all agents, or the agent's own. For `maporl`.",
  ),
  gamma: conditional(share(), DEFAULTS.maporl.gamma, 'The discount. Only with `horizon: discounted`.'),
  alpha: conditional(
    z.tuple([weight, weight, weight, weight], { error: ALPHA_RULE }),
    [...DEFAULTS.maporl.alpha],
    'Weights a0 to a3 of the bonus for changing well and for changing others. For `maporl`.',
  ),
  convention: conditional(
    oneOf(['paper', 'code']),
    DEFAULTS.maporl.convention,
    'Sign of the bonus for what others do next: `paper` pays for helping them; the reference code has it the other way round. Only with `alpha`.',
  ),
  question: conditional(
    oneOf(['score', 'verdict']),
    DEFAULTS.judge.question,
    'What the judge is asked for: a `score` from 0 to 1, or a `verdict`, yes (1) or no (0). For `llm-judge`.',
  ),
  tell_truth: conditional(
    flag(),
    DEFAULTS.judge.tellTruth,
    'Shows the judge the ground truth, so that the reward depends on it; `reward_source` is then `ground-truth`. For `llm-judge`.',
  ),
  on_judge_failure: conditional(
    oneOf(['group-mean', 'zero']),
    DEFAULTS.judge.onFailure,
    'What a rollout whose judge has failed until `deadline_ms` is paid by OpenRLHF, slime and ROLL, which know no null: the mean of its group, which gives it no advantage, or `zero`. For `llm-judge`.',
  ),
  judge_requests: wholeNumber(0, 1_000_000_000_000).optional().meta({
    description:
      'Budget: requests to the judge that each server process may send for this cohort. Absent: only `judge.max_requests` limits them. For `llm-judge`.',
  }),
  judge_tokens: wholeNumber(0, 1_000_000_000_000).optional().meta({
    description:
      'Budget: tokens of prompts and answers, likewise. Absent: only `judge.max_tokens` limits them. For `llm-judge`.',
  }),
  probability: conditional(
    share(),
    DEFAULTS.random.probability,
    'Share of the rollouts that get 1. For `random`.',
  ),
  label: conditional(
    oneOf(['ground-truth', 'self-vote']),
    DEFAULTS.inverted.label,
    "What is turned round: equality with the ground truth, or with the group's own majority. For `inverted`.",
  ),
  abstention: conditional(
    z.literal([0, 1], { error: 'expected 0 or 1' }),
    DEFAULTS.inverted.abstention,
    'Reward of a rollout without an answer; 1 as in the code of Spurious Rewards. For `inverted`.',
  ),
});

export type OptionsConfig = z.output<typeof methodOptionsSchema>;
export type OptionKey = keyof OptionsConfig;

/** The methods that read each option. */
export const OPTION_METHODS: Readonly<Record<OptionKey, readonly MethodName[]>> = {
  base_format: ['rent'],
  unparseable_reward: ['rent'],
  match: ['co-rewarding-i', 'co-rewarding-ii'],
  ema_steps: ['co-rewarding-ii'],
  ema_start: ['co-rewarding-ii'],
  ema_end: ['co-rewarding-ii'],
  ema_interval: ['co-rewarding-ii'],
  parser: ['comas'],
  horizon: ['maporl'],
  share: ['maporl'],
  gamma: ['maporl'],
  alpha: ['maporl'],
  convention: ['maporl'],
  question: ['llm-judge'],
  tell_truth: ['llm-judge'],
  on_judge_failure: ['llm-judge'],
  judge_requests: ['llm-judge'],
  judge_tokens: ['llm-judge'],
  probability: ['random'],
  label: ['inverted'],
  abstention: ['inverted'],
};

/** The domain's form, every default filled in. */
export function toMethodOptions(config: OptionsConfig): MethodOptions {
  const { rent, coRewarding, comas, maporl, judge, random, inverted } = DEFAULTS;
  return {
    rent: {
      baseFormat: config.base_format ?? rent.baseFormat,
      unparseableReward: config.unparseable_reward ?? rent.unparseableReward,
    },
    coRewarding: {
      match: config.match ?? coRewarding.match,
      ema: {
        start: config.ema_start ?? coRewarding.ema.start,
        end: config.ema_end ?? coRewarding.ema.end,
        steps: config.ema_steps ?? null,
        interval: config.ema_interval ?? coRewarding.ema.interval,
      },
    },
    comas: { parser: config.parser ?? comas.parser },
    maporl: {
      gamma: config.gamma ?? maporl.gamma,
      horizon: config.horizon ?? maporl.horizon,
      share: config.share ?? maporl.share,
      alpha: config.alpha ?? maporl.alpha,
      convention: config.convention ?? maporl.convention,
    },
    judge: {
      question: config.question ?? judge.question,
      tellTruth: config.tell_truth ?? judge.tellTruth,
      onFailure: config.on_judge_failure ?? judge.onFailure,
      maxRequests: config.judge_requests ?? null,
      maxTokens: config.judge_tokens ?? null,
    },
    random: { probability: config.probability ?? random.probability },
    inverted: {
      label: config.label ?? inverted.label,
      abstention: config.abstention ?? inverted.abstention,
    },
  };
}

/** The written form: what the method of the cohort reads, and nothing that its other settings rule out. */
export function toOptionsConfig({ method, options }: Cohort): OptionsConfig {
  const { rent, coRewarding, comas, maporl, judge, random, inverted } = options;
  const { ema } = coRewarding;
  const written: OptionsConfig = {
    base_format: rent.baseFormat,
    ...(rent.baseFormat && { unparseable_reward: rent.unparseableReward }),
    match: coRewarding.match,
    ...(ema.steps !== null && {
      ema_steps: ema.steps,
      ema_start: ema.start,
      ema_end: ema.end,
      ema_interval: ema.interval,
    }),
    parser: comas.parser,
    horizon: maporl.horizon,
    share: maporl.share,
    ...(maporl.horizon === 'discounted' && { gamma: maporl.gamma }),
    alpha: [...maporl.alpha],
    convention: maporl.convention,
    question: judge.question,
    tell_truth: judge.tellTruth,
    on_judge_failure: judge.onFailure,
    ...(judge.maxRequests !== null && { judge_requests: judge.maxRequests }),
    ...(judge.maxTokens !== null && { judge_tokens: judge.maxTokens }),
    probability: random.probability,
    label: inverted.label,
    abstention: inverted.abstention,
  };
  const read = Object.entries(written).filter(([key]) => OPTION_METHODS[key as OptionKey].includes(method));
  return Object.fromEntries(read);
}
