import { findStartOfText, isBlank } from './end-tokens.ts';

/** A shorter overlap may be chance. Counted without white space. */
const MIN_OVERLAP = 32;

/**
 * Where the prompt ends in a query that does not start with it letter by letter; `null` when that cannot
 * be told.
 *
 * The query is decoded tokens, so it may differ from the prompt in four ways: OpenRLHF cuts over-long
 * prompts on the left, older versions pad on the left, SentencePiece and `clean_up_tokenization_spaces` add
 * or drop white space, and Qwen's tokenizer composes characters (NFC). So this looks for the longest suffix
 * of the prompt that the query starts with, white space and leading special tokens aside: all of the prompt,
 * or at least 32 characters. Linear time.
 */
export function findPromptEnd(query: string, prompt: string): number | null {
  const end = findOverlapEnd(query, prompt);
  if (end !== null) return end;
  const composed = prompt.normalize('NFC');
  return composed === prompt ? null : findOverlapEnd(query, composed);
}

function findOverlapEnd(query: string, prompt: string): number | null {
  return (
    matchPrompt(query, 0, prompt, 0) ??
    matchPrompt(query, findStartOfText(query), prompt, findStartOfText(prompt))
  );
}

function matchPrompt(query: string, from: number, prompt: string, promptFrom: number): number | null {
  const suffix = squeeze(prompt, promptFrom, prompt.length);
  const prefix = squeeze(query, from, suffix.length);
  const overlap = measureOverlap(prefix, suffix);
  if (overlap === 0) return null;
  if (overlap < suffix.length && (overlap < MIN_OVERLAP || sameStart(prefix, suffix))) return null;
  const end = skipVisible(query, from, overlap);
  const tail = prompt.slice(prompt.trimEnd().length);
  return query.startsWith(tail, end) ? end + tail.length : end;
}

/**
 * A query that starts as the prompt does was not cut on the left: it differs further on, and an overlap
 * only says that the prompt ends with the words it starts with.
 */
function sameStart(prefix: Uint16Array, suffix: Uint16Array): boolean {
  return prefix.subarray(0, MIN_OVERLAP).every((code, i) => code === suffix[i]);
}

/** Length of the longest suffix of `text` that `pattern` starts with (Knuth, Morris and Pratt 1977). */
function measureOverlap(pattern: Uint16Array, text: Uint16Array): number {
  const failure = new Int32Array(pattern.length);
  for (let i = 1, state = 0; i < pattern.length; i++) {
    state = advance(pattern, failure, state, pattern[i]);
    failure[i] = state;
  }
  let state = 0;
  // An overlap is no longer than the pattern, so the earlier part of the text cannot belong to it.
  for (let i = text.length - Math.min(text.length, pattern.length); i < text.length; i++) {
    state = advance(pattern, failure, state, text[i]);
  }
  return state;
}

function advance(pattern: Uint16Array, failure: Int32Array, from: number, code: number | undefined): number {
  let state = from;
  while (state > 0 && pattern[state] !== code) state = failure[state - 1] ?? 0;
  return pattern[state] === code ? state + 1 : state;
}

/** At most `limit` code units of `text` that are not blank, from `start` on. */
function squeeze(text: string, start: number, limit: number): Uint16Array {
  const codes = new Uint16Array(Math.min(limit, text.length - start));
  let count = 0;
  for (let i = start; i < text.length && count < codes.length; i++) {
    const code = text.charCodeAt(i);
    if (!isBlank(code)) codes[count++] = code;
  }
  return codes.subarray(0, count);
}

/** The index behind the `count`-th code unit that is not blank. */
function skipVisible(text: string, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0 && at < text.length; at++) {
    if (!isBlank(text.charCodeAt(at))) left -= 1;
  }
  return at;
}
