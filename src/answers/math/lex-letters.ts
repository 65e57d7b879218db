import { isUpright, type LexState, pushToken } from './lex-state.ts';
import { functionName, isPercentWord, isWordLike, letterName, magnitudeWord } from './names.ts';
import { numberWord } from './number-words.ts';
import { isUnit, isUnitWord } from './unit-words.ts';

const RUN = /[A-Za-z]+/y;
/** Letters of any script, with their marks. */
const WORD = /[\p{L}\p{M}]+/uy;
const NUMBER_NEXT = /[\s~}]{0,9}(?:\\[ ,;]\s{0,4})?(?:\d|\.\d|\\(?:frac|sqrt|pi)(?![a-zA-Z]))/y;
const GLUED_FUNCTION =
  /^(?:arcsin|arccos|arctan|sin|cos|tan|cot|sec|csc|ln|log|exp|sqrt)(?=[a-z]$|pi$|theta$)/;
const CONSTANTS: Readonly<Record<string, string>> = {
  pi: 'pi',
  inf: 'infty',
  infty: 'infty',
  infinity: 'infty',
  oo: 'infty',
};

/** Upright these are units, not functions: `12 \mathrm{~min}`. */
const UNIT_FUNCTIONS = new Set(['min', 'sec', 'deg', 'arg', 'dim']);

/** The unit or counter with letters beyond ASCII that stands here behind a number, or null: `个`, `années`. */
export function foreignUnit(state: LexState): string | null {
  const last = state.tokens.at(-1);
  if (last === undefined || (last.type !== 'number' && last.text !== '}')) return null;
  WORD.lastIndex = state.at;
  const run = WORD.exec(state.text)?.[0];
  return run !== undefined && isUnitWord(run) ? run : null;
}

/** Reads a run of letters as one function, constant, word or connective, else letter by letter. */
export function readLetters(state: LexState): number {
  RUN.lastIndex = state.at;
  const run = RUN.exec(state.text)?.[0] ?? '';
  const end = state.at + run.length;
  if (state.text.charCodeAt(end) > 0x7f) {
    const foreign = foreignUnit(state);
    if (foreign !== null) return pushToken(state, 'word', foreign, state.at + foreign.length);
  }
  const upright = isUpright(state);
  const called = /^\s?[({\\^_]/.test(state.text.slice(end, end + 2));
  if (run.length === 1) return pushToken(state, 'name', run, end);
  const lower = run.toLowerCase();
  if (lower === 'and' || lower === 'or') return pushToken(state, 'operator', lower, end);
  if (run === 'mod' && isOpened(state)) return pushToken(state, 'operator', 'mod', end);
  if (isSign(state, lower, end)) return pushToken(state, 'operator', '-', end);
  const magnitude = isAfterNumber(state) ? magnitudeWord(lower) : null;
  if (magnitude !== null) {
    pushToken(state, 'operator', '*', state.at);
    return pushToken(state, 'number', magnitude, end);
  }
  if (isPercentWord(run)) return pushToken(state, 'operator', '%', end);
  if (Object.hasOwn(CONSTANTS, lower) && !(upright && lower === 'inf')) {
    return pushToken(state, 'name', CONSTANTS[lower] ?? run, end);
  }
  const name = functionName(run);
  if (name !== null && !((upright || isAfterNumber(state)) && UNIT_FUNCTIONS.has(run) && !called)) {
    return pushToken(state, 'function', name, end);
  }
  if (upright || isWholeAnswer(state, end) || isWordAfterWord(state))
    return pushToken(state, 'word', run, end);
  const unit = isUnit(run) || isAcronym(state, run) || isOrdinal(state, run) || isParticle(state, run, end);
  if (unit && !called) return pushToken(state, 'word', run, end);
  const letter = letterName(run);
  if (letter !== null && run.length > 2) return pushToken(state, 'name', letter, end);
  const glued = GLUED_FUNCTION.exec(run);
  if (glued !== null) {
    pushToken(state, 'function', functionName(glued[0]) ?? glued[0], state.at + glued[0].length);
    return readLetters(state);
  }
  if (isWordLike(run) || numberWord(run) !== null) return pushToken(state, 'word', run, end);
  for (const char of run) pushToken(state, 'name', char, state.at + 1);
  return state.at;
}

/** `(mod 7)`, which stands after a residue. */
function isOpened(state: LexState): boolean {
  const last = state.tokens.at(-1);
  return last?.type === 'operator' && last.text === '(';
}

/** `minus 17`, `negative \frac12`: a sign in words, before a number only; `5 minus 3` is a difference. */
function isSign(state: LexState, lower: string, end: number): boolean {
  if (lower !== 'minus' && lower !== 'negative') return false;
  if (lower === 'negative' && state.tokens.length > 0 && state.tokens.at(-1)?.type !== 'operator')
    return false;
  NUMBER_NEXT.lastIndex = end;
  return NUMBER_NEXT.test(state.text);
}

function isAfterNumber(state: LexState): boolean {
  return state.tokens.at(-1)?.type === 'number';
}

/** `52 WPM`: capitals set off from a number are a unit, unless they go through the alphabet as names of points do. */
function isAcronym(state: LexState, run: string): boolean {
  return (
    state.spaced &&
    isAfterNumber(state) &&
    run.length <= 5 &&
    /^[A-Z]{3}/.test(run) &&
    !/ABC|XYZ|PQR/.test(run)
  );
}

/** `5th`. */
function isOrdinal(state: LexState, run: string): boolean {
  return !state.spaced && isAfterNumber(state) && /^(?:st|nd|rd|th)$/.test(run);
}

/** `3/4 of the cake`, `5 up`: small words between spaces are no products. */
function isParticle(state: LexState, run: string, end: number): boolean {
  if (run === 'up') return state.spaced && /^(?:[%)}]|\d.*|deg)$/.test(state.tokens.at(-1)?.text ?? '');
  return state.spaced && state.text.charAt(end) === ' ' && /^(?:of|per|by|at|to|is|as)$/.test(run);
}

/** `No` alone is a word, though it could be a product. */
function isWholeAnswer(state: LexState, end: number): boolean {
  return state.at === 0 && end === state.end && /^(?:no|up|on|in|it|he|us)$/i.test(state.text);
}

/** Within a phrase every run is a word: `all of them`. */
function isWordAfterWord(state: LexState): boolean {
  return state.spaced && state.tokens.at(-1)?.type === 'word';
}
