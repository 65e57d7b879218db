import { readChoiceForm } from './choice/choice-form.ts';
import { analyseCached } from './form-cache.ts';
import type { ExtractionMode } from './modes.ts';

/**
 * The vote key: two answers are one vote exactly when their keys are equal, whatever their spelling. `null` for a
 * blank answer, and in mode `choice` for one that names no single option. Keys are short strings of their own.
 */
export function canonicalKey(answer: string, mode: ExtractionMode = 'auto'): string | null {
  if (mode === 'choice') {
    const form = readChoiceForm(answer);
    return form === 'none' || form === 'several' ? null : form;
  }
  return analyseCached(answer)?.key ?? null;
}
