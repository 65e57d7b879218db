import { findLastNumber } from './last-number.ts';
import type { Span } from './span.ts';

/** Words that announce the answer; the longest form first. */
const CUE =
  /(?:final answer|correct answer|the answer|answer|final result|答案|最终答案|antwort|respuesta|réponse)\**\s{0,4}(?:is|are|would be|should be|is therefore|equals|为|是|es|est|ist)?\**\s{0,4}[:：]?/gi;

const ANNOUNCES = /(?:is|are|be|equals|therefore|为|是|es|est|ist|:|：)\**\s*$/i;

const MATH =
  /^(?:\$\$([^$]{1,2000})\$\$|\$([^$\n]{1,2000})\$|\\\((.{1,2000}?)\\\)|\\\[([\s\S]{1,2000}?)\\\])/;

/** The answer that the text announces last in words ("the answer is …"), or null. */
export function findStatedAnswer(text: string): Span | null {
  let from = -1;
  for (const cue of text.matchAll(CUE)) {
    if (ANNOUNCES.test(cue[0]) || text[cue.index + cue[0].length] === '\n') from = cue.index + cue[0].length;
  }
  if (from < 0) return null;
  const span = firstSentence(text, from);
  const is = text.slice(span.start, span.end).lastIndexOf(' is ');
  if (is >= 0) span.start += is + 4;
  return readStatement(text, span);
}

function firstSentence(text: string, from: number): Span {
  let start = from;
  while (start < text.length && /[\s*_]/.test(text[start] ?? '')) start += 1;
  const rest = text.slice(start, start + 4000);
  const stop = rest.search(/\n|[.!?](?:\s|$)|。/);
  return { start, end: stop < 0 ? start + rest.length : start + stop };
}

function readStatement(text: string, span: Span): Span | null {
  const statement = text.slice(span.start, span.end);
  const math = MATH.exec(statement);
  if (math !== null) return { start: span.start, end: span.start + math[0].length };
  const number = findLastNumber(statement);
  if (number !== null) return { start: span.start + number.start, end: span.start + number.end };
  if (/[{}]/.test(statement)) return null;
  const words = statement.trim().split(/\s+/);
  return statement.trim() !== '' && words.length <= 3 ? span : null;
}
