import { describe, expect, it } from 'vitest';
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

  it('tells numbers apart that agree in 16 digits', () => {
    const [a, b] = ['\\sqrt{10^{20}+1}', '\\sqrt{10^{20}}'].map(scalar);
    expect(a && b ? scalarKey(a) === scalarKey(b) : null).toBe(false);
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
});
