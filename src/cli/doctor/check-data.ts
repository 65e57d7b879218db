import type { ExtractionMode } from '../../answers/modes.ts';
import { readTruth } from '../../answers/truth.ts';
import { type Check, fail, ok, quote, warn } from './check.ts';
import type { DataRow, IdSource } from './data-row.ts';

/** The data set of one agent. */
export interface DataSet {
  readonly agent: string;
  readonly path: string;
  readonly rows: readonly DataRow[];
}

const FOUND_IN: Readonly<Record<IdSource, string>> = {
  column: 'their column',
  label: 'their label',
  verl: 'data source, split and index, as verl names them',
  roll: 'column "id", which only ROLL sends: other trainers want a column "prompt_id"',
  text: 'a hash of the text, as OpenRLHF and slime do without a label: other trainers want a column "prompt_id"',
};

/** Whether every row names its problem, each problem once. */
export function checkIds({ agent, rows }: DataSet): Check {
  const name = `ids ${agent}`;
  if (rows.length === 0) return fail(name, 'The data set has no rows.');
  const nameless = rows.filter(({ id, from }) => id === null || (from === 'text' && !allByText(rows)));
  const [first] = nameless;
  if (first !== undefined) {
    return fail(
      name,
      `${nameless.length} of ${rows.length} rows name no problem (first: row ${first.row}): give each a "prompt_id" that is the same for all agents.`,
    );
  }
  const train = trainRows(rows);
  const seen = new Map<string, DataRow>();
  const again: DataRow[] = [];
  for (const row of train) {
    const earlier = seen.get(row.id ?? '');
    if (earlier === undefined) seen.set(row.id ?? '', row);
    else if (earlier.text !== row.text) {
      return fail(
        name,
        `Rows ${earlier.row} and ${row.row} are two problems under one id, ${quote(row.id ?? '')}: give each its own.`,
      );
    } else again.push(row);
  }
  const from = [...new Set(rows.map((row) => row.from ?? 'text'))];
  const source = from.map((each) => FOUND_IN[each]).join(', and ');
  const about = `${train.length} training rows, ${seen.size} problems, named by ${source}.`;
  const [twice] = again;
  if (twice !== undefined) {
    return warn(
      name,
      `${about} ${again.length} rows repeat a problem (first: row ${twice.row}, ${quote(twice.id ?? '')}): each is a visit of its own, unless one batch holds both.`,
    );
  }
  return from.some((each) => each === 'text' || each === 'roll') ? warn(name, about) : ok(name, about);
}

/** Whether rows that are for evaluation say so, and can be graded. `isEval`: the whole file is. */
export function checkSplit({ agent, rows }: DataSet, isEval: boolean): Check {
  const name = `eval ${agent}`;
  const [odd] = rows.filter(({ split }) => split === null);
  if (odd !== undefined) {
    return fail(name, `Row ${odd.row} has a split that is neither train nor eval, test or validation.`);
  }
  const marked = rows.filter(({ split }) => split === 'eval');
  const unmarked = rows.length - marked.length;
  if (isEval && unmarked > 0) {
    return fail(
      name,
      `${unmarked} of ${rows.length} rows for evaluation are not marked, and would wait for the peer: give them split "eval".`,
    );
  }
  const blind = marked.filter(({ truth }) => truth.groundTruth === null);
  const [first] = blind;
  if (first !== undefined) {
    return fail(
      name,
      `${blind.length} rows for evaluation have no ground truth to be graded by (first: row ${first.row}).`,
    );
  }
  return ok(
    name,
    marked.length === 0
      ? 'No row is marked for evaluation; rows that are for it need split "eval".'
      : `${marked.length} rows are for evaluation, and graded at once.`,
  );
}

/** Whether ground truths can be read as answers. `isPaid`: the method rewards by them. */
export function checkTruths({ agent, rows }: DataSet, mode: ExtractionMode, isPaid: boolean): Check {
  const name = `truths ${agent}`;
  const problem = isPaid ? fail : warn;
  const given = rows.filter(({ truth }) => truth.groundTruth !== null || truth.truthFault !== undefined);
  if (isPaid && given.length < rows.length) {
    return fail(
      name,
      `${rows.length - given.length} of ${rows.length} rows have no ground truth, and the method rewards by it.`,
    );
  }
  if (given.length === 0) {
    return ok(name, 'No ground truths: rewards need none, but accuracy of answers and labels is not shown.');
  }
  const unread = given.filter((row) => !isReadableTruth(row, mode));
  const [first] = unread;
  if (first === undefined) return ok(name, `All ${given.length} ground truths can be read in mode ${mode}.`);
  const { groundTruth, truthFault } = first.truth;
  const what = truthFault ?? `is ${quote([groundTruth ?? ''].flat().join(', '))}`;
  return problem(
    name,
    `${unread.length} of ${given.length} ground truths cannot be read in mode ${mode} (first: row ${first.row}, which ${what}): nothing equals them. Choose the column with --truth-column, or the mode with --mode.`,
  );
}

/** The rows that vote. */
export function trainRows(rows: readonly DataRow[]): readonly DataRow[] {
  return rows.filter(({ split }) => split === 'train');
}

function isReadableTruth({ truth: { groundTruth } }: DataRow, mode: ExtractionMode): boolean {
  if (groundTruth === null) return false;
  const { key, readable } = readTruth(groundTruth, mode);
  return key !== null && readable;
}

function allByText(rows: readonly DataRow[]): boolean {
  return rows.every(({ from }) => from === 'text');
}
