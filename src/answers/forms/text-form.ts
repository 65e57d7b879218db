import { mayBeDate, readDate } from '../math/calendar-date.ts';
import { readLabel } from '../math/label.ts';
import { readSpelledNumber } from '../math/number-words.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import { hashText } from '../text-key.ts';
import type { Form } from './form.ts';
import { REAL_LINE, realSetKey } from './real-set.ts';

/** Phrases for one and the same answer. */
const SYNONYMS: Readonly<Record<string, string>> = {
  nosolutions: 'nosolution',
  norealsolution: 'nosolution',
  norealsolutions: 'nosolution',
  thereisnosolution: 'nosolution',
  doesnotexist: 'dne',
  thelimitdoesnotexist: 'dne',
  emptyset: 'emptyset',
  theemptyset: 'emptyset',
};

const REAL_NUMBERS = new Set([
  'allrealnumbers',
  'allreals',
  'realnumbers',
  'setofallrealnumbers',
  'thesetofallrealnumbers',
  'anyrealnumber',
]);
const TEXT_GROUP = /\\(?:text|textrm|mathrm|mbox)\s?\{([^{}]{0,200})\}/g;
/** Letters only, but for text commands: most answers fail here. */
const PHRASE = /^[A-Za-z\\][A-Za-z\\{}\s~.,-]*$/;
/** `one thousand, two hundred` */
const SCALE_COMMA = /\b(thousand|million|billion),/gi;
const MAX_PHRASE = 160;
const TEXT_COMMAND = /\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|operatorname)\s?/g;

/** The form of words: compared without case, spaces and punctuation. Number words are numbers. */
export function textForm(text: string): Form {
  const words = text.replace(TEXT_COMMAND, ' ').trim();
  const date = mayBeDate(words) ? readDate(words) : null;
  if (date !== null) return dateText(date);
  const spelled = spelledForm(words);
  if (spelled !== null) return spelled;
  const folded = words.toLowerCase().replace(/[\s{}.,;:!?'"\\~$-]/g, '');
  const name = Object.hasOwn(SYNONYMS, folded) ? (SYNONYMS[folded] ?? folded) : folded;
  if (REAL_NUMBERS.has(name)) return { kind: 'set', key: realSetKey(REAL_LINE), set: REAL_LINE };
  if (name === 'emptyset') return emptySet();
  return { kind: 'text', key: shortKey('"', name === '' ? words : name) };
}

/**
 * The number that a phrase of English words spells, with or without a unit: `negative one hundred and five`, `twelve apples`.
 * Null for anything else.
 */
export function spelledForm(text: string): Form | null {
  if (text.length > MAX_PHRASE || !PHRASE.test(text)) return null;
  const words = text
    .replace(TEXT_GROUP, ' $1 ')
    .replace(/[{}~.]/g, ' ')
    .replace(SCALE_COMMA, '$1');
  if (!/^[A-Za-z\s-]+$/.test(words)) return null;
  const spelled = readSpelledNumber(words);
  if (spelled === null || readLabel(spelled.rest).sense !== 'unit') return null;
  const scalar = { kind: 'exact', value: spelled.value } as const;
  return { kind: 'scalar', key: scalarKey(scalar), scalar, decimals: 0, percent: false };
}

export function emptySet(): Form {
  return { kind: 'set', key: '{}', set: [] };
}

/** What does not parse is equal to its own spelling only. */
export function opaqueForm(text: string): Form {
  const unwrapped = text.replace(TEXT_GROUP, ' $1 ');
  const plain = !unwrapped.includes('\\') && /[A-Za-z]{3}/.test(unwrapped);
  const compact = unwrapped.replace(/\\(?:left|right)(?![a-zA-Z])|\\[,;:! ]|~/g, '').replace(/\s+/g, '');
  return { kind: 'opaque', key: shortKey('x:', plain ? compact.toLowerCase() : compact) };
}

/** Keys stay short: a long one is replaced by its hash. */
export function shortKey(prefix: string, content: string): string {
  return content.length > 160 ? `${prefix}#${hashText(content)}` : prefix + content;
}

/** A calendar date, which is no sum and no fraction; null for anything else. */
export function dateForm(text: string): Form | null {
  if (text.length > 80 || !mayBeDate(text)) return null;
  const date = readDate(unwrapped(text));
  return date === null ? null : dateText(date);
}

function dateText(date: string): Form {
  return { kind: 'text', key: `"${date}` };
}

function unwrapped(text: string): string {
  return text
    .replace(TEXT_GROUP, ' $1 ')
    .replace(/\\[ ,;:!]|~/g, ' ')
    .trim();
}

const CLOCK = /^(\d{1,2})(?::([0-5]\d))?\s*([ap])\.?\s?m\.?$/i;

/** A time of day with a.m. or p.m., which is no ratio and no number with a unit; null for anything else. */
export function clockForm(text: string): Form | null {
  if (text.length > 40 || !/[ap][\s.\\~]{0,6}m/i.test(text)) return null;
  const match = CLOCK.exec(unwrapped(text));
  if (match === null) return null;
  return { kind: 'text', key: `"${Number(match[1])}:${match[2] ?? '00'}${(match[3] ?? '').toLowerCase()}m` };
}
