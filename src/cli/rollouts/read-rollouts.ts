import type { Readable } from 'node:stream';
import type { Cohort } from '../../domain/cohort.ts';
import { readingOf, readRollout } from '../../service/read-rollout.ts';
import { readSignals } from '../../service/read-signals.ts';
import { Collection } from './collection.ts';
import { readLines } from './lines.ts';
import type { Progress } from './progress.ts';
import { type RowRules, readRow } from './row.ts';
import { type Source, toAgentName } from './source.ts';

/** Faults that are named; the others are counted. */
const NAMED_FAULTS = 5;

export interface ReadRules extends RowRules {
  /** How answers are read where a row does not say, and for which method. */
  readonly cohort: Pick<Cohort, 'answers' | 'method' | 'options'>;
  readonly skipBad: boolean;
  readonly stdin: Readable;
  readonly progress: Progress;
}

/** What was read, and what was not. */
export interface ReadCounts {
  readonly lines: number;
  readonly rollouts: number;
  readonly prompts: number;
  readonly prompts_with_truth: number;
  /** Lines that could not be read, with --skip-bad. */
  readonly bad_lines: number;
  /** The first of them, as `file:line: reason`. */
  readonly first_bad: readonly string[];
  /** Rows of lm-eval that repeat a sample under another filter. */
  readonly repeated_under_filters: number;
}

/** A line cannot be read, and none may be left out. */
export class BadLineError extends Error {
  override readonly name = 'BadLineError';
}

/** Reads all files once, line by line. Throws BadLineError, LineTooLongError, and what opening a file throws. */
export async function readRollouts(
  sources: readonly Source[],
  rules: ReadRules,
): Promise<{ readonly collection: Collection; readonly counts: ReadCounts }> {
  const collection = new Collection(rules.withSignals);
  const counts = { lines: 0, bad_lines: 0, repeated_under_filters: 0 };
  const firstBad: string[] = [];
  for (const source of sources) {
    let line = 0;
    const filters: { first: string | null } = { first: null };
    const { path } = source;
    for await (const text of readLines({
      path,
      stdin: rules.stdin,
      onBytes: (n) => rules.progress.read(n),
    })) {
      line++;
      if (text.trim() === '') continue;
      counts.lines++;
      const taken = takeLine(text, source, filters, collection, rules);
      if (taken === 'repeated') counts.repeated_under_filters++;
      if (taken === 'kept' || taken === 'repeated') continue;
      const fault = `${source.path}:${line}: ${taken.fault}`;
      if (!rules.skipBad)
        throw new BadLineError(`${fault}\n--skip-bad leaves such lines out and counts them.`);
      counts.bad_lines++;
      if (firstBad.length < NAMED_FAULTS) firstBad.push(fault);
    }
  }
  return {
    collection,
    counts: {
      ...counts,
      rollouts: collection.rollouts,
      prompts: collection.prompts,
      prompts_with_truth: collection.promptsWithTruth,
      first_bad: firstBad,
    },
  };
}

function takeLine(
  text: string,
  source: Source,
  filters: { first: string | null },
  collection: Collection,
  rules: ReadRules,
): 'kept' | 'repeated' | { readonly fault: string } {
  const read = readRow(text, rules);
  if (read.kind === 'invalid') return { fault: read.reason };
  const { row } = read;
  filters.first ??= row.filter;
  if (row.filter !== filters.first) return 'repeated';
  const rollouts = [];
  const reading = readingOf(rules.cohort, row);
  for (const input of row.rollouts) {
    const { signals, faults } = rules.withSignals
      ? readSignals(input, rules.cohort, row.truth !== null)
      : { signals: null, faults: [] };
    const [fault] = faults;
    if (fault !== undefined) {
      return { fault: `method ${rules.cohort.method}: "${fault.field}" ${fault.problem}` };
    }
    rollouts.push(readRollout(input, reading, null, signals));
  }
  const agent = source.agent ?? (row.agent === null ? source.fallback : toAgentName(row.agent));
  const { promptId, visit, truth, choices } = row;
  const { mode } = reading;
  const fault = collection.add({ promptId, agent, visit, truth, choices, mode, rollouts });
  return fault === null ? 'kept' : { fault };
}
