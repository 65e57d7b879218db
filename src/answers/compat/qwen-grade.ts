import { analyseCached } from '../form-cache.ts';
import { withoutName } from '../forms/form.ts';
import { normaliseQwen } from './qwen-normalise.ts';

const FRACTION = /^-?\\frac\{-?\d+\}\{-?\d+\}$/;
const INTEGER = /^-?\d+(?:,\d{3})*$/;
const SCIENTIFIC = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+|\\times10\^\{?-?\d+\}?)$/;
/** The reference refuses to evaluate powers in braces and nested function calls. */
const REFUSED = /\^\{|\^\(/;

/**
 * Whether the Co-RL reference rewards an answer against a label: equal spellings, or equal values, except that unreduced
 * fractions and integers must agree as written. Our engine stands in for the reference's symbolic comparison.
 */
export function gradeQwen(prediction: string, label: string): boolean {
  const given = normaliseQwen(prediction);
  const wanted = normaliseQwen(label);
  if (given === '' || wanted === '') return false;
  if (given === wanted) return true;
  const parts = splitTuple(given);
  const wantedParts = splitTuple(wanted);
  if (parts.length !== wantedParts.length) return false;
  if (parts.length > 1 && (given.at(0) !== wanted.at(0) || given.at(-1) !== wanted.at(-1))) return false;
  return parts.every((part, i) => equalPart(part, wantedParts[i] ?? ''));
}

function equalPart(given: string, wanted: string): boolean {
  if (given === wanted) return true;
  if (FRACTION.test(given) && FRACTION.test(wanted)) return false;
  if (SCIENTIFIC.test(given) && SCIENTIFIC.test(wanted)) return keyOf(given) === keyOf(wanted);
  if (INTEGER.test(given) !== INTEGER.test(wanted)) return false;
  if (REFUSED.test(given) || REFUSED.test(wanted)) return false;
  const key = keyOf(given);
  return key !== null && key === keyOf(wanted);
}

function keyOf(text: string): string | null {
  const form = analyseCached(text);
  return form === null || withoutName(form).kind === 'opaque' ? null : form.key;
}

/** The coordinates of `(a,b)` or `[a,b]`; a thousands comma splits nothing. */
function splitTuple(text: string): string[] {
  const bracketed = /^[([].*[)\]]$/.test(text) && text.length > 2;
  if (!bracketed) return [text];
  const parts = text.slice(1, -1).split(',');
  return parts.length === 1 ? [text] : parts;
}
