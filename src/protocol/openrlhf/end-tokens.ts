const NAMED_TOKENS = ['</s>', '<s>', '<eos>', '<bos>', '<pad>', '[PAD]', '<unk>', '<end_of_turn>'];

/** Opening and closing of bracketed tokens such as `<|im_end|>`; DeepSeek writes them with full-width bars. */
const BRACKETS = [
  ['<|', '|>'],
  ['<｜', '｜>'],
] as const;

/** Shorter names are mathematics: `<|x|>` is a mean. */
const MIN_NAME = 3;
const MAX_NAME = 40;
const NAME = /^[\w▁-]+$/;

/**
 * The end of `text` when the special tokens and the white space behind it are not counted: end-of-turn,
 * end-of-text and padding tokens of all model families, however many. Never below `start`.
 */
export function findEndOfText(text: string, start: number): number {
  let end = text.length;
  for (;;) {
    end = skipSpaceBack(text, start, end);
    const token = tokenBefore(text, end);
    if (token === 0 || end - token < start) return end;
    end -= token;
  }
}

/** Where `text` begins when leading padding and other special tokens are not counted. */
export function findStartOfText(text: string): number {
  let start = 0;
  for (;;) {
    while (isBlank(text.charCodeAt(start))) start += 1;
    const token = tokenAfter(text, start);
    if (token === 0) return start;
    start += token;
  }
}

/** White space, and the mark that a decoder puts where truncation cut a character in half. */
export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfffd;
}

function skipSpaceBack(text: string, start: number, from: number): number {
  let end = from;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

function tokenBefore(text: string, end: number): number {
  const named = NAMED_TOKENS.find((token) => text.endsWith(token, end));
  if (named !== undefined) return named.length;
  for (const [open, close] of BRACKETS) {
    if (!text.endsWith(close, end)) continue;
    // Only a window is searched: the whole text for each token would make the scan quadratic.
    const window = text.slice(Math.max(0, end - MAX_NAME - 4), end - close.length);
    const opened = window.lastIndexOf(open);
    if (opened >= 0 && isName(window.slice(opened + open.length)))
      return window.length - opened + close.length;
  }
  return 0;
}

function tokenAfter(text: string, start: number): number {
  const named = NAMED_TOKENS.find((token) => text.startsWith(token, start));
  if (named !== undefined) return named.length;
  for (const [open, close] of BRACKETS) {
    if (!text.startsWith(open, start)) continue;
    const window = text.slice(start + open.length, start + open.length + MAX_NAME + close.length);
    const closed = window.indexOf(close);
    if (closed >= 0 && isName(window.slice(0, closed))) return open.length + closed + close.length;
  }
  return 0;
}

function isName(text: string): boolean {
  return text.length >= MIN_NAME && NAME.test(text);
}
