import { childrenOf, type Node } from '../math/node.ts';
import { evaluateScalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import { answerBudget, type WorkBudget } from '../numeric/work-budget.ts';
import { casesKey } from './cases-key.ts';
import { textForm } from './text-form.ts';

/**
 * A canonical text for an expression that no layer evaluates whole: parts that evaluate stand as their keys, and the
 * operands of commutative operations are sorted.
 */
export function structureOf(node: Node, budget: WorkBudget = answerBudget()): string {
  const scalar = budget.left > 0 && isExpression(node) ? evaluateScalar(node, budget) : null;
  if (scalar !== null) return scalarKey(scalar);
  const children = childrenOf(node).map((child) => structureOf(child, budget));
  switch (node.kind) {
    case 'multiply':
      // Products of sets, pairs and matrices do not commute.
      return `multiply(${(node.items.every(isExpression) ? children.sort() : children).join(',')})`;
    case 'add':
      return `add(${children.sort().join(',')})`;
    case 'sequence':
      return `${node.open}${children.join(node.joiner === 'or' ? '|' : ',')}${node.close}`;
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
      return textForm(node.text).key;
    case 'labelled':
      return `${node.label}(${children.join(',')})`;
    case 'cases':
      return casesKey(node.rows, (child) => structureOf(child, budget));
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
