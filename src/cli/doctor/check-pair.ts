import type { ExtractionMode } from '../../answers/modes.ts';
import { readTruth } from '../../answers/truth.ts';
import type { GroundTruth } from '../../domain/bucket.ts';
import { type Check, fail, ok, quote, warn } from './check.ts';
import { type DataSet, trainRows } from './check-data.ts';
import type { DataRow } from './data-row.ts';

export interface PairRules {
  readonly mode: ExtractionMode;
  /** Under `last-label` nobody waits, so that other orders only cost labels. */
  readonly waits: boolean;
  /** Whether both are to see the same texts. */
  readonly sameView: boolean;
}

/** What the data sets of two agents have in common, and whether they come in one order. */
export function checkPair(one: DataSet, other: DataSet, { mode, waits, sameView }: PairRules): Check[] {
  const pair = `${one.agent}, ${other.agent}`;
  const problem = waits ? fail : warn;
  const [left, right] = [trainRows(one.rows), trainRows(other.rows)];
  const [leftById, rightById] = [byId(left), byId(right)];
  const common = [...leftById].filter(([id]) => rightById.has(id));
  if (left.length === 0 || right.length === 0) return [];
  if (common.length === 0) {
    const [mine, theirs] = [left[0]?.id ?? '', right[0]?.id ?? ''];
    return [
      problem(
        `ids ${pair}`,
        `They have no problem in common (${quote(mine)} against ${quote(theirs)}): each would wait for prompts that the other never sends. Make both from one table.`,
      ),
    ];
  }
  const checks: Check[] = [
    checkCommon(one.agent, leftById, other.agent, rightById, `ids ${pair}`, problem),
    checkOrder(left, leftById, right, rightById, `order ${pair}`, problem),
  ];
  const truths = common.flatMap(([id, row]) => {
    const [a, b] = [row.truth.groundTruth, rightById.get(id)?.truth.groundTruth ?? null];
    return a === null || b === null ? [] : [{ id, a, b }];
  });
  const torn = truths.filter(({ a, b }) => !areEqual(a, b, mode));
  const [first] = torn;
  if (first !== undefined) {
    checks.push(
      fail(
        `truths ${pair}`,
        `${torn.length} of ${truths.length} problems have another ground truth under the same id (first: ${quote(first.id)}, ${quote(show(first.a))} against ${quote(show(first.b))}): their ids name different problems, which the server refuses with 409.`,
      ),
    );
  } else if (truths.length > 0) {
    checks.push(ok(`truths ${pair}`, `The ground truths of ${truths.length} common problems are the same.`));
  }
  const texts = common.flatMap(([id, row]) => {
    const text = rightById.get(id)?.text ?? '';
    return row.text === '' || text === '' || row.text === text ? [] : [{ id }];
  });
  const [odd] = texts;
  if (sameView && odd !== undefined) {
    checks.push(
      warn(
        `texts ${pair}`,
        `${texts.length} of ${common.length} problems have another text under the same id (first: ${quote(odd.id)}): if they are other problems, the ids count rows of two orders.`,
      ),
    );
  }
  return checks;
}

type Problem = (name: string, says: string) => Check;
type ById = ReadonlyMap<string, DataRow>;

function checkCommon(
  one: string,
  left: ById,
  other: string,
  right: ById,
  name: string,
  problem: Problem,
): Check {
  const [onlyLeft, onlyRight] = [missingFrom(left, right), missingFrom(right, left)];
  if (onlyLeft.length + onlyRight.length === 0) return ok(name, `All ${left.size} problems are in both.`);
  const parts = [
    { agent: one, ids: onlyLeft },
    { agent: other, ids: onlyRight },
  ].filter(({ ids }) => ids.length > 0);
  const said = parts.map(
    ({ agent, ids }) => `${ids.length} only in ${agent} (first: ${quote(ids[0] ?? '')})`,
  );
  const both = left.size - onlyLeft.length;
  return problem(
    name,
    `${both} problems are in both, ${said.join(', ')}: those wait for the deadline and get no label. Filter once, for all agents.`,
  );
}

function checkOrder(
  left: readonly DataRow[],
  leftById: ById,
  right: readonly DataRow[],
  rightById: ById,
  name: string,
  problem: Problem,
): Check {
  const [mine, theirs] = [left.filter(inside(rightById)), right.filter(inside(leftById))];
  const at = mine.findIndex(({ id }, place) => id !== theirs[place]?.id);
  const [here, there] = [mine[at], theirs[at]];
  if (at >= 0 && here !== undefined && there !== undefined) {
    return problem(
      name,
      `They come in another order: from row ${here.row} (${quote(here.id ?? '')}) against row ${there.row} (${quote(there.id ?? '')}) on. Shuffle once, before the data sets are made.`,
    );
  }
  if (mine.length !== theirs.length || left.length !== right.length) {
    return warn(
      name,
      `${left.length} training rows against ${right.length}: the order is the same, but a trainer that shuffles by its seed makes another one of other counts.`,
    );
  }
  return ok(name, `All ${left.length} training rows come in the same order.`);
}

function inside(ids: ById): (row: DataRow) => boolean {
  return ({ id }) => id !== null && ids.has(id);
}

function missingFrom(ids: ById, others: ById): string[] {
  return [...ids.keys()].filter((id) => !others.has(id));
}

/** The first row of each problem. */
function byId(rows: readonly DataRow[]): ById {
  const found = new Map<string, DataRow>();
  for (const row of rows) if (row.id !== null && !found.has(row.id)) found.set(row.id, row);
  return found;
}

function areEqual(a: GroundTruth, b: GroundTruth, mode: ExtractionMode): boolean {
  if (show(a) === show(b)) return true;
  const [left, right] = [readTruth(a, mode).key, readTruth(b, mode).key];
  return left !== null && left === right;
}

function show(truth: GroundTruth): string {
  return [truth].flat().join(', ');
}
