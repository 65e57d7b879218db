import { compareRational, toNumber } from '../math/rational.ts';
import type { Scalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';

/** The nearest double of a real constant or infinity; null for complex numbers and functions. */
export function realValue(scalar: Scalar): number | null {
  switch (scalar.kind) {
    case 'exact':
      return toNumber(scalar.value);
    case 'constant':
      return scalar.value.im === null ? scalar.value.re.high : null;
    case 'infinite':
      return scalar.negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    default:
      return null;
  }
}

/** Orders two real scalars exactly where both are fractions; equal keys are equal. */
export function compareReal(a: Scalar, b: Scalar): number {
  if (a.kind === 'exact' && b.kind === 'exact') return compareRational(a.value, b.value);
  if (scalarKey(a) === scalarKey(b)) return 0;
  const x = realValue(a) ?? Number.NaN;
  const y = realValue(b) ?? Number.NaN;
  return x < y ? -1 : x > y ? 1 : 0;
}
