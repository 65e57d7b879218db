import type { Node } from '../math/node.ts';
import { complement, mergeAll, realSetKey } from './real-set.ts';
import { ORDER_OPERATORS, type Solution, solveInequalities } from './solve-inequality.ts';
import { textForm } from './text-form.ts';

/** Conditions of more rows than this stay as they are written. */
const MAX_SOLVED = 32;
const OTHERWISE = /^"(?:otherwise|else|elsewhere)$/;

/**
 * A canonical text for a case distinction, whatever the order of its rows: conditions on one unknown as the set that they
 * leave to it, `otherwise` as what the others leave over, the rest by `structureOf`.
 */
export function casesKey(rows: Node[][], structureOf: (node: Node) => string): string {
  const solutions = rows.map((row) => (rows.length > MAX_SOLVED ? null : readCondition(row[1])));
  const known = solutions.filter((solution) => solution !== null);
  const variables = new Set(known.map((solution) => solution.variable));
  const rest = rows.filter((row) => isOtherwise(row[1]));
  const [variable] = variables;
  const complete = variables.size === 1 && rest.length === 1 && known.length === rows.length - 1;
  const left = complete ? complement(mergeAll(known.map((solution) => solution.set))) : null;
  const lines = rows.map((row, i) => {
    const solution =
      left !== null && variable !== undefined && isOtherwise(row[1]) ? { variable, set: left } : solutions[i];
    const [value, condition, ...others] = row;
    if (value === undefined || condition === undefined) return row.map(structureOf).join(':');
    const says =
      solution !== null && solution !== undefined
        ? `${solution.variable} in ${realSetKey(solution.set)}`
        : isOtherwise(condition)
          ? 'otherwise'
          : structureOf(condition);
    return [structureOf(value), says, ...others.map(structureOf)].join(':');
  });
  return `cases(${lines.sort().join(',')})`;
}

function readCondition(node: Node | undefined): Solution | null {
  const ordered = node?.kind === 'relation' && node.operators.every((sign) => ORDER_OPERATORS.has(sign));
  return ordered ? solveInequalities(node) : null;
}

function isOtherwise(node: Node | undefined): boolean {
  return node?.kind === 'text' && OTHERWISE.test(textForm(node.text).key);
}
