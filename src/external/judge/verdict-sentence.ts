import type { QuestionKind } from './question.ts';

/**
 * Words of a sentence that only hands a verdict over. A sentence with any other word may speak of what the completion
 * says, wants or claims to be worth, and its verdict is not taken: a policy learns to be quoted.
 */
const WORDS = new Set(
  'so thus therefore hence overall finally conclusion in my the this its a i am is are was as be follows here final correct verdict score judgment judgement rating result json output assign give rate of to would'.split(
    ' ',
  ),
);
const MOST_WORDS = 16;

/** Lines behind a verdict that say nothing. */
const COURTESY =
  /^(?:(?:please )?let me know|(?:i )?hope (?:this|that)|feel free|thank you|thanks)\b[^{}[\]:=0-9]{0,120}$/i;
const MOST_COURTESIES = 2;

const VALUES: Readonly<Record<QuestionKind, RegExp>> = {
  score:
    /\b(?:score|rating)\b(?: is| of| as| would be)?[\s:=*`"']{1,8}(\d{1,9}(?:\.\d{1,18})?|\.\d{1,18})(?![\d.]*\d)/i,
  verdict: /\b(?:verdict|judge?ment)\b(?: is| as| would be)?[\s:=*`"']{1,8}(yes|no)\b/i,
};

/** The lines without empty ones and courtesies at their end, if a verdict may stand before them. */
export function withoutCourtesies(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  for (let left = MOST_COURTESIES; left > 0 && COURTESY.test(lines[end - 1] ?? ''); left--) {
    end--;
    while (end > 0 && lines[end - 1] === '') end--;
  }
  return end === 0 ? lines : lines.slice(0, end);
}

/** The one JSON object of a sentence that says no more; null where there is another sentence, or none. */
export function wrappedObject(line: string): string | null {
  const [, before = '', object, after = ''] = /^([^{}]*)(\{[^{}]{0,400}\})([^{}]*)$/.exec(line) ?? [];
  return object !== undefined && saysNoMore(`${before} ${after}`) ? object : null;
}

/** `Score: 0.5` out of `My final score is 0.5.`; null where the sentence says more, or has none. */
export function wrappedValue(line: string, kind: QuestionKind): string | null {
  const found = VALUES[kind].exec(line);
  const value = found?.[1];
  if (found === null || value === undefined) return null;
  const rest = `${line.slice(0, found.index)} ${line.slice(found.index + found[0].length)}`;
  if (!saysNoMore(rest)) return null;
  return kind === 'score' ? `Score: ${value}` : `Verdict: ${value}`;
}

function saysNoMore(rest: string): boolean {
  if (!/^[A-Za-z\s,.:;'"*`_()-]*$/.test(rest)) return false;
  const words = rest.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.length <= MOST_WORDS && words.every((word) => WORDS.has(word));
}
