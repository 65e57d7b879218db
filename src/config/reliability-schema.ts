import type { z } from 'zod';
import { DEFAULT_RELIABILITY_RULES, type ReliabilityRules } from '../domain/plan.ts';
import { boundedNumber, share, strictObject, wholeNumber, withDefault } from './fields.ts';

const { every, window, classes, prior, minPosterior, truthShare } = DEFAULT_RELIABILITY_RULES;

export const TRUTH_SHARE =
  'Share of the prompts whose ground truth, where it is sent, says how reliable the agents are; which ones is drawn from their ids. No reward is made of it. 0: agreement alone says it; 1: every truth that is sent.';

/** Section `reliability` of a cohort: how the reliability of its agents is estimated. */
export const reliabilitySchema = strictObject({
  every: withDefault(
    wholeNumber(1, 100_000),
    every,
    'Decided buckets after which the reliabilities are estimated anew. Until the first time all agents count alike.',
  ),
  window: withDefault(
    wholeNumber(1, 10_000),
    window,
    'Latest decided buckets that the estimate is made from; at least `every`.',
  ),
  classes: withDefault(
    wholeNumber(2, 1_000),
    classes,
    'How many answers a prompt is taken to have: 2 for yes or no, 4 for A to D, a nominal 10 for open answers.',
  ),
  prior_alpha: withDefault(
    boundedNumber(1, 1_000),
    prior[0],
    "First parameter of the Beta prior of an agent's accuracy: as if its label had been right so often, less one.",
  ),
  prior_beta: withDefault(
    boundedNumber(1, 1_000),
    prior[1],
    'Second parameter: the same for wrong. Both 1: no prior, which may end in trusting one agent entirely.',
  ),
  min_posterior: withDefault(
    share(),
    minPosterior,
    'A label that is right with a smaller probability than this, given the labels of all peers, is not used, and neither is one of a tied vote. Above 0 an agent waits for all its peers, 3 agents at least.',
  ),
  truth_share: withDefault(share(), truthShare, TRUTH_SHARE),
}).prefault({});

export function toReliabilityRules(config: z.output<typeof reliabilitySchema>): ReliabilityRules {
  const { prior_alpha, prior_beta, min_posterior, truth_share, ...rest } = config;
  const prior = [prior_alpha, prior_beta] as const;
  return { ...rest, prior, minPosterior: min_posterior, truthShare: truth_share };
}

export function toReliabilityConfig(rules: ReliabilityRules): z.input<typeof reliabilitySchema> {
  const { prior: beta, minPosterior: min_posterior, truthShare: truth_share, ...rest } = rules;
  return { ...rest, prior_alpha: beta[0], prior_beta: beta[1], min_posterior, truth_share };
}
