import type { Fraction } from './fraction.ts';

/** An expression tree as the fuzzer makes it. */
export type Expression =
  | { kind: 'number'; value: Fraction }
  | { kind: 'name'; name: string }
  | { kind: Operation; parts: readonly Expression[] }
  | { kind: 'power'; parts: readonly Expression[]; exponent: number };

export type Operation = 'sum' | 'product' | 'quotient' | 'opposite' | FunctionName;

export type FunctionName =
  | 'sqrt'
  | 'abs'
  | 'max'
  | 'min'
  | 'sgn'
  | 'floor'
  | 'ceil'
  | 'sin'
  | 'cos'
  | 'tan'
  | 'exp'
  | 'ln';

export function make(kind: Operation, ...parts: Expression[]): Expression {
  return { kind, parts };
}

export function raise(base: Expression, exponent: number): Expression {
  return { kind: 'power', parts: [base], exponent };
}

export function partsOf(node: Expression): readonly Expression[] {
  return 'parts' in node ? node.parts : [];
}

/** The same node over other parts. */
function withParts(node: Expression, parts: readonly Expression[]): Expression {
  return 'parts' in node ? { ...node, parts } : node;
}

/** The number of nodes. */
export function sizeOf(node: Expression): number {
  return partsOf(node).reduce((sum, part) => sum + sizeOf(part), 1);
}

/** The tree with its n-th node, in the order of a walk from the root, changed. */
export function changeNode(
  node: Expression,
  n: number,
  change: (found: Expression) => Expression,
): Expression {
  if (n === 0) return change(node);
  let rest = n - 1;
  const parts = partsOf(node).map((part) => {
    const size = sizeOf(part);
    const result = rest >= 0 && rest < size ? changeNode(part, rest, change) : part;
    rest -= size;
    return result;
  });
  return withParts(node, parts);
}
