import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Journal } from './journal.ts';
import { type FieldNames, writeRow } from './row.ts';
import { readRows } from './scan-input.ts';

/** Why a row of this run is not done with. */
export interface Unfinished {
  readonly code: string;
  readonly message: string;
}

export interface OutputJob {
  readonly input: string;
  readonly output: string;
  /** Where the rows are listed that were not rephrased; the file is gone when there are none. */
  readonly failed: string;
  readonly fields: FieldNames;
  /** That of the scan. */
  readonly digest: string;
}

/** Rows by what became of them. */
export interface OutputCounts {
  readonly rephrased: number;
  /** Rows that keep their text, by the code of the first reason. */
  readonly kept: ReadonlyMap<string, number>;
}

const BLOCK = 1 << 16;
const NOT_TRIED: Unfinished = { code: 'not_tried', message: 'The run ended before this row.' };

/**
 * Writes the output as a whole, one line for each row of the input, and the list of those that keep their text. Both
 * files appear complete or not at all. Throws when the input has changed meanwhile.
 */
export async function writeOutput(
  job: OutputJob,
  journal: Journal,
  unfinished: ReadonlyMap<number, Unfinished>,
): Promise<OutputCounts> {
  const output = await Sink.open(job.output);
  const failed = await Sink.open(job.failed);
  const hash = createHash('sha256');
  const kept = new Map<string, number>();
  let rephrased = 0;
  try {
    for await (const { index, line, row } of readRows(job.input, job.fields)) {
      hash.update(row.json).update('\n');
      const entry = await journal.read(index);
      if (entry?.kind === 'rephrased') {
        rephrased++;
        await output.write(writeRow(row, entry.text));
        continue;
      }
      await output.write(writeRow(row, null));
      const reasons = entry === null ? [unfinished.get(index) ?? NOT_TRIED] : entry.faults;
      const code = reasons[0]?.code ?? NOT_TRIED.code;
      kept.set(code, (kept.get(code) ?? 0) + 1);
      await failed.write(
        JSON.stringify({
          line,
          id: row.id,
          final: entry !== null,
          attempts: entry?.attempts ?? 0,
          reasons,
        }),
      );
    }
    if (hash.digest('base64url') !== job.digest) throw new Error(`${job.input} has changed during the run`);
  } catch (error) {
    await output.drop();
    await failed.drop();
    throw error;
  }
  // The list first: an output without it would hide what it holds.
  if (kept.size > 0) await failed.keep();
  else {
    await failed.drop();
    await rm(job.failed, { force: true });
  }
  await output.keep();
  return { rephrased, kept };
}

/** A file that takes its name when it is complete and on the disk. */
class Sink {
  readonly #path: string;
  readonly #file: FileHandle;
  #block: string[] = [];
  #size = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<Sink> {
    return new Sink(path, await open(`${path}.tmp`, 'w'));
  }

  async write(line: string): Promise<void> {
    this.#block.push(line, '\n');
    this.#size += line.length;
    if (this.#size >= BLOCK) await this.#flush();
  }

  async keep(): Promise<void> {
    await this.#flush();
    await this.#file.sync();
    await this.#file.close();
    await rename(`${this.#path}.tmp`, this.#path);
    const folder = await open(dirname(this.#path));
    await folder.sync();
    await folder.close();
  }

  async drop(): Promise<void> {
    await this.#file.close();
    await rm(`${this.#path}.tmp`, { force: true });
  }

  async #flush(): Promise<void> {
    const text = this.#block.join('');
    this.#block = [];
    this.#size = 0;
    await this.#file.writeFile(text);
  }
}
