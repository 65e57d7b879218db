import type { MathSpan } from './math-spans.ts';
import { magnitudeEnd, readValue } from './read-value.ts';

/** A value of a statement: its text without delimiters, and where it stands with them. */
export interface Value {
  text: string;
  from: number;
  to: number;
}

const AND = /\s*(?:[,;]\s*)?(?:(?:and|or)\s+)?/iy;
/** In the other languages; a word of one of them may be any word in another. */
const FOREIGN_AND =
  /\s*(?:[,;、，]\s*)?(?:(?:y|o|und|oder|et|ou|e|или|и|oraz|i|lub|en|of|ve|veya|và|hoặc|dan|atau)\s+|[和或及与]|\s그리고\s|또는\s|،\s|و\s?|और\s|या\s)?/iuy;
const OPENING = /(?:\s|[*_"“'‘「『:：]|[-–—](?=\s)|(?:either|both|entweder|soit)\s)*/uy;
/** A sign that is written out: `negative 3`. */
const SIGN_WORD =
  /(?:(?:negative|minus|moins|menos|meno|минус)\s+|[负負]|マイナス)(?=[$\p{Nd}]|\\[(f]|\.\p{Nd})/iuy;
const PERCENT = /\s?(?:\\?%|percent|pct)/y;
const MAX_ITEMS = 40;

/**
 * The value that starts at a place of a statement, with those that it is listed with: `$3$ and $5$`, `7 or 8`. Null where
 * words stand there.
 */
export function readList(
  statement: string,
  from: number,
  spans: readonly MathSpan[],
  units: boolean,
): Value | null {
  OPENING.lastIndex = from;
  OPENING.test(statement);
  const first = readItem(statement, OPENING.lastIndex, spans, units);
  if (first === null) return null;
  const connector = units ? AND : FOREIGN_AND;
  const items = [first];
  let to = first.to;
  while (items.length < MAX_ITEMS) {
    connector.lastIndex = to;
    connector.test(statement);
    if (statement.slice(to, connector.lastIndex).trim() === '') break;
    // `, i.e. 3 times 8` explains.
    if (/^(?:i\.?\s?e|e\.?\s?g)\b/i.test(statement.slice(connector.lastIndex, connector.lastIndex + 4)))
      break;
    const item = readItem(statement, connector.lastIndex, spans, units);
    if (item === null) break;
    items.push(item);
    to = item.to;
  }
  const delimited = items.some((item) => item.text !== statement.slice(item.from, item.to));
  const text = delimited ? items.map((item) => item.text).join(', ') : statement.slice(first.from, to);
  return { text, from: first.from, to };
}

function readItem(statement: string, at: number, spans: readonly MathSpan[], units: boolean): Value | null {
  SIGN_WORD.lastIndex = at;
  if (!SIGN_WORD.test(statement)) return readUnsigned(statement, at, spans, units);
  const value = readUnsigned(statement, SIGN_WORD.lastIndex, spans, units);
  return value === null ? null : { text: `-${value.text}`, from: at, to: value.to };
}

function readUnsigned(
  statement: string,
  at: number,
  spans: readonly MathSpan[],
  units: boolean,
): Value | null {
  const span = spans.find((one) => one.from === at);
  if (span === undefined) {
    const value = readValue(statement, at, units);
    if (value === null) return null;
    // Emphasis around the number only: `**12** apples`.
    const closing = /^(?:\*\*|__|\*|_)/.exec(statement.slice(value.end, value.end + 2))?.[0].length ?? 0;
    return { text: statement.slice(value.start, value.end), from: value.start, to: value.end + closing };
  }
  PERCENT.lastIndex = span.to;
  const percent = PERCENT.test(statement) ? PERCENT.lastIndex : magnitudeEnd(statement, span.to);
  const text = statement.slice(span.start, span.end).trim() + statement.slice(span.to, percent);
  return { text, from: span.from, to: percent };
}
