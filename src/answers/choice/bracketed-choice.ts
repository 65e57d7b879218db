const BRACKETED = /\(([A-J])\)/g;
const LEADING_LABEL = /(?:^|\n)\s{0,4}\(?([A-J])[).:]/g;

/**
 * The option in brackets that a text without an announcement chooses: the one that closes it, the only one that leads
 * a line, or the only one that it names.
 */
export function findBracketedChoice(text: string): string | null {
  const named = new Set<string>();
  const leading = new Set<string>();
  let closing: string | null = null;
  for (const match of text.matchAll(BRACKETED)) {
    const letter = match[1] ?? '';
    named.add(letter);
    if (/^\s*$/.test(text.slice(lineStart(text, match.index), match.index))) leading.add(letter);
    const rest = text.slice(match.index + 3, match.index + 40);
    if (match.index + 40 >= text.length && /^[.\s$"'”}]*$/.test(rest)) closing = letter;
  }
  return closing ?? only(leading) ?? only(named);
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
