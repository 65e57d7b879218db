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
