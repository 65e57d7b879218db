import type { Node } from '../math/node.ts';
import { absoluteComplex, type Complex, divideComplex, isZero } from '../numeric/complex.ts';
import { describeValue } from '../numeric/describe-value.ts';
import { sampleFunction } from '../numeric/scalar.ts';
import { hashText } from '../text-key.ts';

/**
 * A name for `left - right` up to a factor: any non-zero one for an equation, a positive one where `oriented`.
 * Null where the difference is constant or has no values.
 */
export function vectorKey(left: Node, right: Node, oriented: boolean): string | null {
  const sampled = sampleFunction({ kind: 'add', items: [left, { kind: 'negate', item: right }] });
  if (sampled === null) return null;
  const { values, shape } = sampled;
  const first = values.find((value) => value !== null && !isZero(value));
  if (first === undefined || first === null) return null;
  const unit: Complex = oriented ? absoluteComplex(first) : first;
  const parts: string[] = shape === '' ? [] : [shape];
  for (const value of values) {
    const text = value === null ? '*' : describeValue(divideComplex(value, unit));
    if (text === null) return null;
    parts.push(text);
  }
  return hashText(parts.join(';'));
}
