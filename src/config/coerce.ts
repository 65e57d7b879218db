import type { z } from 'zod';

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * The value that a text from a flag or the environment stands for: a number where the schema wants one.
 * A text that is no number stays as it is, for the schema to refuse.
 */
export function coerceText(schema: z.core.$ZodType, text: string): unknown {
  return isNumeric(schema) && NUMBER.test(text.trim()) ? Number(text) : text;
}

function isNumeric({ _zod: { def } }: z.core.$ZodType): boolean {
  if (def.type === 'number') return true;
  return 'innerType' in def && isNumeric(def.innerType as z.core.$ZodType);
}
