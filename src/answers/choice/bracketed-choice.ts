const BRACKETED = /\(\s?([A-J])\s?\)/g;
const LEADING_LABEL = /(?:^|\n)\s{0,4}\(?([A-J])[).:]/g;

/**
 * The option in brackets that closes a text, or that opens its last line, as instructions ask for it. A last line that is
 * one of a list of options chooses none.
 */
export function findClosingChoice(text: string): { at: number; letter: string } | null {
  const end = text.trimEnd();
  const closing = /\(\s?([A-J])\s?\)[.\s$"'”}]{0,12}$/.exec(end.slice(-40));
  if (closing !== null) return { at: end.length - 3, letter: closing[1] ?? '' };
  const lastLine = end.lastIndexOf('\n') + 1;
  const opening = /^\s{0,4}\(([A-J])\)/.exec(end.slice(lastLine, lastLine + 8));
  if (opening === null) return null;
  const before = end.slice(0, lastLine).trimEnd();
  const listed = /^\s{0,4}\(?[A-J]\)/.test(before.slice(before.lastIndexOf('\n') + 1));
  return listed ? null : { at: lastLine, letter: opening[1] ?? '' };
}

/** The only option in brackets that leads a line, or the only one that a text names. */
export function findBracketedChoice(text: string): string | null {
  const named = new Set<string>();
  const leading = new Set<string>();
  for (const match of text.matchAll(BRACKETED)) {
    const letter = match[1] ?? '';
    named.add(letter);
    if (/^\s*$/.test(text.slice(lineStart(text, match.index), match.index))) leading.add(letter);
  }
  return only(leading) ?? only(named);
}

/** The label that opens the reply, unless the reply goes through the options one by one. */
export function leadsWithOneLabel(text: string): boolean {
  const labels = new Set<string>();
  for (const match of text.matchAll(LEADING_LABEL)) labels.add(match[1] ?? '');
  return labels.size <= 1;
}

function lineStart(text: string, at: number): number {
  const newline = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
  return Math.max(newline + 1, at - 12);
}

function only(letters: ReadonlySet<string>): string | null {
  const [letter] = letters;
  return letters.size === 1 && letter !== undefined ? letter : null;
}
