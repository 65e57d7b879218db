import { parse } from '../math/parse.ts';
import { prepareAnswer } from '../math/prepare.ts';
import { withBudget } from '../numeric/work-budget.ts';
import { hashText, MAX_ANSWER_LENGTH } from '../text-key.ts';
import { buildForm } from './build-form.ts';
import type { Form } from './form.ts';
import { hidesText } from './hidden-text.ts';
import { proseForm } from './prose-form.ts';
import { isRestated, restate } from './restated.ts';
import { tableForm } from './table-form.ts';
import { clockForm, dateForm, emptySet, opaqueForm, spelledForm } from './text-form.ts';

/** The normal form of an answer; null for one that says nothing. Never throws, and its work is bounded. */
export function analyse(spelling: string): Form | null {
  const answer = spelling.toWellFormed();
  if (answer.length > MAX_ANSWER_LENGTH) {
    const text = answer.trim();
    return text === '' ? null : { kind: 'opaque', key: `long:${hashText(text)}` };
  }
  const plain = readPlainInteger(answer);
  if (plain !== null) return plain;
  const text = prepareAnswer(answer);
  if (!/[^\s.,;:!?'"`*$\\{}()[\]_~-]/.test(text)) return punctuationForm(text);
  if (hidesText(answer)) return opaqueForm(text);
  const spoken = clockForm(text) ?? dateForm(text) ?? spelledForm(text);
  if (spoken !== null) return spoken;
  try {
    const node = parse(text);
    if (node !== null) {
      const form = withBudget(() => buildForm(node));
      return isRestated(node) ? restate(form) : form;
    }
    return tableForm(text) ?? proseForm(text) ?? opaqueForm(text);
  } catch {
    // The stack of a hostile nesting; the text itself is then the answer.
    return opaqueForm(text);
  }
}

/** Punctuation alone is no answer, but for the empty set. */
function punctuationForm(text: string): Form | null {
  return /^\\\{\s*\\\}$/.test(text) ? emptySet() : null;
}

/** The commonest answers need no parser. */
function readPlainInteger(answer: string): Form | null {
  if (answer.length > 15 || !/^(?:0|-?[1-9]\d*)$/.test(answer)) return null;
  const scalar = { kind: 'exact', value: { num: BigInt(answer), den: 1n } } as const;
  return { kind: 'scalar', key: answer, scalar, decimals: 0, percent: false };
}
