import { z } from 'zod';
import { promptIdSchema } from './text.ts';

const name = z.string().min(1).max(64);

export const cohortParams = z.object({
  cohort: name.meta({ description: 'Name of the cohort: one training run.' }),
});

export const agentParams = cohortParams.extend({
  agent: name.meta({ description: 'Name of the agent: one policy with its own trainer.' }),
});

export type AgentPath = z.output<typeof agentParams>;

export const submissionParams = agentParams.extend({
  submission: z.string().min(1).max(256).meta({ description: 'The submission_id.' }),
});

export const promptParams = cohortParams.extend({ prompt: promptIdSchema });

export const emaQuery = z.object({
  step: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .meta({ description: 'Training step, counted from 1.' }),
});

export const bucketListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100).meta({ description: 'Most buckets listed.' }),
});
