import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  DD_ONE,
  type DoubleDouble,
  divide,
  fromNumber,
  multiply,
  scale,
  squareRoot,
  subtract,
} from '../../../../src/answers/numeric/double-double.ts';
import {
  arcTangent,
  exponential,
  logarithm,
  PI,
  sineCosine,
} from '../../../../src/answers/numeric/elementary.ts';
import { gamma } from '../../../../src/answers/numeric/gamma.ts';
import { recogniseRational } from '../../../../src/answers/numeric/recognise-rational.ts';

const RUNS = { seed: 20261130, numRuns: 200 };
const positive = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
const angle = fc.double({ min: -50, max: 50, noNaN: true });

function expectNear(a: DoubleDouble, b: DoubleDouble, tolerance: number): void {
  const gap = Math.abs(subtract(a, b).high);
  expect(gap).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(b.high)));
}

describe('double-double arithmetic', () => {
  it('undoes division by multiplication and squares its roots to 30 digits', () => {
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const [x, y] = [fromNumber(a), fromNumber(b)];
        expectNear(multiply(divide(x, y), y), x, 1e-30);
        expectNear(multiply(squareRoot(x), squareRoot(x)), x, 1e-30);
      }),
      RUNS,
    );
  });

  it('undoes exponentials by logarithms to 28 digits', () => {
    fc.assert(
      fc.property(positive, (a) => expectNear(exponential(logarithm(fromNumber(a))), fromNumber(a), 1e-28)),
      RUNS,
    );
  });

  it('has sines and cosines on the unit circle, at the angle they came from', () => {
    fc.assert(
      fc.property(angle, (a) => {
        const { sine, cosine } = sineCosine(fromNumber(a));
        expectNear(add(multiply(sine, sine), multiply(cosine, cosine)), DD_ONE, 1e-29);
        const turned = sineCosine(arcTangent(sine, cosine));
        expectNear(turned.sine, sine, 1e-29);
      }),
      RUNS,
    );
  });

  it('fulfils the functional equation of the gamma function to 24 digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 50, noNaN: true }), (a) => {
        const z = fromNumber(a);
        const ratio = divide(gamma(add(z, DD_ONE)), gamma(z));
        expectNear(ratio, z, 1e-24);
      }),
      RUNS,
    );
    expectNear(multiply(gamma(fromNumber(0.5)), gamma(fromNumber(0.5))), PI, 1e-24);
  });
});

describe('recogniseRational', () => {
  it('finds the fraction that a quotient is', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: 1, max: 9999 }), (top, bottom) => {
        const found = recogniseRational(divide(fromNumber(top), fromNumber(bottom)), 1e-30);
        expect(found === null ? null : found.num * BigInt(bottom) === BigInt(top) * found.den).toBe(true);
      }),
      RUNS,
    );
  });

  it('takes no irrational number for a fraction', () => {
    for (const value of [PI, squareRoot(fromNumber(2)), scale(PI, 1e6), exponential(fromNumber(1))]) {
      expect(recogniseRational(value, 1e-28)).toBeNull();
    }
  });
});
