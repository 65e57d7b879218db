import { numberWord } from './number-words.ts';
import { isTurning } from './turning-words.ts';
import { isPlural, isUnitWord, singular } from './unit-words.ts';

/**
 * What the words beside a number do to it. `unit`: nothing, they are dropped (but tell the numbers of a list apart).
 * `noun`: they are unknown, so they are kept, and the bare number is accepted for them. `turn`: they change the meaning.
 */
export type Sense = 'unit' | 'noun' | 'turn';

export interface Label {
  sense: Sense;
  /** The words that tell this number from others, folded: `redball` for `red balls`. Empty where none does. */
  text: string;
}

const NO_LABEL: Label = { sense: 'unit', text: '' };

/** Words that open a phrase after the noun: `packs of gum`, `miles per hour`. */
const LINKS = new Set('of per in for on at with by from during among within a an'.split(' '));
const ARTICLES = new Set(
  'the a an of this that these those his her its their our my your some such all s'.split(' '),
);
/** Nouns that are counted along a line, beside which `left` is a direction; beside others it says what remains. */
const STEPS = new Set(
  (
    'unit step space square block place position pixel floor row column seat turn degree radian tile cell notch stop ' +
    'inch foot yard mile meter metre centimeter centimetre kilometer kilometre millimeter'
  ).split(' '),
);
const CONFIRMATION = /^is (?:the |our |my )?(?:final |correct |right )?(?:answer|solution|result|correct)$/;
/** What stands behind them explains the number. */
const REASONS = new Set(['because', 'since']);
const MAX_WORDS = 24;
/** Longer unknown phrases are sentences, for which no bare number is accepted. */
const MAX_NOUN_WORDS = 4;
const MAX_MODIFIERS = 3;

/**
 * What the words after a number do to it. What is not known to leave the number alone is kept: known units, and plural
 * nouns with what stands before them, are dropped. `remaining` says that the sentence before told of a possession, so that
 * `left` at the end is no direction.
 */
export function readLabel(words: readonly string[], remaining = false): Label {
  if (words.length === 0) return NO_LABEL;
  const reason = words.findIndex((word) => REASONS.has(word.toLowerCase()));
  if (reason >= 0 && reason < words.length - 1) return readLabel(words.slice(0, reason), remaining);
  const lower = words.map((word) => word.toLowerCase());
  if (words.length > MAX_WORDS) return { sense: 'turn', text: lower.join('') };
  if (CONFIRMATION.test(lower.join(' '))) return NO_LABEL;
  if (turns(lower, remaining)) return { sense: 'turn', text: fold(lower.filter(isNoMeasure)) || fold(lower) };
  const told = words.filter((word) => word.toLowerCase() !== 'left');
  const text = fold(told.map((word) => word.toLowerCase()));
  if (told.length === 0 || isPhrase(told)) return { sense: 'unit', text };
  const noun = words.length <= MAX_NOUN_WORDS && words.every(isLatinNoun);
  return { sense: noun ? 'noun' : 'turn', text };
}

/** What the words before a number and a colon say: they tell numbers of a list apart as those behind it do. */
export function readLead(text: string): Label {
  const words = wordsOf(text).map((word) => word.toLowerCase());
  return { sense: isPlainLead(words) ? 'unit' : 'turn', text: fold(words) };
}

/** The words of a phrase, without its other signs. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}'’]+/gu) ?? [];
}

/**
 * Turning words that only name the number behind them, as a variable does, or belong to the verb: `the maximum is 12`,
 * `she will have 12`.
 */
const NAMING = new Set(
  (
    'is are was were be been has have had can could will would do does did should must so if when while correct ' +
    'positive possible maximum minimum larger smaller bigger greater shorter longer older younger taller faster slower ' +
    'higher lower better best worse worst closer nearer farther further true first exact right'
  ).split(' '),
);
/** These do so too unless they stand right before the number. */
const TIMES = new Set('after before now later next past previous since until out up more'.split(' '));

/** Whether the words before a number in a sentence leave it alone: `James took` does, `the reciprocal of` does not. */
export function isPlainLead(words: readonly string[]): boolean {
  const last = words.length - 1;
  return (
    words.length <= MAX_WORDS &&
    words.every((word, at) => !isTurning(word) || NAMING.has(word) || (TIMES.has(word) && at < last))
  );
}

function turns(lower: readonly string[], remaining: boolean): boolean {
  return lower.some((word, at) => {
    if (word === 'left') {
      const before = lower[at - 1] ?? '';
      if (at === 0) return !remaining;
      return STEPS.has(singular(before)) || !(isUnitWord(before) || isPlural(before));
    }
    // `square meters`, but not `13 square`
    if (word === 'square') return !lower.slice(at + 1).some(isUnitWord);
    return isTurning(word) || numberWord(word) !== null;
  });
}

/** A noun with its modifiers before it and known words or a linked phrase after it. */
function isPhrase(words: readonly string[]): boolean {
  const lower = words.map((word) => word.toLowerCase());
  if (LINKS.has(lower[0] ?? '')) return true;
  const head = words.findIndex((word) => isUnitWord(word) || isPlural(word));
  if (head < 0 || head > MAX_MODIFIERS || lower.slice(0, head).some((word) => LINKS.has(word))) return false;
  const link = lower.findIndex((word, at) => at > head && LINKS.has(word));
  const rest = words.slice(head + 1, link < 0 ? words.length : link);
  return rest.every((word) => isUnitWord(word) || isPlural(word));
}

function isLatinNoun(word: string): boolean {
  return /^[\p{Script=Latin}'’]+$/u.test(word) && !/\p{L}{3}ed$/iu.test(word);
}

function isNoMeasure(word: string): boolean {
  return !isUnitWord(word);
}

function fold(words: readonly string[]): string {
  return (
    words
      // `m per s` ends in the second, `Tom's` in no unit.
      .filter((word, at) => !ARTICLES.has(word) || (word === 's' && words[at - 1] === 'per'))
      .map(singular)
      .join('')
  );
}
