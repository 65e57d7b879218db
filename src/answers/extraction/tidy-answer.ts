const WRAPPERS: ReadonlyArray<readonly [string, string]> = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['**', '**'],
  ['`', '`'],
];

/** Wrappers nested deeper than this stay. */
const MAX_ROUNDS = 8;

/** Takes Markdown emphasis, math delimiters and a sentence's full stop off an answer cut from prose. */
export function tidyAnswer(answer: string): string {
  let text = answer.trim();
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
    const before = text;
    text = trimStop(dropStrayDelimiter(text));
    for (const [open, close] of WRAPPERS) {
      const long = text.length >= open.length + close.length;
      if (long && text.startsWith(open) && text.endsWith(close)) {
        const inside = text.slice(open.length, text.length - close.length);
        if (!inside.includes(open)) text = inside.trim();
      }
    }
    if (text === before) break;
  }
  return text;
}

/** A closing delimiter whose opening one was left outside. */
function dropStrayDelimiter(text: string): string {
  for (const [open, close] of WRAPPERS.slice(0, 4)) {
    if (text.endsWith(close) && !text.slice(0, -close.length).includes(open))
      return text.slice(0, -close.length).trim();
  }
  return text;
}

function trimStop(text: string): string {
  const stop = text.endsWith('.') || text.endsWith('。');
  return stop && !text.endsWith('..') ? text.slice(0, -1).trimEnd() : text;
}
