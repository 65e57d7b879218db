import { readChoiceForm } from './choice/choice-form.ts';
import { normaliseQwen } from './compat/qwen-normalise.ts';
import { keyVlm } from './compat/vlm.ts';
import { detach } from './detach.ts';
import { analyseCached } from './form-cache.ts';
import type { ExtractionMode } from './modes.ts';
import { hashText } from './text-key.ts';

/**
 * The vote key: two answers are one vote exactly when their keys are equal, whatever their spelling. `null` for a
 * blank answer, and in mode `choice` for one that names no single option. Keys are short strings of their own.
 */
export function canonicalKey(answer: string, mode: ExtractionMode = 'auto'): string | null {
  if (mode === 'choice') {
    const form = readChoiceForm(answer);
    return form === 'none' || form === 'several' ? null : form;
  }
  if (mode === 'qwen') return normaliseQwen(answer) || null;
  if (mode === 'vlm') return keyVlm(answer);
  if (mode === 'code') return codeKey(answer);
  return analyseCached(answer)?.key ?? null;
}

/** Programs are compared by what they print; until they are run, only the same text is the same program. */
function codeKey(answer: string): string | null {
  const text = answer.trim();
  if (text === '') return null;
  return text.length > 160 ? `code:${hashText(text)}` : detach(text);
}
