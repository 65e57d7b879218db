import type { Lead } from './announcing-words.ts';
import { findJoinedBoxes } from './joined-boxes.ts';
import { findLastNumber } from './last-number.ts';
import { findMathSpans, type MathSpan } from './math-spans.ts';
import { readList, type Value } from './value-list.ts';

const AMOUNT = /[$€£]\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?[$€£]/g;
/** A bound is no number. */
const BOUND =
  /^(?:(?:somewhere|anywhere|strictly|certainly|definitely|probably|likely|possibly|perhaps|maybe|always|surely)\s){0,2}(?:(?:at (?:least|most)|more than|less than|fewer than|greater than|no (?:more|less|fewer) than|up to|over|under|above|below|between|a (?:minimum|maximum) of)\s|mindestens|höchstens|mehr als|weniger als|zwischen|al menos|como máximo|como mínimo|más de|menos de|entre|au moins|au plus|plus de|moins de|almeno|al massimo|più di|meno di|tra |pelo menos|no máximo|mais de|не менее|не более|больше|меньше|более|менее|минимум|максимум|co najmniej|co najwyżej|więcej niż|mniej niż|ten minste|minstens|hoogstens|meer dan|minder dan|en az|en fazla|ít nhất|nhiều nhất|nhiều hơn|ít hơn|최소|최대|적어도|많아야|على الأقل|على الأكثر|أكثر من|أقل من|कम से कम|अधिक से अधिक|setidaknya|paling|lebih dari|kurang dari|至少|至多|最多|最少|大于|小于|超过|少なくとも|多くとも|最大|最小)/iu;
const BOUND_AFTER =
  /^\s?(?:이상|이하|초과|미만|以上|以下|より|未満|से अधिक|से कम|or (?:more|less|fewer|greater|higher|above|below)\b|और अधिक)/iu;
/** `40 less than the rest`, `3 times more` are no numbers. */
const COMPARED =
  /^\s?(?:[A-Za-z]+\s){0,2}(?:(?:more|less|fewer|greater|smaller|higher|lower|larger|older|younger)\s(?:[a-z]+\s){0,2}than|times\s(?:as|the|more))\b/i;
/** The label of an option before its text: `B) 12 cm`. */
const LABEL = /^[\s*_]{0,4}\(?([A-J])\)[\s*_:.]{1,4}(?=\S)/;
/** Clauses that add something to the answer: it stands before them. */
const ASIDE =
  /[,;]?\s+(?:which|because|since|as (?:it|this|the|we)|due to|given that|considering|assuming|based on|so that|out of|compared)\b|,\s+(?:where|when|if|as|for|with|after|in which)\b|\s\((?!\s?[-\d\\])/i;
const REASON = /[,;]?\s+(?:which|because|since|as (?:it|this|the|we)|due to|given that)\b/i;
/** After the number that answers, these lead to another one. */
const ADVERBIAL =
  /^[^.]*?\s(?:for|in|on|within|during|after|when|if|where|at|per|from|out of|of the|en|pour|durante|für|von|bei)\s/i;
/** A value that another one follows as its result: `$3 + 4$ = $7$`, `$x$ is 5`. */
const RESULT = /\s*(?:=|≈|\bis\b|\bare\b|\bequals\b)\s*/iy;
const OPERATOR = /\s*[-−+×*÷/]\s*/y;
/** Values that are only put together. */
const COMPOSED = /\b(?:sum|product|difference|quotient|total|ratio) of\b/i;
const WEAK = /^\\?[A-Za-z]+(?:_\{?\w{1,3}\}?)?(?:\([A-Za-z, ]{1,8}\))?$/;

/** A statement without the reasons and relative clauses behind it. */
export function mainClause(statement: string): string {
  const aside = statement.search(REASON);
  return aside <= 0 ? statement : statement.slice(0, aside);
}

/** Whether a statement gives a bound, `at least 3`, which is no number. */
export function isBound(statement: string): boolean {
  return BOUND.test(statement);
}

/** A box, else the value that the statement leads with, else the one that its sentence ends in. */
export function findValue(statement: string, lead: Lead): Value | null {
  const boxed = findJoinedBoxes(statement);
  if (boxed !== null) return { text: boxed.text, from: boxed.at, to: boxed.end + 1 };
  const spans = findMathSpans(statement);
  const { english, verb } = lead;
  const label = LABEL.exec(statement);
  const value =
    readResult(statement, label?.[0].length ?? 0, spans, english) ??
    readLabel(label) ??
    readSentence(statement, spans, verb, english);
  if (value === null) return null;
  const rest = statement.slice(value.to, value.to + 80);
  return BOUND_AFTER.test(rest) || COMPARED.test(rest) ? null : value;
}

function readLabel(label: RegExpExecArray | null): Value | null {
  return label === null ? null : { text: label[1] ?? '', from: 0, to: label[0].length };
}

/** The value at a place, or what it is said to be: of `$3 + 4$ = $7$` the seven. */
function readResult(
  statement: string,
  from: number,
  spans: readonly MathSpan[],
  units: boolean,
): Value | null {
  let value = readList(statement, from, spans, units);
  for (let steps = 0; value !== null && steps < 8; steps += 1) {
    const composed = readAfter(OPERATOR, statement, value, spans, units);
    const next: Value | null = composed ?? readAfter(RESULT, statement, value, spans, units);
    if (next === null) break;
    value =
      composed === null ? next : { ...next, text: statement.slice(value.from, next.to), from: value.from };
  }
  return value;
}

function readAfter(
  link: RegExp,
  statement: string,
  value: Value,
  spans: readonly MathSpan[],
  units: boolean,
): Value | null {
  link.lastIndex = value.to;
  return link.test(statement) ? readList(statement, link.lastIndex, spans, units) : null;
}

/** The value of a sentence that leads with words: after its last verb, else the last one of its main clause. */
function readSentence(
  statement: string,
  spans: readonly MathSpan[],
  verb: RegExp,
  units: boolean,
): Value | null {
  const first = statement.search(/[\p{Nd}$]|\\[([]/u);
  if (first < 0) return null;
  if (mainClause(statement).length < first) return null;
  const aside = statement.slice(first).search(ASIDE);
  const main = aside < 0 ? statement : statement.slice(0, first + aside);
  let linked: Value | null = null;
  for (const link of main.slice(0, 400).matchAll(verb)) {
    linked = readResult(main, link.index + link[0].length, spans, units) ?? linked;
  }
  if (linked !== null) return linked;
  if (COMPOSED.test(main)) return null;
  const amount = findAmount(main);
  if (amount !== null) return amount;
  return lastValue(main, spans, first);
}

function lastValue(main: string, spans: readonly MathSpan[], first: number): Value | null {
  const inside = spans.filter((span) => span.to <= main.length);
  const strong = inside.filter((span) => !WEAK.test(main.slice(span.start, span.end).trim()));
  const masked = blankSpans(main, inside);
  const adverbial = ADVERBIAL.exec(masked.slice(first));
  const clause = adverbial === null ? masked : masked.slice(0, first + adverbial[0].length);
  const number = findLastNumber(clause);
  const span = (strong.length > 0 ? strong : number === null ? inside : []).at(-1);
  if (span !== undefined && (number === null || number.start < span.from)) {
    const from = (strong.length > 0 ? strong : inside).find((one) => {
      const list = readList(main, one.from, inside, false);
      return list !== null && list.to >= span.to;
    });
    return readList(main, (from ?? span).from, inside, false);
  }
  if (number === null) return null;
  return { text: clause.slice(number.start, number.end), from: number.start, to: number.end };
}

/** The only amount of money of a sentence; it answers, whatever other numbers the sentence holds. */
function findAmount(statement: string): Value | null {
  const amounts = [...statement.matchAll(AMOUNT)];
  const [amount] = amounts;
  if (amount === undefined || amounts.length > 1) return null;
  const text = (amount[1] ?? amount[2] ?? '').trim();
  const from = amount.index + amount[0].indexOf(text);
  return { text, from, to: from + text.length };
}

function blankSpans(statement: string, spans: readonly MathSpan[]): string {
  let masked = '';
  let at = 0;
  for (const span of spans) {
    masked += statement.slice(at, span.from) + ' '.repeat(span.to - span.from);
    at = span.to;
  }
  return masked + statement.slice(at);
}
