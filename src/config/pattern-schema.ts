import { z } from 'zod';
import { compilePattern } from '../answers/regex/compile-pattern.ts';

const MAX_PATTERN_LENGTH = 1_000;

/** A pattern of mode `regex`; one that the linear-time matcher refuses is an error that says why. */
export const patternSchema = z
  .string({ error: 'expected a pattern' })
  .min(1, { error: 'expected a pattern' })
  .max(MAX_PATTERN_LENGTH)
  .superRefine((pattern, context) => {
    try {
      compilePattern(pattern);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    }
  });
