import { readChoiceForm } from './choice-form.ts';
import type { Mention } from './choice-mention.ts';

/** A line that starts as one of a list of options does. */
const LISTED = /^\s{0,4}\(?([A-J])(?:[).:]|\s*$)/;
/** The line before the last one is looked for in this many characters. */
const MAX_LINE = 2000;
/** Where a reply that goes through the options one by one has named the second one. */
const MAX_OPENING = 8000;
const BARE_LINE = /^\s{0,4}[A-J]\s*$/;
const ALONE = /^[).:\]}$\s]*$/;
/** What may stand before a label on its line. */
const DRESSING = /^\s{0,4}(?:[$([{（【]|\\[a-z]{1,12}|\s){0,6}$/;
const LABEL_LINE = /(?:^|\n)\s{0,4}\(?([A-J])(?:[).:]|[ \t]{0,4}(?=\n|$))/g;
const CLOSING = /^\s?[)\]）】]?[.\s$"'”}]{0,12}$/;

/**
 * The letter that the mentions of a text come to: the one that is stated last; else the only one that the last announcement
 * is followed by, that is pointed at, that stands in brackets, or that leads the reply. Null when several are named so, and
 * undefined when none is.
 */
export function chooseLetter(text: string, mentions: readonly Mention[]): string | null | undefined {
  const stated = statedLetter(text, mentions);
  if (stated !== undefined) return stated;
  const open = mentions.filter(isOpen);
  const announced = Math.max(...open.map((mention) => mention.announced), -1);
  if (announced >= 0) return only(union(open.filter((mention) => mention.announced === announced)));
  const bracketed = open.filter(({ dress }) => dress === 'brackets');
  return (
    only(union(open.filter(({ claim }) => claim === 'pointed'))) ??
    only(union(bracketed.filter((mention) => leadsLine(text, mention)))) ??
    only(union(bracketed.filter((mention) => !isSymbol(text, mention)))) ??
    leadingLabel(text, mentions)
  );
}

/** The letter that is stated last; null where it is taken back or is several, undefined where none is stated. */
export function statedLetter(text: string, mentions: readonly Mention[]): string | null | undefined {
  const lastLine = text.lastIndexOf('\n') + 1;
  const stated = mentions.findLast(
    (mention) => isOpen(mention) && (mention.claim === 'stated' || endsReply(text, lastLine, mention)),
  );
  if (stated === undefined) return undefined;
  return isTakenBack(stated, mentions) ? null : only(stated.letters);
}

function isOpen({ polarity, letters }: Mention): boolean {
  return polarity === 'open' && letters.size > 0;
}

/** What is said after a claim may widen it (`Or B.`) or deny it. */
function isTakenBack(claim: Mention, mentions: readonly Mention[]): boolean {
  return mentions.some(
    (mention) =>
      mention.start > claim.start &&
      ((mention.wavers && ![...mention.letters].every((letter) => claim.letters.has(letter))) ||
        (mention.denies && [...mention.letters].some((letter) => claim.letters.has(letter)))),
  );
}

/** Stands in brackets at the very end, or leads the last line, which is none of a list of options. */
function endsReply(text: string, lastLine: number, mention: Mention): boolean {
  const bracketed = mention.dress === 'brackets';
  const rest = text.slice(mention.end, mention.end + 20);
  if (bracketed && text.length - mention.end < 20 && CLOSING.test(rest)) return true;
  if (mention.start < lastLine || !DRESSING.test(text.slice(lastLine, mention.start))) return false;
  const before = text.slice(Math.max(0, lastLine - MAX_LINE), lastLine);
  const previous = before.trimEnd();
  const previousLine = previous.slice(previous.lastIndexOf('\n') + 1);
  if (bracketed) return !LISTED.test(previousLine);
  const alone = ALONE.test(rest);
  if (previous === '' || !(alone || /^[).:：]/.test(rest))) return false;
  const apart = /\n\s*\n$/.test(before.slice(-40)) || /[.:!?。：！？)\]"”]\s*$/.test(previous.slice(-8));
  return apart && !(alone ? goesOn(previousLine, mention) : LISTED.test(previousLine));
}

/** The line before is a letter alone too, or the option before this one. */
function goesOn(line: string, mention: Mention): boolean {
  const letter = LISTED.exec(line)?.[1];
  if (letter === undefined) return false;
  return BARE_LINE.test(line) || mention.letters.has(String.fromCharCode(letter.charCodeAt(0) + 1));
}

function leadsLine(text: string, mention: Mention): boolean {
  const from = Math.max(0, mention.start - 12);
  return /(?:^|\n)\s*[([（【］]\s?$/.test((from === 0 ? '' : '.') + text.slice(from, mention.start));
}

/** `the magnetic field (B)` of a text that computes with `B_L` is no option. */
function isSymbol(text: string, { letters }: Mention): boolean {
  return [...letters].some((letter) => text.includes(`${letter}_`) || text.includes(`${letter} =`));
}

/** The label that opens the reply, unless the reply goes through the options one by one. */
function leadingLabel(text: string, mentions: readonly Mention[]): string | null | undefined {
  const labels = new Set<string>();
  for (const match of text.slice(0, MAX_OPENING).matchAll(LABEL_LINE)) {
    labels.add(match[1] ?? '');
    if (labels.size > 1) return undefined;
  }
  const start = text.length - text.trimStart().length;
  const first = mentions[0];
  if (first !== undefined && first.start - start < 8 && first.polarity !== 'open') return undefined;
  const form = readChoiceForm(text.slice(start).split('\n', 1)[0] ?? '');
  if (form === 'several') return null;
  return form === 'none' ? undefined : form;
}

function union(mentions: readonly Mention[]): ReadonlySet<string> {
  return new Set(mentions.flatMap(({ letters }) => [...letters]));
}

function only(letters: ReadonlySet<string>): string | null {
  const [letter] = letters;
  return letters.size === 1 && letter !== undefined ? letter : null;
}
