import { z } from 'zod';

const name = z.string().min(1).max(64);

export const cohortParams = z.object({
  cohort: name.meta({ description: 'Name of the cohort: one training run.' }),
});

export const agentParams = cohortParams.extend({
  agent: name.meta({ description: 'Name of the agent: one policy with its own trainer.' }),
});
