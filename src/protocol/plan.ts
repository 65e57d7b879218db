import { z } from 'zod';
import type { Plan } from '../domain/plan.ts';

export const planSchema = z
  .object({
    version: z.int().meta({ description: '1 for the first that was made.' }),
    buckets: z.int().meta({ description: 'Decided buckets that there had been when it was made.' }),
    reliability: z
      .record(z.string(), z.number())
      .meta({ description: "Estimated probability that an agent's label is right." }),
  })
  .nullable();

export function toPlan(plan: Plan | null): z.infer<typeof planSchema> {
  return plan === null
    ? null
    : { version: plan.version, buckets: plan.rows, reliability: { ...plan.reliability } };
}
