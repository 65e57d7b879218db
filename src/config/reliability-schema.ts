import type { z } from 'zod';
import { DEFAULT_RELIABILITY_RULES, type ReliabilityRules } from '../domain/plan.ts';
import { boundedNumber, strictObject, wholeNumber, withDefault } from './fields.ts';

const { every, window, classes, prior } = DEFAULT_RELIABILITY_RULES;

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
}).prefault({});

export function toReliabilityRules(config: z.output<typeof reliabilitySchema>): ReliabilityRules {
  const { prior_alpha, prior_beta, ...rest } = config;
  return { ...rest, prior: [prior_alpha, prior_beta] };
}

export function toReliabilityConfig(rules: ReliabilityRules): z.input<typeof reliabilitySchema> {
  const { prior: beta, ...rest } = rules;
  return { ...rest, prior_alpha: beta[0], prior_beta: beta[1] };
}
