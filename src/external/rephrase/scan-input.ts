import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type FieldNames, type Row, readRow } from './row.ts';

/** One row with its place: `index` counts rows from 0, `line` counts lines from 1. */
export interface PlacedRow {
  readonly index: number;
  readonly line: number;
  readonly row: Row;
}

/** What a look at the whole input says. */
export interface Scan {
  /** SHA-256 of its rows. */
  readonly digest: string;
  readonly rows: number;
  /** Rows that no field names. */
  readonly unnamed: number;
  /** Lines that cannot be used, the first ones. */
  readonly problems: readonly string[];
}

const SHOWN_PROBLEMS = 10;

/** Reads all of it once, before anything is spent on it. Throws what the file system says. */
export async function scanInput(path: string, fields: FieldNames): Promise<Scan> {
  const hash = createHash('sha256');
  const problems: string[] = [];
  let rows = 0;
  let unnamed = 0;
  for await (const { line, json } of readLines(path)) {
    rows++;
    hash.update(json).update('\n');
    const read = readRow(json, fields);
    if (read.kind === 'row') unnamed += Number(read.row.id === null);
    else if (problems.length < SHOWN_PROBLEMS) problems.push(`${path}:${line}: ${read.reason}`);
  }
  return { digest: hash.digest('base64url'), rows, unnamed, problems };
}

/** The rows in order, of an input that was scanned. Throws where it has changed since so that a row cannot be read. */
export async function* readRows(path: string, fields: FieldNames): AsyncGenerator<PlacedRow> {
  let index = 0;
  for await (const { line, json } of readLines(path)) {
    const read = readRow(json, fields);
    if (read.kind === 'invalid') throw new Error(`${path}:${line}: ${read.reason}`);
    yield { index: index++, line, row: read.row };
  }
}

/** Lines with something in them. */
async function* readLines(path: string): AsyncGenerator<{ readonly line: number; readonly json: string }> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line++;
    if (text.trim() !== '') yield { line, json: text };
  }
}
