import { access, rm } from 'node:fs/promises';
import { Budget, type BudgetLimits, type Prices, type Spent } from '../llm/budget.ts';
import { Journal } from './journal.ts';
import { type RephraseParts, type RephraseRules, type RowResult, rephraseRow } from './rephrase-row.ts';
import type { FieldNames } from './row.ts';
import { type PlacedRow, readRows, type Scan, scanInput } from './scan-input.ts';
import { type OutputCounts, type Unfinished, writeOutput } from './write-output.ts';

export interface RephraseJob {
  readonly input: string;
  readonly output: string;
  readonly fields: FieldNames;
  /** All else that decides what a row may become: another run goes on only with the same. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly rules: RephraseRules;
  readonly concurrency: number;
  readonly limits: BudgetLimits;
  readonly prices: Prices;
  /** Replace an output that is no unfinished one. */
  readonly force: boolean;
}

/** Told how a run goes. */
export interface RephraseProgress {
  begin(rows: number, done: number): void;
  /** One more row is done with, or was given up for this run. */
  step(result: RowResult, budget: Pick<Budget, 'spent' | 'cost'>): void;
  end(): void;
}

export type RephraseOutcome =
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  /** No output is written; the journal keeps what is done. */
  | { readonly kind: 'interrupted'; readonly rows: number; readonly done: number }
  | {
      readonly kind: 'written';
      readonly scan: Scan;
      readonly counts: OutputCounts;
      /** All runs together. */
      readonly spent: Spent;
      readonly cost: number;
      /** Why the run stopped before all rows were tried; null where it did not. */
      readonly stopped: string | null;
      readonly failed: string;
      /** Rows that another run may still rephrase. */
      readonly unfinished: number;
    };

type Parts = Omit<RephraseParts, 'budget'> & { readonly progress: RephraseProgress };

/** So many rows in a row without an answer of the endpoint end a run, or twice the concurrency. */
const STOP_AFTER = 10;

/**
 * Rephrases a data set row by row and writes the output with one line for each row, in order. A run that was stopped or
 * killed is gone on with by the same job. Throws what the file system says.
 */
export async function rephraseFile(job: RephraseJob, parts: Parts): Promise<RephraseOutcome> {
  const scan = await scanInput(job.input, job.fields);
  if (scan.problems.length > 0) return { kind: 'refused', problems: scan.problems };
  const journalPath = `${job.output}.journal`;
  if (!job.force && (await exists(job.output)) && !(await exists(journalPath))) {
    const problem = `${job.output} exists: delete it, choose another name, or replace it with --force`;
    return { kind: 'refused', problems: [problem] };
  }
  const header = { input: scan.digest, settings: { ...job.settings, fields: job.fields } };
  const opened = await Journal.open(journalPath, header);
  if (opened.kind === 'refused') {
    const hint = 'delete it to start anew, or choose another output';
    return { kind: 'refused', problems: [`${opened.reason}: ${hint}`] };
  }
  const { journal } = opened;
  try {
    const budget = new Budget(job.limits, job.prices, journal.spent);
    const run = new Run(job, { ...parts, budget }, journal);
    parts.progress.begin(scan.rows, journal.finished);
    await run.work().finally(() => parts.progress.end());
    if (parts.signal.aborted) return { kind: 'interrupted', rows: scan.rows, done: journal.finished };
    const failed = failedPath(job.output);
    const { input, output, fields } = job;
    const counts = await writeOutput(
      { input, output, failed, fields, digest: scan.digest },
      journal,
      run.unfinished,
    );
    const unfinished = scan.rows - journal.finished;
    const { spent, cost } = budget;
    if (unfinished === 0) await rm(journalPath);
    return { kind: 'written', scan, counts, spent, cost, stopped: run.stopped, failed, unfinished };
  } finally {
    await journal.close();
  }
}

/** `out.failed.jsonl` beside `out.jsonl`. */
function failedPath(output: string): string {
  return `${output.replace(/\.jsonl$/, '')}.failed.jsonl`;
}

/** The rows that are not done with, some at a time. */
class Run {
  readonly unfinished = new Map<number, Unfinished>();
  stopped: string | null = null;
  readonly #job: RephraseJob;
  readonly #parts: RephraseParts & { readonly progress: RephraseProgress };
  readonly #journal: Journal;
  #failuresInARow = 0;

  constructor(
    job: RephraseJob,
    parts: RephraseParts & { readonly progress: RephraseProgress },
    journal: Journal,
  ) {
    this.#job = job;
    this.#parts = parts;
    this.#journal = journal;
  }

  async work(): Promise<void> {
    const rows = readRows(this.#job.input, this.#job.fields);
    const workers = Array.from({ length: this.#job.concurrency }, () => this.#take(rows));
    // The first error ends all: what is under way elsewhere ends with its row.
    const ends = await Promise.allSettled(workers);
    const broken = ends.find((end) => end.status === 'rejected');
    if (broken !== undefined) throw broken.reason;
  }

  /** Workers take rows off one reader, so that each row has one of them. */
  async #take(rows: AsyncGenerator<PlacedRow>): Promise<void> {
    try {
      for (let next = await rows.next(); !next.done; next = await rows.next()) {
        const { index, row } = next.value;
        if (this.#journal.has(index)) continue;
        if (this.#isOver()) return;
        await this.#rephrase(index, row.text);
      }
    } catch (error) {
      this.stopped ??= 'an error';
      throw error;
    }
  }

  async #rephrase(index: number, text: string): Promise<void> {
    const result = await rephraseRow(text, this.#job.rules, this.#parts);
    await this.#journal.add(index, result);
    if (result.kind === 'unfinished') this.#giveUp(index, result);
    else this.#failuresInARow = 0;
    this.#parts.progress.step(result, this.#parts.budget);
  }

  #giveUp(index: number, { code, message }: Unfinished): void {
    this.unfinished.set(index, { code, message });
    if (code === 'aborted') return;
    this.#failuresInARow++;
    const most = Math.max(STOP_AFTER, 2 * this.#job.concurrency);
    if (code === 'budget_spent') this.stopped ??= 'the budget is spent';
    else if (this.#failuresInARow >= most) {
      this.stopped ??= `the endpoint failed for ${this.#failuresInARow} rows in a row, at last: ${message}`;
    }
  }

  #isOver(): boolean {
    return this.#parts.signal.aborted || this.stopped !== null;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
