import type { Readable } from 'node:stream';
import { readLines } from '../rollouts/lines.ts';
import { parseCsv } from './parse-csv.ts';

export type TableRow = Readonly<Record<string, unknown>>;

/** A file cannot be taken for a data set; the message says why. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** The rows of a data set: JSONL, a JSON list or CSV, `.gz` or not. Throws TableError, and what opening a file throws. */
export async function readTable(path: string, stdin: Readable): Promise<readonly TableRow[]> {
  if (/\.(parquet|arrow)$/i.test(path)) {
    throw new TableError(
      'the Python package reads Parquet: python -m peervote doctor, with the same options',
    );
  }
  const lines: string[] = [];
  for await (const line of readLines({ path, stdin, onBytes: () => {} })) lines.push(line);
  if (/\.csv(\.gz)?$/i.test(path)) return parseCsv(lines.join('\n'));
  return lines
    .find((line) => line.trim() !== '')
    ?.trimStart()
    .startsWith('[')
    ? readList(lines.join('\n'))
    : readEachLine(lines);
}

function readList(text: string): readonly TableRow[] {
  const rows = parseJson(text, 'it starts as a JSON list, but is none');
  if (Array.isArray(rows) && rows.every(isRow)) return rows;
  throw new TableError('it is a JSON list of something else than objects');
}

function readEachLine(lines: readonly string[]): readonly TableRow[] {
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const row = parseJson(line, `line ${at + 1} is no JSON`);
    if (isRow(row)) return [row];
    throw new TableError(`line ${at + 1} is no object`);
  });
}

function parseJson(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TableError(otherwise);
  }
}

function isRow(value: unknown): value is TableRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
