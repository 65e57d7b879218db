import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../../src/answers/canonical-key.ts';
import { tokenize } from '../../../../src/answers/math/lexer.ts';
import { parse } from '../../../../src/answers/math/parse.ts';
import { prepareAnswer } from '../../../../src/answers/math/prepare.ts';

describe('parse', () => {
  it('parses an answer whole or not at all', () => {
    for (const text of [
      '5 +',
      '(1, 2',
      '\\frac{1}',
      '3 4 5',
      '\\begin{pmatrix}1&2',
      'x = = 3',
      '\\sqrt{',
      '2 ^',
    ]) {
      expect(parse(prepareAnswer(text))).toBeNull();
    }
  });

  it('reads shorthand arguments as one token each', () => {
    for (const [short, long] of [
      ['\\frac12', '\\frac{1}{2}'],
      ['\\frac 59', '\\frac{5}{9}'],
      ['\\frac9{19}', '\\frac{9}{19}'],
      ['\\frac{270}7', '\\frac{270}{7}'],
      ['\\frac\\pi4', '\\frac{\\pi}{4}'],
      ['\\frac123', '\\frac{1}{2}\\cdot 3'],
      ['\\sqrt2', '\\sqrt{2}'],
      ['\\sqrt10', '\\sqrt{10}'],
      ['\\sqrt[3]2', '\\sqrt[3]{2}'],
      ['x^10', 'x^{10}'],
      ['2^-1', '\\frac12'],
    ] as const) {
      expect(canonicalKey(short)).toBe(canonicalKey(long));
    }
  });

  it('reads plain spelling as it reads LaTeX', () => {
    for (const [plain, latex] of [
      ['sqrt(980/7)', '\\sqrt{140}'],
      ['7*sin(pi*x/5)+1', '7\\sin(\\frac{\\pi}{5}x)+1'],
      ['exp(16) - 1', 'e^{16}-1'],
      ['(5/6)pi', '\\frac{5\\pi}{6}'],
      ['x**2 >= 4', 'x^2 \\geq 4'],
      ['x != 3', 'x \\neq 3'],
      ['5!=120', '5! = 120'],
      ['√(x+1)', '\\sqrt{x+1}'],
      ['2×10³', '2000'],
      ['(-∞, 3]', '(-\\infty,3]'],
    ] as const) {
      expect(canonicalKey(plain)).toBe(canonicalKey(latex));
    }
  });

  it('applies functions to what is juxtaposed', () => {
    for (const [loose, bracketed] of [
      ['\\sin 2x \\cos x', '\\sin(2x)\\cos(x)'],
      ['\\sin x + 1', '\\sin(x)+1'],
      ['\\ln x / 2', '\\frac{\\ln(x)}{2}'],
      ['\\sin\\cos\\theta', '\\sin(\\cos(\\theta))'],
      ['\\cos^2 x', '(\\cos x)^2'],
      ['\\sin^{-1} x', '\\arcsin x'],
      ['\\log_2 xy', '\\log_2(xy)'],
      ['2\\sin(x)y', '2y\\sin(x)'],
    ] as const) {
      expect(canonicalKey(loose)).toBe(canonicalKey(bracketed));
    }
  });

  it('reads command names that JSON escaped twice', () => {
    expect(canonicalKey('\\\\frac{1}{2}')).toBe('1/2');
    expect(canonicalKey('-2 \\\\le x \\\\le 7')).toBe(canonicalKey('[-2,7]'));
    expect(canonicalKey('\\begin{pmatrix}1\\\\2\\end{pmatrix}')).toBe('mat:[1;2]');
  });

  it('tells grouping commas from separating ones', () => {
    expect(canonicalKey('1,234,567')).toBe('1234567');
    expect(canonicalKey('98,99,100,101')).toBe('{100,101,98,99}');
    expect(canonicalKey('(1,234)')).toBe('(1,234)');
    expect(canonicalKey('123, 456')).toBe('{123,456}');
    expect(canonicalKey('2\\,220')).toBe('2220');
    expect(canonicalKey('1 000')).toBe('1000');
  });

  it('limits tokens and nesting', () => {
    expect(tokenize('x+'.repeat(2000))).toBeNull();
    expect(parse(`${'('.repeat(200)}x${')'.repeat(200)}`)).toBeNull();
  });
});
