import { z } from 'zod';
import { NAME_PATTERN } from '../../config/fields.ts';
import { parseOptions } from '../options.ts';
import { nameList, readingOptions } from '../score/settings.ts';

/** The counts of open answers take about wrong · K⁴ steps; this keeps them within seconds. */
const MAX_K = 64;
/** Bounds of the Beta prior: an agent is neither always right nor always wrong, and the data has a say. */
const [LEAST_PRIOR, MOST_PRIOR] = [0.01, 1_000];

const prior = z
  .string()
  .transform((text) => text.split(',').map(Number))
  .pipe(
    z.tuple([z.number().min(LEAST_PRIOR).max(MOST_PRIOR), z.number().min(LEAST_PRIOR).max(MOST_PRIOR)], {
      error: `expected two numbers from ${LEAST_PRIOR} to ${MOST_PRIOR}, as in 1,1`,
    }),
  );

const settingsSchema = z.strictObject({
  ...readingOptions,
  agents: nameList,
  k: z.coerce.number().int().min(1).max(MAX_K).default(8),
  wrong: z.coerce.number().int().min(1).max(32).optional(),
  prior: prior.default([1, 1]),
  shared: z.coerce.number().min(0).max(1).default(0.05),
  smallest: z.coerce.number().int().min(2).max(64).default(2),
  largest: z.coerce.number().int().min(2).max(64).default(64),
  resamples: z.coerce.number().int().min(100).max(10_000).default(1_000),
  show: z.coerce.number().int().min(1).max(10_000).default(10),
  name: z.string().regex(NAME_PATTERN, { error: 'expected a name of a cohort' }).default('pair'),
  write: z.string().optional(),
});

export type PairSettings = z.output<typeof settingsSchema>;

/** The options of `peervote pair`, or every problem with them as a sentence. */
export function parsePairSettings(raw: Readonly<Record<string, unknown>>) {
  return parseOptions(settingsSchema, raw);
}
