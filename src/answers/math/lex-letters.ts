import { isUpright, type LexState, pushToken } from './lex-state.ts';
import {
  functionName,
  isPercentWord,
  isUnit,
  isWordLike,
  letterName,
  magnitudeWord,
  numberWord,
} from './names.ts';

const RUN = /[A-Za-z]+/y;
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

/** Reads a run of letters as one function, constant, word or connective, else letter by letter. */
export function readLetters(state: LexState): number {
  RUN.lastIndex = state.at;
  const run = RUN.exec(state.text)?.[0] ?? '';
  const end = state.at + run.length;
  const upright = isUpright(state);
  const called = /^\s?[({\\^_]/.test(state.text.slice(end, end + 2));
  if (run.length === 1) return pushToken(state, 'name', run, end);
  const lower = run.toLowerCase();
  if (lower === 'and' || lower === 'or') return pushToken(state, 'operator', lower, end);
  if (run === 'mod' && isOpened(state)) return pushToken(state, 'operator', 'mod', end);
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

/** `3/4 of the cake`: small words between spaces are no products. */
function isParticle(state: LexState, run: string, end: number): boolean {
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
