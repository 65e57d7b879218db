/** Where a value stands in a JSON text: from its first character to behind its last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a value in a text that `JSON.parse` takes, so that it can be replaced and every other byte stays: large
 * numbers and `1.0` too, which parsing and writing would change. Of equal keys the last counts, as in `JSON.parse`.
 * Null where nothing is at the path.
 */
export function findSpan(json: string, path: readonly (string | number)[]): Span | null {
  let start = skipSpace(json, 0);
  for (const step of path) {
    const found = typeof step === 'string' ? findKey(json, start, step) : findItem(json, start, step);
    if (found === null) return null;
    start = found;
  }
  return { start, end: skipValue(json, start) };
}

function findKey(json: string, start: number, key: string): number | null {
  if (json[start] !== '{') return null;
  let found: number | null = null;
  let at = skipSpace(json, start + 1);
  while (json[at] === '"') {
    const end = skipString(json, at);
    const value = skipSpace(json, skipSpace(json, end) + 1);
    if (JSON.parse(json.slice(at, end)) === key) found = value;
    at = skipSpace(json, skipValue(json, value));
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return found;
}

function findItem(json: string, start: number, index: number): number | null {
  if (json[start] !== '[') return null;
  let at = skipSpace(json, start + 1);
  for (let item = 0; at < json.length && json[at] !== ']'; item++) {
    if (item === index) return at;
    at = skipSpace(json, skipValue(json, at));
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return null;
}

function skipValue(json: string, start: number): number {
  if (json[start] === '"') return skipString(json, start);
  if (json[start] !== '{' && json[start] !== '[') {
    let at = start;
    while (at < json.length && !/[\s,\]}]/.test(json[at] ?? '')) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = skipString(json, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return json.length;
}

function skipString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (at < json.length && /\s/.test(json[at] ?? '')) at++;
  return at;
}
