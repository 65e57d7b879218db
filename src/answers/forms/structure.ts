import { childrenOf, type Node } from '../math/node.ts';
import { evaluateScalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import { answerBudget, type WorkBudget } from '../numeric/work-budget.ts';

/**
 * A canonical text for an expression that no layer evaluates whole: parts that evaluate stand as their keys, and the
 * operands of commutative operations are sorted.
 */
export function structureOf(node: Node, budget: WorkBudget = answerBudget()): string {
  const scalar = budget.left > 0 && isExpression(node) ? evaluateScalar(node, budget) : null;
  if (scalar !== null) return scalarKey(scalar);
  const children = childrenOf(node).map((child) => structureOf(child, budget));
  switch (node.kind) {
    case 'add':
    case 'multiply':
      return `${node.kind}(${children.sort().join(',')})`;
    case 'sequence':
      return `${node.open}${children.join(',')}${node.close}`;
    case 'relation':
      return children.map((child, i) => `${child}${node.operators[i] ?? ''}`).join('');
    case 'setOperation':
      return `${node.operator}(${(node.operator === 'setminus' ? children : children.sort()).join(',')})`;
    case 'call':
    case 'apply':
      return `${node.name}(${children.join(',')})`;
    case 'binder':
      return `${node.name}[${node.variable}](${children.join(',')})`;
    case 'symbol':
    case 'set':
      return node.name;
    case 'number':
      return `${node.value.num}/${node.value.den}`;
    case 'based':
      return `${node.digits}_${node.base}`;
    case 'text':
      return node.text;
    case 'labelled':
      return `${node.label}(${children.join(',')})`;
    case 'cases': {
      const rows = node.rows.map((row) => row.map((cell) => structureOf(cell, budget)).join(':'));
      return `cases(${rows.sort().join(',')})`;
    }
    case 'matrix':
      return `${node.kind}${node.rows.map((row) => row.length).join('x')}(${children.join(',')})`;
    default:
      return `${node.kind}(${children.join(',')})`;
  }
}

function isExpression(node: Node): boolean {
  return !/^(?:sequence|relation|setOperation|set|setBuilder|text|based|labelled|matrix|cases|dots|plusMinus)$/.test(
    node.kind,
  );
}
