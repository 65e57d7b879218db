import { wordKind } from './choice-phrases.ts';

const PLACEHOLDER = /\(X\)/g;
const ANNOUNCED = /(?:answer|option|choice|答案)(?![A-Za-z])/gi;
/** Only this much of the text around the last announcement and at the end is searched. */
const WINDOW = 600;

/**
 * The letter of the option whose text an answer repeats instead of naming its letter; null when it repeats none or
 * several. Looked for after a placeholder `(X)`, after the last announcement, then in the last paragraph.
 */
export function findOptionEcho(text: string, choices: readonly string[]): string | null {
  const options = choices.map(fold);
  for (const window of [afterLast(text, PLACEHOLDER), afterLast(text, ANNOUNCED), lastParagraph(text)]) {
    if (window === null) continue;
    const found = matchOption(fold(window), options);
    if (found !== null) return found;
  }
  return null;
}

function matchOption(window: string, options: readonly string[]): string | null {
  const present = options
    .map((option, index) => ({ option, index }))
    .filter(({ option }) => echoes(window, option));
  // An option that is part of another one that is present does not count on its own.
  const longest = present.filter(({ option, index }) =>
    present.every((other) => other.index === index || !` ${other.option} `.includes(` ${option} `)),
  );
  const [only] = longest;
  if (longest.length !== 1 || only === undefined || isDenied(window, only.option)) return null;
  return String.fromCharCode(65 + only.index);
}

/** `is not the cat`: only words that link may stand between the denial and the option. */
function isDenied(window: string, option: string): boolean {
  const before = window.slice(0, Math.max(0, ` ${window} `.indexOf(` ${option} `))).trim();
  for (const word of before.slice(-80).split(' ').slice(-6).reverse()) {
    const kind = wordKind(word);
    if (kind === 'not' || kind === 'cannot') return true;
    if (kind !== 'link' && word !== 'a' && word !== 'an') return false;
  }
  return false;
}

/** One or two characters occur by chance; such an option must be all that is said. */
function echoes(window: string, option: string): boolean {
  if (option.length <= 2) return option !== '' && window === option;
  return ` ${window} `.includes(` ${option} `);
}

function afterLast(text: string, mark: RegExp): string | null {
  let at = -1;
  for (const match of text.matchAll(mark)) at = match.index + match[0].length;
  if (at < 0) return null;
  const rest = text.slice(at, at + WINDOW);
  const stop = rest.search(/\n|[.!?](?:\s|$)/);
  return stop < 0 ? rest : rest.slice(0, stop);
}

function lastParagraph(text: string): string {
  const tail = text.slice(-WINDOW).trimEnd();
  return tail.slice(tail.lastIndexOf('\n') + 1);
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[^\p{L}\p{N}.%+'-]+|\.(?!\d)|(?<!\p{L})'|'(?!\p{L})/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
