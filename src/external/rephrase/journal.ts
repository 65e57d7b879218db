import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { NOTHING_SPENT, type Spent } from '../llm/budget.ts';
import type { RowResult } from './rephrase-row.ts';

/** Whose journal it is; a journal of anything else is not gone on with. */
export interface JournalHeader {
  /** SHA-256 of the input. */
  readonly input: string;
  /** All that decides what a row becomes. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export type OpenedJournal =
  | { readonly kind: 'open'; readonly journal: Journal }
  | { readonly kind: 'refused'; readonly reason: string };

const spentSchema = z.object({
  requests: z.int().min(0),
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
});
const entrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rephrased'),
    row: z.int().min(0),
    attempts: z.int(),
    spent: spentSchema,
    text: z.string(),
  }),
  z.object({
    kind: z.literal('listed'),
    row: z.int().min(0),
    attempts: z.int(),
    spent: spentSchema,
    faults: z.array(z.object({ code: z.string(), message: z.string() })),
  }),
  z.object({ kind: z.literal('spent'), spent: spentSchema }),
]);
export type JournalEntry = z.output<typeof entrySchema>;
/** A row that is done with. */
export type FinishedRow = Exclude<JournalEntry, { kind: 'spent' }>;

interface Place {
  readonly offset: number;
  readonly length: number;
}

/**
 * What has become of the rows, one line each, on the disk before anybody counts on it. A process that is killed loses
 * what it had not written; a line that it had begun is cut off on the next start.
 */
export class Journal {
  readonly #file: FileHandle;
  readonly #places: Map<number, Place>;
  #end: number;
  #spent: Spent;
  #waiting: {
    readonly line: Buffer;
    readonly done: () => void;
    readonly failed: (error: unknown) => void;
  }[] = [];
  #writing = false;

  private constructor(file: FileHandle, state: ReadState) {
    this.#file = file;
    this.#places = state.places;
    this.#end = state.end;
    this.#spent = state.spent;
  }

  /** Opens or makes it. Throws what the file system says. */
  static async open(path: string, header: JournalHeader): Promise<OpenedJournal> {
    const file = await open(path, 'a+');
    const read = readState(await file.readFile(), JSON.stringify(header));
    if (read.kind === 'refused') {
      await file.close();
      return { kind: 'refused', reason: `${path}: ${read.reason}` };
    }
    await file.truncate(read.end);
    const journal = new Journal(file, read);
    if (read.end === 0) await journal.#append(header);
    return { kind: 'open', journal };
  }

  /** Rows that are done with. */
  get finished(): number {
    return this.#places.size;
  }

  /** What all runs have spent together, as far as they could write it down. */
  get spent(): Spent {
    return this.#spent;
  }

  has(row: number): boolean {
    return this.#places.has(row);
  }

  /** Resolves once it is on the disk. */
  async add(row: number, result: RowResult): Promise<void> {
    const { spent, attempts } = result;
    this.#spent = addSpent(this.#spent, spent);
    if (result.kind === 'unfinished') {
      await this.#append({ kind: 'spent', spent });
      return;
    }
    const entry: FinishedRow =
      result.kind === 'rephrased'
        ? { kind: 'rephrased', row, attempts, spent, text: result.text }
        : { kind: 'listed', row, attempts, spent, faults: [...result.faults] };
    this.#places.set(row, await this.#append(entry));
  }

  /** Null for a row that is not done with. */
  async read(row: number): Promise<FinishedRow | null> {
    const place = this.#places.get(row);
    if (place === undefined) return null;
    const { buffer } = await this.#file.read(Buffer.alloc(place.length), 0, place.length, place.offset);
    const entry = entrySchema.parse(JSON.parse(buffer.toString('utf8')));
    return entry.kind === 'spent' ? null : entry;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #append(content: object): Promise<Place> {
    const line = Buffer.from(`${JSON.stringify(content)}\n`);
    const place = { offset: this.#end, length: line.length };
    this.#end += line.length;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, done: () => resolve(place), failed: reject });
      if (!this.#writing) void this.#write();
    });
  }

  /** One write and one sync for all lines that wait. */
  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#file.appendFile(Buffer.concat(batch.map(({ line }) => line)));
        await this.#file.datasync();
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#writing = false;
  }
}

interface ReadState {
  readonly kind: 'read';
  readonly places: Map<number, Place>;
  /** Bytes that are sound. */
  readonly end: number;
  readonly spent: Spent;
}

function readState(
  bytes: Buffer,
  header: string,
): ReadState | { readonly kind: 'refused'; readonly reason: string } {
  const places = new Map<number, Place>();
  let spent = NOTHING_SPENT;
  let offset = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, offset);
    // No line, or one that was being written when the process was killed.
    if (end < 0) return { kind: 'read', places, end: offset, spent };
    const text = bytes.toString('utf8', offset, end);
    if (line === 1) {
      if (text !== header) return refused('it belongs to another input or to other settings');
    } else {
      const entry = readEntry(text);
      if (entry === null) {
        if (end === bytes.length - 1) return { kind: 'read', places, end: offset, spent };
        return refused(`line ${line} is damaged`);
      }
      spent = addSpent(spent, entry.spent);
      if (entry.kind !== 'spent') places.set(entry.row, { offset, length: end - offset + 1 });
    }
    offset = end + 1;
  }
}

function readEntry(text: string): JournalEntry | null {
  try {
    return entrySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function addSpent(a: Spent, b: Spent): Spent {
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

function refused(reason: string) {
  return { kind: 'refused', reason } as const;
}
