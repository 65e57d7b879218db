import { z } from 'zod';
import { boundedList } from './bounded-list.ts';

/** Of one completion, or of a prompt that comes with it, in UTF-16 code units. */
export const MAX_COMPLETION = 16_777_216;

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

/** Texts of the options of a multiple-choice problem. */
export const choicesSchema = boundedList(wireText(4_096), { min: 2, max: 10 }).meta({
  description: 'The texts of options A, B, … in mode choice: an answer may repeat one instead of its letter.',
});
