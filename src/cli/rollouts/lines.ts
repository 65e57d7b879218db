import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';

/** Characters of one line: a completion of a million tokens is some 5 million. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** A line could not be told from the next. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

export interface OpenLines {
  readonly path: string;
  /** What `-` reads. */
  readonly stdin: Readable;
  /** Called with the bytes of every piece of the file, before it is unpacked. */
  readonly onBytes: (bytes: number) => void;
}

/** The lines of a file one after the other, without their ends; unpacked where the name ends in `.gz`; `-` is stdin. */
export async function* readLines({ path, stdin, onBytes }: OpenLines): AsyncGenerator<string> {
  const source = path === '-' ? stdin : createReadStream(path);
  source.on('data', (piece: Buffer | string) => onBytes(piece.length));
  const stream: Readable = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  // `pipe` does not pass errors on.
  source.once('error', (error: Error) => stream !== source && stream.destroy(error));
  try {
    yield* splitLines(stream);
  } finally {
    // A reader that stops early leaves no open file behind.
    if (source !== stdin) source.destroy();
  }
}

async function* splitLines(stream: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const piece of stream) {
    const [first = '', ...others] = (typeof piece === 'string' ? piece : decoder.write(piece)).split('\n');
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    if (rest.length > LONGEST_LINE) {
      throw new LineTooLongError(`a line is longer than ${LONGEST_LINE} characters: is this JSONL?`);
    }
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}

/** Bytes of all files; null where one of them is stdin. Throws where one does not exist. */
export async function totalBytes(paths: readonly string[]): Promise<number | null> {
  if (paths.includes('-')) return null;
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
