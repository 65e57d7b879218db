import { readChoiceForm } from './choice-form.ts';
import { cleanAnswer } from './clean-answer.ts';
import { detach } from './detach.ts';
import type { ExtractionMode } from './modes.ts';
import { parsePlainNumber } from './plain-number.ts';
import { formatRational } from './rational.ts';
import { hashText, MAX_ANSWER_LENGTH } from './text-key.ts';

/**
 * The vote key: two answers are one vote exactly when their keys are equal. `null` for a blank answer, and
 * in mode `choice` for one that names no single option. A key is at most 300 characters.
 */
export function canonicalKey(answer: string, mode: ExtractionMode = 'auto'): string | null {
  const text = answer.trim();
  if (text === '') return null;
  if (mode === 'choice') return choiceKey(text);
  if (text.length > MAX_ANSWER_LENGTH) return `long:${hashText(text)}`;
  const clean = cleanAnswer(text);
  const value = parsePlainNumber(clean);
  if (value !== null) return shorten(formatRational(value));
  const compact = clean.replace(/\s/g, '');
  return shorten(compact === '' ? text : /^[a-z]+$/i.test(compact) ? compact.toLowerCase() : compact);
}

function choiceKey(text: string): string | null {
  const form = readChoiceForm(text);
  return form === 'none' || form === 'several' ? null : form;
}

function shorten(key: string): string {
  return key.length > 256 ? `hash:${hashText(key)}` : detach(key);
}
