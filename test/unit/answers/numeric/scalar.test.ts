import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../../src/answers/canonical-key.ts';
import { parse } from '../../../../src/answers/math/parse.ts';
import { prepareAnswer } from '../../../../src/answers/math/prepare.ts';
import { evaluateScalar, type Scalar } from '../../../../src/answers/numeric/scalar.ts';
import { scalarKey } from '../../../../src/answers/numeric/scalar-key.ts';

function scalar(text: string): Scalar | null {
  const node = parse(prepareAnswer(text));
  return node === null ? null : evaluateScalar(node);
}

describe('evaluateScalar', () => {
  it('is exact for closed rational expressions', () => {
    for (const [text, key] of [
      ['\\frac{1}{3}+\\frac16', '1/2'],
      ['\\sqrt{\\frac{9}{4}}', '3/2'],
      ['\\binom{16}{2}', '120'],
      ['\\sum_{k=1}^{10} k^2', '385'],
      ['8^{2/3}', '4'],
      ['(-8)^{1/3}', '-2'],
      ['17 \\bmod 5', '2'],
      ['\\lfloor -2.5 \\rfloor', '-3'],
      ['\\max(2,7,3)', '7'],
      ['\\text{lcm}(4, 6)', '12'],
    ] as const) {
      const value = scalar(text);
      expect(value?.kind).toBe('exact');
      expect(value === null ? null : scalarKey(value)).toBe(key);
    }
  });

  it('recognises fractions that an irrational computation gives', () => {
    for (const text of [
      '\\log_8 4',
      '\\cos\\frac{\\pi}{3}+\\frac16',
      '\\sqrt{2}\\cdot\\frac{\\sqrt2}{3}',
      'e^{\\ln 2}/3',
    ]) {
      expect(scalar(text)).toEqual({ kind: 'exact', value: { num: 2n, den: 3n } });
    }
  });

  it('keeps complex numbers with exact parts', () => {
    expect(scalar('(1+2i)^2')).toEqual({
      kind: 'gaussian',
      re: { num: -3n, den: 1n },
      im: { num: 4n, den: 1n },
    });
    expect(scalar('e^{i\\pi}')).toEqual({ kind: 'exact', value: { num: -1n, den: 1n } });
  });

  it('leaves numbers to their structure that agree in 16 digits', () => {
    expect(scalar('\\sqrt{10^{20}+1}')).toBeNull();
    expect(canonicalKey('\\sqrt{10^{20}+1}')).not.toBe(canonicalKey('\\sqrt{10^{20}+2}'));
    expect(canonicalKey('\\sqrt{10^{20}+1}')).toBe(canonicalKey('\\sqrt{1+10^{20}}'));
  });

  it('keeps a term that drowns in the digits of a large value', () => {
    for (const [a, b] of [
      ['\\frac{(x^2+1)^{101}}{202}+C', '\\frac{(x^2+1)^{101}}{202}-C'],
      ['e^{50}+1', 'e^{50}'],
      ['\\pi+10^{-20}', '\\pi'],
    ] as const) {
      const keys = [a, b].map(scalar).map((value) => (value === null ? null : scalarKey(value)));
      expect(keys[0]).not.toBeNull();
      expect(keys[0]).not.toBe(keys[1]);
    }
    const [factored, expanded] = ['(x+1)^{30}(x-1)^{30}', '(x^2-1)^{30}'].map(scalar);
    expect(factored && expanded ? scalarKey(factored) === scalarKey(expanded) : null).toBe(true);
    const [power, exponential] = ['e^{50}', '\\exp(50)'].map(scalar);
    expect(power && exponential ? scalarKey(power) === scalarKey(exponential) : null).toBe(true);
  });

  it('names numbers beyond doubles by residues that have no short period', () => {
    const keys = ['2^{2000000}', '2^{2000061}', '2^{2000000}+1', '4^{1000000}'].map((text) => {
      const value = scalar(text);
      expect(value?.kind).toBe('modular');
      return value === null ? null : scalarKey(value);
    });
    expect(new Set(keys).size).toBe(3);
    expect(keys[3]).toBe(keys[0]);
  });

  it('gives a function no value where it depends on a branch', () => {
    const value = scalar('\\sqrt{x}');
    expect(value?.kind === 'function' && value.values.includes(null)).toBe(true);
  });

  it('has no value where there is none', () => {
    for (const text of ['\\frac{1}{0}', '\\ln 0', '\\tan\\frac{\\pi}{2}', '9^{9^{9^9}}'])
      expect(scalar(text)).toBeNull();
  });

  it('reads degrees inside trigonometric functions, and there alone', () => {
    for (const [a, b, equal] of [
      ['\\sin 30^\\circ', '\\frac12', true],
      ['\\sin(30)^\\circ', '\\frac12', true],
      ['\\sin 30\\text{ degrees}', '\\frac12', true],
      ['\\tan 75°', '2+\\sqrt3', true],
      ['\\sin^2(45^{\\circ}+15\\degree)', '\\frac34', true],
      ['\\sin(90^\\circ-x)', '\\cos x', true],
      ['\\sin 30', '\\sin 30^\\circ', false],
      ['90^\\circ', '90', true],
      ['\\arctan 1', '\\frac{\\pi}{4}', true],
      ['30^\\circ\\mathrm{C}', '30', true],
    ] as const)
      expect([a, canonicalKey(a) === canonicalKey(b)]).toEqual([a, equal]);
  });

  it('treats sums and definite integrals as linear, and no other bound form', () => {
    for (const [a, b, equal] of [
      ['\\sum_{k=1}^{n} 7k', '7\\sum_{j=1}^{n} j', true],
      ['\\sum_{k=1}^{n} (k+1)^2', '\\sum_{k=1}^{n} (k^2+2k)+\\sum_{k=1}^{n} 1', true],
      ['\\int_0^a 3x^2\\,dx', '3\\int_0^a t^2\\,dt', true],
      ['\\prod_{k=1}^{n} 2k', '2\\prod_{k=1}^{n} k', false],
      ['\\int x\\,dx', '\\frac1x\\int x^2\\,dx', false],
      ['\\sum_{k=1}^{n} k', '\\sum_{k=0}^{n-1} k', false],
      ['\\sum_{k=1}^{n} k', '\\frac{n(n-1)}{2}', false],
    ] as const)
      expect([a, canonicalKey(a) === canonicalKey(b)]).toEqual([a, equal]);
  });
});
