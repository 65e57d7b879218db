import {
  addRational,
  compareRational,
  divideRational,
  fromInteger,
  negateRational,
  type Rational,
} from '../math/rational.ts';
import { describeValue } from '../numeric/describe-value.ts';
import { MIXED_POINTS } from '../numeric/sample-points.ts';
import type { Scalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import type { ScalarForm } from './form.ts';

/** The shape of a function of one variable that changes at zero alone. */
const BREAK_AT_ZERO = /^0;$/;

export interface EqualityOptions {
  /** Decimals to which a decimal literal must agree with an exact value. */
  decimals: number;
  /** Whether 52 is accepted for 52_8, whose base the question may state. */
  dropBase: boolean;
  /** Whether `x = 5` and `y = 5` differ. */
  strictNames: boolean;
}

/** Equal beyond their keys: as a percentage, as a rounded decimal, or as functions where both have values. */
export function equalScalars(a: ScalarForm, b: ScalarForm, options: EqualityOptions): boolean {
  if (a.key === b.key) return true;
  if (a.scalar.kind === 'function' && b.scalar.kind === 'function') return equalFunctions(a.scalar, b.scalar);
  if (a.scalar.kind === 'piecewise' && b.scalar.kind === 'function') return restricts(b.scalar, a.scalar);
  if (a.scalar.kind === 'function' && b.scalar.kind === 'piecewise') return restricts(a.scalar, b.scalar);
  if (a.percent !== b.percent) {
    const [whole, part] = a.percent ? [a, b] : [b, a];
    const fraction =
      whole.scalar.kind === 'exact' ? divideRational(whole.scalar.value, fromInteger(100)) : null;
    if (
      fraction !== null &&
      equalRounded({ ...whole, scalar: { kind: 'exact', value: fraction } }, part, options)
    )
      return true;
  }
  return equalRounded(a, b, options);
}

/**
 * Where one is a decimal literal, the two agree when they differ by at most half a unit in the last of the compared
 * decimals; values too small for those decimals must agree relatively.
 */
function equalRounded(a: ScalarForm, b: ScalarForm, options: EqualityOptions): boolean {
  if (scalarKey(a.scalar) === scalarKey(b.scalar)) return true;
  if (a.decimals === 0 && b.decimals === 0) return false;
  const x = toRational(a.scalar);
  const y = toRational(b.scalar);
  if (x === null || y === null) return false;
  const gap = addRational(x, negateRational(y));
  if (gap === null) return false;
  const size = { num: gap.num < 0n ? -gap.num : gap.num, den: gap.den };
  if (compareRational(size, { num: 1n, den: 2n * 10n ** BigInt(options.decimals) }) > 0) return false;
  // Below 100 units of the last decimal, rounding would equate whole orders of magnitude.
  const tiny = { num: 100n, den: 10n ** BigInt(Math.max(options.decimals, 5)) };
  const larger = magnitudeOf(x, y);
  if (compareRational(larger, tiny) > 0) return true;
  const relative = {
    num: size.num * larger.den * 1_000_000n,
    den: size.den * (larger.num === 0n ? 1n : larger.num),
  };
  return larger.num !== 0n && relative.num <= relative.den;
}

function magnitudeOf(x: Rational, y: Rational): Rational {
  const a = { num: x.num < 0n ? -x.num : x.num, den: x.den };
  const b = { num: y.num < 0n ? -y.num : y.num, den: y.den };
  return compareRational(a, b) >= 0 ? a : b;
}

/** A real constant as a fraction: exact, or the double itself. */
function toRational(scalar: Scalar): Rational | null {
  if (scalar.kind === 'exact') return scalar.value;
  if (scalar.kind !== 'constant' || scalar.value.im !== null) return null;
  const value = scalar.value.re.high;
  if (!Number.isFinite(value) || Math.abs(value) > 1e15) return null;
  return { num: BigInt(Math.round(value * 2 ** 52)), den: 2n ** 52n };
}

/** Functions agree where both are defined: a value that depends on a branch is left out on either side. */
function equalFunctions(a: Scalar & { kind: 'function' }, b: Scalar & { kind: 'function' }): boolean {
  if (a.values.length !== b.values.length) return false;
  let compared = 0;
  for (const [i, value] of a.values.entries()) {
    const other = b.values[i];
    if (value === null || other === null || other === undefined) {
      if (!MIXED_POINTS.includes(i)) return false;
      continue;
    }
    if (describeValue(value) !== describeValue(other)) return false;
    compared += 1;
  }
  return compared >= 2;
}

/** A function of positive values, such as ln x, against one that changes at zero and goes on there, such as ln |x|. */
function restricts(a: Scalar & { kind: 'function' }, b: Scalar & { kind: 'piecewise' }): boolean {
  return (
    BREAK_AT_ZERO.test(b.shape) &&
    a.values.includes(null) &&
    equalFunctions(a, { kind: 'function', values: b.samples })
  );
}
