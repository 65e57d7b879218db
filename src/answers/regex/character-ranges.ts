type Ranges = Array<readonly [from: number, to: number]>;

export const DIGITS: Ranges = [[48, 57]];
export const WORDS: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
export const SPACES: Ranges = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x2000, 0x200a],
  [0x3000, 0x3000],
];

/** The ranges of `\d`, `\w`, `\s` and their negations (which the caller negates), or null. */
export function classRanges(letter: string): Ranges | null {
  switch (letter.toLowerCase()) {
    case 'd':
      return DIGITS;
    case 'w':
      return WORDS;
    case 's':
      return SPACES;
    default:
      return null;
  }
}

/** Adds the other case of ASCII letters. */
export function fold(ranges: Ranges, ignoreCase: boolean): Ranges {
  if (!ignoreCase) return ranges;
  const folded: Ranges = [...ranges];
  for (const [from, to] of ranges) {
    const upper = [Math.max(from, 65), Math.min(to, 90)] as const;
    const lower = [Math.max(from, 97), Math.min(to, 122)] as const;
    if (upper[0] <= upper[1]) folded.push([upper[0] + 32, upper[1] + 32]);
    if (lower[0] <= lower[1]) folded.push([lower[0] - 32, lower[1] - 32]);
  }
  return folded;
}

export function inRanges(code: number, ranges: Ranges): boolean {
  for (const [from, to] of ranges) {
    if (code >= from && code <= to) return true;
  }
  return false;
}
