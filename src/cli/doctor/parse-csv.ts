/** The rows of a CSV text (RFC 4180), by the names of its first line. What is quoted may hold commas, quotes and line ends. */
export function parseCsv(text: string): Readonly<Record<string, string>>[] {
  const [header = [], ...rows] = readRecords(text.replace(/^\ufeff/, ''));
  return rows
    .filter((cells) => cells.some((cell) => cell !== ''))
    .map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])));
}

/** One linear pass: a cell ends at a comma, a record at a line end, unless they stand in quotes. */
function readRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? readQuoted(text, at + 1) : readPlain(text, at);
    record.push(cell.value);
    at = cell.end;
    if (text[at] === ',') {
      at++;
      if (at < text.length) continue;
      record.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    records.push(record);
    record = [];
  }
  return records;
}

function readPlain(text: string, start: number): { readonly value: string; readonly end: number } {
  let end = start;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(start, end), end };
}

function readQuoted(text: string, start: number): { readonly value: string; readonly end: number } {
  const parts: string[] = [];
  let from = start;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { value: [...parts, text.slice(from)].join(''), end: text.length };
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') {
      // What stands behind the closing quote belongs to no cell that anybody means.
      return { value: parts.join(''), end: readPlain(text, quote + 1).end };
    }
    parts.push('"');
    from = quote + 2;
  }
}
