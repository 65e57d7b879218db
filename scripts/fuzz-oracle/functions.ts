import type { Chance } from './chance.ts';
import { type Expression, partsOf } from './expression.ts';
import { grow, type Soil } from './grow.ts';
import { mutate } from './mutate.ts';
import type { Pair } from './pair.ts';
import { print, STYLES } from './print.ts';
import { rewrite } from './rewrite.ts';
import { compareFunctions, namesOf } from './verdict.ts';

const XY = ['x', 'y'];
const ARITHMETIC = ['sum', 'sum', 'product', 'product', 'opposite', 'power'] as const;

/** Families of scalar expressions, by what their trees are made of. */
export const SOILS: Readonly<Record<string, Soil>> = {
  number: { names: [], operations: [...ARITHMETIC, 'quotient'], depth: 3, broken: 3 },
  polynomial: { names: XY, operations: ARITHMETIC, depth: 3, broken: 4 },
  rational: { names: XY, operations: [...ARITHMETIC, 'quotient', 'quotient'], depth: 3, broken: 6 },
  radical: { names: [], operations: ['sum', 'product', 'sqrt', 'sqrt', 'quotient'], depth: 3, broken: 6 },
  'radical-function': { names: XY, operations: ['sum', 'product', 'sqrt', 'quotient'], depth: 3, broken: 0 },
  trigonometric: {
    names: ['x'],
    operations: ['sum', 'product', 'sin', 'cos', 'tan', 'power'],
    depth: 3,
    broken: 6,
  },
  logarithmic: {
    names: ['x', 't'],
    operations: ['sum', 'product', 'exp', 'ln', 'opposite'],
    depth: 3,
    broken: 6,
  },
  piecewise: {
    names: ['x'],
    operations: ['sum', 'product', 'abs', 'abs', 'max', 'min', 'sgn'],
    depth: 3,
    broken: 5,
  },
  'piecewise-several': {
    names: XY,
    operations: ['sum', 'product', 'abs', 'max', 'min'],
    depth: 3,
    broken: 0,
  },
  'piecewise-any': {
    names: ['x'],
    operations: ['sum', 'abs', 'max', 'sin', 'exp', 'ln', 'sqrt'],
    depth: 3,
    broken: 0,
  },
  steps: {
    names: ['n'],
    operations: ['sum', 'product', 'floor', 'floor', 'ceil', 'opposite'],
    depth: 3,
    broken: 0,
  },
  'steps-real': {
    names: ['x'],
    operations: ['sum', 'product', 'floor', 'ceil', 'opposite'],
    depth: 2,
    broken: 4,
  },
};

/**
 * A tree beside one of its rewritings or mutants, each in a spelling of its own; null where the oracle does not decide. A
 * rewriting that the oracle refutes is an error of the fuzzer's own, which it throws.
 */
export function functionPair(soil: Soil, chance: Chance): Pair | null {
  const tree = grow(soil, chance);
  const same = chance.once(2);
  const changed = same ? tree : mutate(tree, soil.names, chance);
  const other = same || chance.once(2) ? rewrite(changed, chance) : changed;
  const verdict = compareFunctions(tree, other, chance);
  const a = print(tree, chance.pick(STYLES), chance);
  const b = print(other, chance.pick(STYLES), chance);
  if (same && verdict === 'different') throw new Error(`the oracle refutes a rewriting: ${a} | ${b}`);
  if (verdict === 'open' || (verdict === 'equal') !== same) return null;
  // The contract takes a maximum of numbers for a question.
  if (asksForValue(tree) || asksForValue(other)) return null;
  return { a, b, equal: same };
}

function asksForValue(node: Expression): boolean {
  const asks = node.kind === 'max' || node.kind === 'min';
  return (asks && namesOf(node).length === 0) || partsOf(node).some(asksForValue);
}
