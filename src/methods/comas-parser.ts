import type { MethodOptions } from '../domain/method-options.ts';

/** A scorer's verdict on a solution: 1 wrong, 2 in between, 3 right. */
type Tau = 1 | 2 | 3;

/**
 * `strict`: the last `<score>` tag with a whole number in it must hold 1, 2 or 3, else the verdict is invalid, as the
 * paper has it. `marti`: as the MARTI fork reads it, which never finds a verdict invalid: the number is moved into
 * 1 to 3; without one the last 1, 2 or 3 that stands alone is taken; without that 2.
 */
type ComasParser = MethodOptions['comas']['parser'];

// Neither pattern can start again inside what it scanned, so both are linear in the text.
const TAG = /<score>\s*([+-]?\d+)\s*<\/score>/gi;
const STANDING = /\b[123]\b/g;

/** Reads the verdict in a scorer's completion (CoMAS, arXiv 2510.08529); null is an invalid one. */
export function parseTau(completion: string, parser: ComasParser): Tau | null {
  const tagged = lastNumber(completion, TAG);
  if (parser === 'strict') return toTau(tagged);
  if (tagged !== null) return toTau(Math.min(3, Math.max(1, tagged)));
  return toTau(lastNumber(completion, STANDING)) ?? 2;
}

function lastNumber(text: string, pattern: RegExp): number | null {
  let last: string | null = null;
  for (const match of text.matchAll(pattern)) last = match[1] ?? match[0];
  return last === null ? null : Number(last);
}

function toTau(value: number | null): Tau | null {
  return value === 1 || value === 2 || value === 3 ? value : null;
}
