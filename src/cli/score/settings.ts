import { parse } from 'yaml';
import { z } from 'zod';
import { MAX_K } from '../../config/agent-schema.ts';
import { numberList, type Parsed, parseOptions, seedOption } from '../options.ts';

const MOST_SIZES = 16;

/** `key.subkey=value`, its value read as YAML, as in a configuration file. */
const assignment = z.string().transform((text, context) => {
  const at = text.indexOf('=');
  const path = text.slice(0, Math.max(0, at)).split('.');
  if (at < 0 || path.includes('')) {
    context.addIssue({ code: 'custom', message: `"${text}" is not KEY=VALUE, as in vote.threshold=0.5` });
    return z.NEVER;
  }
  try {
    return { path, value: parse(text.slice(at + 1)) as unknown };
  } catch {
    context.addIssue({ code: 'custom', message: `"${text}" has a value that cannot be read` });
    return z.NEVER;
  }
});

const sizes = numberList(z.int().min(1).max(MAX_K), MOST_SIZES);

/** Names separated by commas. */
export const nameList = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .optional();

/** Options that choose how rollouts are read; those of `score` and `pair`. */
export const readingOptions = {
  fields: z.string().optional(),
  mode: z.string().optional(),
  pattern: z.string().optional(),
  reasoning: z.string().optional(),
  fallback: z.string().optional(),
  skipBad: z.boolean().default(false),
  seed: seedOption,
};

const settingsSchema = z.strictObject({
  ...readingOptions,
  agents: nameList,
  config: z.string().optional(),
  cohort: z.string().optional(),
  method: z.string().optional(),
  supervision: z.string().optional(),
  ring: z.string().optional(),
  set: z.array(assignment).default([]),
  maj: sizes.optional(),
  tie: z.enum(['fractional', 'first', 'discard']).default('fractional'),
  rewards: z.string().optional(),
});

export type ScoreSettings = z.output<typeof settingsSchema>;

/** The options of `peervote score`, or every problem with them as a sentence. */
export function parseScoreSettings(raw: Readonly<Record<string, unknown>>): Parsed<ScoreSettings> {
  return parseOptions(settingsSchema, raw);
}
