import { LruCache } from '../lru-cache.ts';
import { compilePattern, type Program } from '../regex/compile-pattern.ts';
import { findLastMatch } from '../regex/run-pattern.ts';
import type { Span } from './span.ts';

const programs = new LruCache<string, Program>(64);

/**
 * The first group of the last match of a pattern, or the whole match where it has no group. Linear in the text. Throws
 * PatternError for a pattern that is wrong or needs backtracking; check it once with `compilePattern` when it is set.
 */
export function findPattern(text: string, pattern: string): Span | null {
  let program = programs.get(pattern);
  if (program === undefined) {
    program = compilePattern(pattern);
    programs.set(pattern, program);
  }
  const match = findLastMatch(program, text);
  if (match === null) return null;
  const [start, end, groupStart, groupEnd] = match.slots;
  if (groupStart !== undefined && groupEnd !== undefined) return { start: groupStart, end: groupEnd };
  return start === undefined || end === undefined ? null : { start, end };
}
