import type { Complex } from './complex.ts';
import { absolute } from './double-double.ts';

const PARTS_OF_PI = 12 / Math.PI;

/**
 * The value of a logarithm of a negative number, without the direction of the half turn in it: ln(-x) and -ln(-1/x) differ
 * in that alone. What else is complex keeps its sign.
 */
export function withoutTurns(value: Complex): Complex {
  if (value.im === null || value.re.high === 0) return value;
  const turns = value.im.high * PARTS_OF_PI;
  return Math.abs(turns - Math.round(turns)) < 1e-13 * Math.abs(turns)
    ? { ...value, im: absolute(value.im) }
    : value;
}

/** The same, real: along a line that meets a zero of its argument, a logarithm is real on both sides. */
export function withoutHalfTurns(value: Complex): Complex {
  const turned = withoutTurns(value);
  return turned !== value && turned.im !== null ? { ...turned, im: null } : turned;
}
