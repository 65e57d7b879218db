import { z } from 'zod';
import { EXTRACTION_MODES } from '../../answers/modes.ts';
import { NAME_PATTERN } from '../../config/fields.ts';
import { parseOptions } from '../options.ts';

/** `8`, or `qwen=8`: by agent, '' for all. */
function perAgent(least: number) {
  return z
    .array(z.string())
    .default([])
    .transform((texts) =>
      texts.map(splitAgent).map(([agent, text]) => [agent, Number(text || Number.NaN)] as const),
    )
    .pipe(z.array(z.tuple([z.string(), z.number().int().min(least)])))
    .transform((pairs) => new Map(pairs));
}

const settingsSchema = z.strictObject({
  url: z.string().min(1),
  cohort: z.string().regex(NAME_PATTERN, { error: 'expected a name of a cohort' }).default('default'),
  token: z.string().optional(),
  agentToken: z
    .array(z.string().regex(/^[^=]+=.+$/, { error: 'expected AGENT=TOKEN' }))
    .default([])
    .transform((texts) => new Map(texts.map(splitAgent))),
  data: z.array(z.string()).default([]),
  eval: z.array(z.string()).default([]),
  k: perAgent(1),
  seed: perAgent(0),
  order: z.enum(['file', 'shuffle']).optional(),
  mode: z.enum(EXTRACTION_MODES).optional(),
  idColumn: z.string().optional(),
  promptColumn: z.string().optional(),
  truthColumn: z.string().optional(),
  labelColumn: z.string().default('label'),
  dryStep: z.boolean().default(true),
});

export type DoctorSettings = z.output<typeof settingsSchema>;

/** The options of `peervote doctor`, or every problem with them as a sentence. */
export function parseDoctorSettings(raw: Readonly<Record<string, unknown>>) {
  return parseOptions(settingsSchema, raw);
}

/** At the first `=`: tokens may hold more of them. */
function splitAgent(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 1)];
}
