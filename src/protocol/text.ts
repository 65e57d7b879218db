import { z } from 'zod';

/**
 * Text from a trainer, at most `max` UTF-16 code units. Lone surrogates, which Python's json sends
 * happily, are replaced, so that equal inputs stay equal wherever they go.
 */
export function wireText(max: number) {
  return z
    .string()
    .max(max)
    .overwrite((text) => text.toWellFormed());
}

/** Names a problem; the same for every agent. */
export const promptIdSchema = wireText(512).min(1);

export const MAX_TRUTH_LENGTH = 16_384;

const truthListSchema = z
  .array(z.unknown())
  .max(1000)
  .refine(canBeWritten, { error: 'is nested too deeply' });

/** The ground truth as datasets have it: text, a number, or a list. Blank and null mean that there is none. */
export const groundTruthSchema = z
  .union([wireText(MAX_TRUTH_LENGTH), z.number(), z.boolean(), truthListSchema, z.null()])
  .meta({
    description: 'The true answer. Used for eval and for metrics; only method ground-truth rewards by it.',
  });

/** One text for any ground truth; null when there is none. */
export function truthText(value: z.output<typeof groundTruthSchema> | undefined): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : String(value);
  return text.trim() === '' ? null : text;
}

/** Texts of the options of a multiple-choice problem. */
export const choicesSchema = z.array(wireText(4_096)).min(2).max(10).meta({
  description: 'The texts of options A, B, … in mode choice: an answer may repeat one instead of its letter.',
});

/** V8 parses nesting of any depth, but writes it on the stack. */
function canBeWritten(list: readonly unknown[]): boolean {
  try {
    list.join();
    return true;
  } catch {
    return false;
  }
}
