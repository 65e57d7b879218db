import type { Readable } from 'node:stream';
import { LineTooLongError } from '../rollouts/lines.ts';
import { parseSource, type Source } from '../rollouts/source.ts';
import { type Check, fail, ok } from './check.ts';
import type { DataSet } from './check-data.ts';
import { type Columns, toDataRow } from './data-row.ts';
import { readTable, TableError } from './read-table.ts';

/**
 * The agent of each file: the one that is named, else one of the cohort that the file is called after, else the next of the
 * cohort that has none. Null: the cohort is not known.
 */
export function assignAgents(
  sources: readonly Source[],
  agents: readonly string[] | null,
): readonly string[] {
  const taken = new Set(sources.map(({ agent, fallback }) => agent ?? fallback));
  return sources.map(({ agent, fallback }) => {
    if (agent !== null) return agent;
    if (agents === null || agents.includes(fallback)) return fallback;
    const free = agents.find((name) => !taken.has(name));
    if (free !== undefined) taken.add(free);
    return free ?? fallback;
  });
}

/** The data sets of `--data` or `--eval`, and what became of each file. */
export async function openDataSets(
  files: readonly string[],
  kind: 'data' | 'eval data',
  agents: readonly string[] | null,
  columns: Columns,
  stdin: Readable,
): Promise<{ readonly sets: readonly DataSet[]; readonly checks: readonly Check[] }> {
  const sources = files.map(parseSource);
  const owners = assignAgents(sources, agents);
  const sets: DataSet[] = [];
  const checks: Check[] = [];
  for (const [at, { path }] of sources.entries()) {
    const agent = owners[at] ?? '';
    const name = `${kind} ${agent}`;
    try {
      const rows = (await readTable(path, stdin)).map((row, place) => toDataRow(row, place + 1, columns));
      sets.push({ agent, path, rows });
      checks.push(ok(name, `${path} has ${rows.length} rows.`));
    } catch (error) {
      checks.push(fail(name, `${path} cannot be read: ${describeFault(error)}.`));
    }
  }
  return { sets, checks };
}

/** Throws what is no fault of the file. */
function describeFault(error: unknown): string {
  if (error instanceof TableError || error instanceof LineTooLongError) return error.message;
  if (error instanceof Error && 'code' in error) {
    return error.code === 'ENOENT' ? 'there is no such file' : String(error.code);
  }
  throw error;
}
