import type { z } from 'zod';
import type { AdaptiveRules } from '../domain/cohort.ts';
import { DEFAULT_RELIABILITY_RULES, type ReliabilityRules } from '../domain/plan.ts';
import { oneOf, share, strictObject, wholeNumber, withDefault } from './fields.ts';
import { TRUTH_SHARE } from './reliability-schema.ts';

const { every, window, classes, prior, truthShare } = DEFAULT_RELIABILITY_RULES;

/** Section `adaptive` of a cohort: how its teachers are chosen. */
export const adaptiveSchema = strictObject({
  every: withDefault(
    wholeNumber(1, 100_000),
    every,
    'Decided prompts after which the teachers are chosen anew: one window.',
  ),
  window: withDefault(
    wholeNumber(1, 10_000),
    window,
    'Latest decided prompts that the choice is made from; at least `every` and `min_prompts`.',
  ),
  min_prompts: withDefault(
    wholeNumber(1, 10_000),
    50,
    'Prompts on which two agents both need a label before one can be chosen to teach the other. Until then the ring teaches.',
  ),
  margin: withDefault(
    share(),
    0.01,
    'Another teacher is taken when its gain, how much more probably its labels are right than those of the agent, is higher by more than this.',
  ),
  min_dwell: withDefault(
    wholeNumber(0, 10_000),
    2,
    'Windows that a chosen teacher stays for at least. The ring at the start need not stay.',
  ),
  fallback: withDefault(
    oneOf(['predecessor', 'successor']),
    'predecessor',
    'Direction of the ring that teaches until there is enough to choose by, and always with fewer than 3 agents.',
  ),
  min_posterior: withDefault(
    share(),
    0.7,
    "A teacher's label that is right with a smaller probability than this, given the labels of all peers, is not used, and neither is one of a tied vote. Above 0 an agent waits for all its peers; 0: for its teacher only.",
  ),
  classes: withDefault(
    wholeNumber(2, 1_000),
    classes,
    'How many answers a prompt is taken to have: 2 for yes or no, 4 for A to D, a nominal 10 for open answers.',
  ),
  truth_share: withDefault(share(), truthShare, TRUTH_SHARE),
}).prefault({});

export type AdaptiveConfig = z.output<typeof adaptiveSchema>;

export function toAdaptiveRules(config: AdaptiveConfig): AdaptiveRules {
  return {
    fallback: config.fallback,
    minPrompts: config.min_prompts,
    margin: config.margin,
    minDwell: config.min_dwell,
  };
}

export function toAdaptiveReliability(config: AdaptiveConfig): ReliabilityRules {
  const { min_posterior: minPosterior, truth_share } = config;
  const { every: rows, window: latest, classes: answers } = config;
  return { every: rows, window: latest, classes: answers, prior, minPosterior, truthShare: truth_share };
}

export function toAdaptiveConfig(rules: AdaptiveRules, reliability: ReliabilityRules): AdaptiveConfig {
  return {
    every: reliability.every,
    window: reliability.window,
    min_prompts: rules.minPrompts,
    margin: rules.margin,
    min_dwell: rules.minDwell,
    fallback: rules.fallback,
    min_posterior: reliability.minPosterior,
    classes: reliability.classes,
    truth_share: reliability.truthShare,
  };
}
