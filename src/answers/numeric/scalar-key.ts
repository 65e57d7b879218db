import { bitLength, formatRational, type Rational } from '../math/rational.ts';
import { hashText } from '../text-key.ts';
import { describeValue } from './describe-value.ts';
import type { Scalar } from './scalar.ts';

/** Fractions of more bits than this are named by a hash. */
const MAX_PRINTED_BITS = 512;

/** The name of a scalar: equal exactly for scalars that have the same identity. */
export function scalarKey(scalar: Scalar): string {
  switch (scalar.kind) {
    case 'exact':
      return rationalKey(scalar.value);
    case 'gaussian':
      return `${rationalKey(scalar.re)}+${rationalKey(scalar.im)}i`;
    case 'constant':
      return `~${describeValue(scalar.value) ?? ''}`;
    case 'function':
      return `f:${hashText(scalar.values.map((value) => (value === null ? '*' : describeValue(value))).join(';'))}`;
    case 'piecewise':
      return `p:${hashText([scalar.shape, ...scalar.values.map((value) => (value === null ? '*' : describeValue(value)))].join(';'))}`;
    case 'modular':
      return `m:${scalar.residues}`;
    case 'infinite':
      return scalar.negative ? '-inf' : 'inf';
  }
}

function rationalKey(value: Rational): string {
  if (bitLength(value.num) + bitLength(value.den) <= MAX_PRINTED_BITS) return formatRational(value);
  return `q:${hashText(`${value.num.toString(16)}/${value.den.toString(16)}`)}`;
}
