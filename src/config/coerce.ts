import type { z } from 'zod';

const NUMBER = /^-?\d+(\.\d+)?$/;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * The value that a text from a flag or the environment stands for: a number or a truth value where the schema wants
 * one. A text that is none stays as it is, for the schema to refuse.
 */
export function coerceText(schema: z.core.$ZodType, text: string): unknown {
  if (kindOf(schema) === 'boolean') return BOOLEANS.get(text.trim()) ?? text;
  return kindOf(schema) === 'number' && NUMBER.test(text.trim()) ? Number(text) : text;
}

/** The kind of value behind defaults and the like. */
function kindOf({ _zod: { def } }: z.core.$ZodType): string {
  return 'innerType' in def ? kindOf(def.innerType as z.core.$ZodType) : def.type;
}
