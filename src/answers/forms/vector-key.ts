import type { Node } from '../math/node.ts';
import {
  absoluteComplex,
  addComplex,
  type Complex,
  divideComplex,
  isZero,
  magnitude,
  negateComplex,
} from '../numeric/complex.ts';
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
  const scale = scaleOf(values, first);
  return scale === null ? null : hashText([...parts, scale].join(';'));
}

/** Beside a constant as large as this the digits of a ratio do not show the constant. */
const LARGE_SHARE = 1e6;

/** How large a constant is that drowns the variables, by the size of a change; '' where none does, null where it cannot be told. */
function scaleOf(values: ReadonlyArray<Complex | null>, first: Complex): string | null {
  const changes = values
    .filter((value) => value !== null)
    .map((value) => addComplex(value, negateComplex(first)))
    .filter((change) => !isZero(change));
  const [change] = changes;
  if (change === undefined || changes.some((own) => magnitude(own) * LARGE_SHARE > magnitude(first)))
    return '';
  return describeValue(divideComplex(first, change));
}
