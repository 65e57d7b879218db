/** Marks that group digits by threes wherever they stand; the plain comma and the space do so outside brackets only. */
const TIGHT_GROUP = /(?:\s?\{\s?,\s?\}|,\\!|\\,|\\!|\\;|\\:|\\ )\s{0,3}(?=\d{3}(?!\d))/y;
const LOOSE_GROUP = /(?:,| )(?=\d{3}(?!\d))/y;
const DIGIT_RUN = /\d+(?:,\d+)*/y;
const GROUPED_RUN = /^\d{1,3}(?:,\d{3})+$/;
const DECIMAL_TAIL = /\.\d+|\.(?![.\d])/y;
const REPEATING = /\\(?:overline|dot|bar)\s{0,2}\{(\d{1,40})\}|\\dot\s{0,2}(\d)|\((\d{1,40})\)/y;
const EXPONENT = /[eE]([+-]?\d{1,6})(?![\d.A-Za-z])/y;

export interface ScannedNumber {
  /** A literal for number-literal.ts. */
  literal: string;
  end: number;
}

/**
 * Reads the number that starts at `at` (a digit, or a point before one). Groups of three digits are joined;
 * `loose` allows the comma and the space as group marks, which inside brackets separate coordinates.
 */
export function scanNumber(text: string, at: number, loose: boolean): ScannedNumber {
  let end = skipDigits(text, at);
  let digits = text.slice(at, end);
  if (digits.length > 0 && digits.length <= 3) {
    const grouped = loose && digits !== '0' && isGroupedRun(text, at);
    let kind: RegExp | null = null;
    for (;;) {
      const mark: number = groupMark(text, end, kind, grouped);
      if (mark < 0) break;
      kind ??= text.charAt(end) === ',' && text.charAt(end + 1) !== '\\' ? LOOSE_GROUP : null;
      digits += text.slice(mark, mark + 3);
      end = mark + 3;
    }
  }
  let literal = digits;
  const tail = match(DECIMAL_TAIL, text, end);
  if (tail !== null && !(tail[0] === '.' && /[A-Za-z]/.test(text.charAt(end + 1)))) {
    literal += tail[0] === '.' ? '' : tail[0];
    end += tail[0].length;
    const repeating = match(REPEATING, text, end);
    if (repeating !== null) {
      const digitsRun = repeating[1] ?? repeating[2] ?? repeating[3] ?? '';
      const isCall = repeating[3] !== undefined && tail[0] === '.';
      if (!isCall) {
        literal += `${literal.includes('.') ? '' : '.'}(${digitsRun})`;
        return { literal, end: end + repeating[0].length };
      }
    }
  }
  const exponent = match(EXPONENT, text, end);
  if (exponent !== null) {
    literal += `e${exponent[1] ?? ''}`;
    end += exponent[0].length;
  }
  return { literal, end };
}

/**
 * Whether the commas of the run of digits that starts here can all be group marks: `1,234,567` is one number, while
 * `98,99,100` is a list all through.
 */
function isGroupedRun(text: string, at: number): boolean {
  if (text.charAt(at - 1) === ',' && /\d/.test(text.charAt(at - 2))) return false;
  const run = match(DIGIT_RUN, text, at)?.[0] ?? '';
  return !run.includes(',') || GROUPED_RUN.test(run);
}

function groupMark(text: string, at: number, kind: RegExp | null, loose: boolean): number {
  const tight = match(TIGHT_GROUP, text, at);
  if (tight !== null) return at + tight[0].length;
  if (!loose) return -1;
  const mark = match(kind ?? LOOSE_GROUP, text, at);
  return mark === null ? -1 : at + mark[0].length;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) break;
    at += 1;
  }
  return at;
}
