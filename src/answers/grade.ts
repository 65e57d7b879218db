import { canonicalKey } from './canonical-key.ts';
import { gradeQwen } from './compat/qwen-grade.ts';
import { gradeVlm } from './compat/vlm.ts';
import { analyseCached } from './form-cache.ts';
import { differInUnit, equalForms } from './forms/equal-forms.ts';
import type { EqualityOptions } from './forms/equal-scalars.ts';
import { type Form, withoutName } from './forms/form.ts';
import { settle } from './forms/restated.ts';
import type { ExtractionMode } from './modes.ts';

export type GradeStatus = 'equal' | 'different' | 'unparsable_truth' | 'unparsable_prediction';

export interface GradeResult {
  equal: boolean;
  status: GradeStatus;
  /** One sentence for the person who audits a reward. */
  reason: string;
}

/** How tolerant a comparison is; what is left out has the default of the contract. */
export interface GradeOptions extends Partial<EqualityOptions> {
  mode?: ExtractionMode;
}

const DEFAULTS: EqualityOptions = { decimals: 6, dropBase: true, strictNames: false };
/**
 * A comma before decimals: two or more of them, after a zero three or more (`0,40` is a list of roots), and nothing that
 * groups by thousands (`1,234`).
 */
const DECIMAL_COMMA = /^\s*[-−]?(?![1-9]\d{0,2},\d{3}\s*$|0\d|0,\d\d\s*$)\d+,\d{2,}\s*$/;

/**
 * Compares an extracted answer with the ground truth: equal keys are equal, and so is what the contract tolerates
 * (docs/answers.md). Symmetric. A truth that does not parse equals its own spelling only. Never throws.
 */
export function grade(
  prediction: string | null,
  truth: string,
  options: ExtractionMode | GradeOptions = 'auto',
): GradeResult {
  const settings: GradeOptions = typeof options === 'string' ? { mode: options } : options;
  const mode = settings.mode ?? 'auto';
  const truthKey = canonicalKey(truth, mode);
  if (truthKey === null) return miss('unparsable_truth', 'the truth holds no answer');
  const key = prediction === null ? null : canonicalKey(prediction, mode);
  if (prediction === null || key === null)
    return miss('unparsable_prediction', 'there is no answer to compare');
  if (key === truthKey && settings.strictNames !== true && !measureOtherwise(prediction, truth, mode))
    return { equal: true, status: 'equal', reason: `both have the form ${key}` };
  if (mode === 'choice') return miss('different', `option ${key} is not option ${truthKey}`);
  if (mode === 'code') return miss('different', 'the programs differ');
  if (mode === 'qwen' || mode === 'vlm') {
    const same = mode === 'qwen' ? gradeQwen(prediction, truth) : gradeVlm(prediction, truth);
    return same
      ? { equal: true, status: 'equal', reason: `equal by the rules of ${mode}` }
      : miss('different', `different by the rules of ${mode}`);
  }
  return compareForms(prediction, truth, { ...DEFAULTS, ...settings });
}

/** Votes leave units out, since a bare number is one vote with any; but one unit is not accepted for another. */
function measureOtherwise(prediction: string, truth: string, mode: ExtractionMode): boolean {
  if (mode === 'choice' || mode === 'code' || mode === 'qwen' || mode === 'vlm') return false;
  const [a, b] = [analyseCached(prediction), analyseCached(truth)];
  return a !== null && b !== null && differInUnit(a, b);
}

function compareForms(prediction: string, truth: string, options: EqualityOptions): GradeResult {
  const a = analyseCached(prediction);
  const given = analyseCached(truth);
  if (a === null || given === null) return miss('different', 'one side holds no answer');
  if (a.restated === true && given.restated !== true)
    return miss('different', `${describe(a)} restates the problem`);
  const b = a.restated === true ? given : settle(given);
  if (equalForms(a, b, options) || equalAsDecimalComma(prediction, truth, a, b, options)) {
    return { equal: true, status: 'equal', reason: `${describe(a)} is accepted for ${describe(b)}` };
  }
  if (withoutName(b).kind === 'opaque')
    return miss('unparsable_truth', `the truth does not parse: ${describe(b)}`);
  if (withoutName(a).kind === 'opaque')
    return miss('unparsable_prediction', `the answer does not parse: ${describe(a)}`);
  return miss('different', `${describe(a)} is not ${describe(b)}`);
}

/** `1,22` against one number is that decimal; against anything else it is a list of two. */
function equalAsDecimalComma(
  prediction: string,
  truth: string,
  a: Form,
  b: Form,
  options: EqualityOptions,
): boolean {
  const comma = DECIMAL_COMMA.test(prediction) ? prediction : DECIMAL_COMMA.test(truth) ? truth : null;
  if (comma === null) return false;
  const other = comma === prediction ? b : a;
  const decimal = analyseCached(comma.replace(',', '.'));
  return other.kind === 'scalar' && decimal !== null && equalForms(decimal, other, options);
}

function describe(form: Form): string {
  return `${form.kind} ${form.key}`;
}

function miss(status: GradeStatus, reason: string): GradeResult {
  return { equal: false, status, reason };
}
