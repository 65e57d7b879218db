import { canonicalKey } from './canonical-key.ts';
import { extract } from './extract.ts';
import { isMathematical } from './extraction/readable.ts';
import { analyseCached } from './form-cache.ts';
import { withoutName } from './forms/form.ts';
import { type GradeResult, grade } from './grade.ts';
import type { ExtractionMode } from './modes.ts';
import { MAX_ANSWER_LENGTH } from './text-key.ts';

/** A ground truth as an answer that predictions are compared with. */
export interface TruthAnswer {
  readonly text: string;
  /** Answers each of which is right as well; absent where there is only one. */
  readonly accepted?: readonly string[];
}

export interface TruthReading extends TruthAnswer {
  /** Null: it holds no answer at all, and nothing equals it. */
  readonly key: string | null;
  /** False: it does not parse as an answer, so nothing but its own spelling equals it, if that. */
  readonly readable: boolean;
}

/** What a worked solution marks its answer with, and the mode that reads it. */
const MARKS: readonly (readonly [mark: string, mode: ExtractionMode])[] = [
  ['####', 'gsm8k'],
  ['\\boxed', 'boxed'],
  ['\\fbox', 'boxed'],
  ['</answer>', 'answer-tag'],
];
const COMMAND = /\\(?:text|mathrm|textbf|operatorname)\s?\{[^{}]{0,200}\}|\\[A-Za-z]+/g;
const WORD = /\p{L}{2,}/u;

/**
 * Reads what a data set holds as truth: an answer, which stays as it is, or a worked solution, whose answer is taken from its
 * last `####` line, box or answer tag, whichever comes last, else from the sentence that states it. A list is of answers
 * each of which is right, and so is the list as a whole, as the roots of an equation are written. Never throws.
 */
export function readTruth(
  truth: string | readonly string[],
  mode: ExtractionMode,
  choices: readonly string[] | null = null,
): TruthReading {
  if (typeof truth === 'string') return readOne(truth, mode, choices);
  const all = truth.map((one) => readOne(one, mode, choices)).filter(({ key }) => key !== null);
  const distinct = all.filter(({ key }, place) => all.findIndex((one) => one.key === key) === place);
  const [first] = distinct;
  if (first === undefined || distinct.length === 1) return first ?? readOne(truth.join(', '), mode, choices);
  const accepted = distinct.map(({ text }) => text);
  const text = accepted.join(', ');
  return {
    text,
    accepted,
    key: canonicalKey(text, mode) ?? first.key,
    readable: distinct.some(({ readable }) => readable),
  };
}

/** Holds an answer against a truth that was read: equal to any accepted one is equal. Never throws. */
export function gradeTruth(prediction: string | null, truth: TruthAnswer, mode: ExtractionMode): GradeResult {
  let best = grade(prediction, truth.text, mode);
  for (const one of truth.accepted ?? []) {
    if (best.equal) return best;
    const result = grade(prediction, one, mode);
    // In mode choice a list as a whole is no option, which is not what is wrong with the prediction.
    if (result.equal || best.status === 'unparsable_truth') best = result;
  }
  return best;
}

function readOne(truth: string, mode: ExtractionMode, choices: readonly string[] | null): TruthReading {
  if (mode !== 'code' && !isAnswer(truth, mode)) {
    const found = findMarked(truth, mode) ?? findStated(truth, mode, choices);
    if (found !== null) return describe(found, mode);
  }
  return describe(truth, mode);
}

function describe(text: string, mode: ExtractionMode): TruthReading {
  const key = isTooLong(text, mode) ? null : canonicalKey(text, mode);
  return { text, key, readable: isReadable(text, mode) };
}

/** Whether the text as it stands is the answer. Words around a mark make it a solution. */
function isAnswer(text: string, mode: ExtractionMode): boolean {
  if (!isReadable(text, mode)) return false;
  return !MARKS.some(([mark]) => text.includes(mark)) || !WORD.test(text.replace(COMMAND, ' '));
}

/** An answer of that length abstains, so nothing could equal it. */
function isTooLong(text: string, mode: ExtractionMode): boolean {
  return text.length > MAX_ANSWER_LENGTH && mode !== 'code';
}

/** Whether a text parses as an answer as it stands; else nothing equals it but its own spelling. */
export function isReadable(text: string, mode: ExtractionMode): boolean {
  if (isTooLong(text, mode)) return false;
  if (mode === 'choice' || mode === 'code' || mode === 'qwen' || mode === 'vlm') {
    return canonicalKey(text, mode) !== null;
  }
  const form = analyseCached(text);
  return form !== null && withoutName(form).kind !== 'opaque';
}

function findMarked(text: string, mode: ExtractionMode): string | null {
  const places = MARKS.map(([mark, reader]) => ({ at: text.lastIndexOf(mark), reader }));
  for (const { at, reader } of places.sort((a, b) => b.at - a.at)) {
    if (at < 0) return null;
    if (reader === 'gsm8k' && /\S/.test(text.charAt(at - 1))) continue;
    const found = extract(text, { mode: reader });
    if (found === null || canonicalKey(found, mode) === null) continue;
    if (reader !== 'gsm8k' || !isHeading(text, at, found)) return found;
  }
  return null;
}

/** `#### Conclusion` is a heading of Markdown where lines of the solution follow it. */
function isHeading(text: string, at: number, found: string): boolean {
  const line = text.indexOf('\n', at);
  return line >= 0 && text.slice(line).trim() !== '' && !isMathematical(found);
}

/** A sentence may hold such words without being about itself, so words are taken only where nothing follows them. */
function findStated(text: string, mode: ExtractionMode, choices: readonly string[] | null): string | null {
  if (mode === 'choice') return extract(text, { mode, ...(choices !== null && { choices }) });
  const found = extract(text.replaceAll('####', ' '), { mode: 'auto' });
  if (found === null || canonicalKey(found, mode) === null) return null;
  const isLast = !isReadable(text, mode) && text.replace(/[\s.]+$/, '').endsWith(found);
  return isLast || isMathematical(found) ? found : null;
}
