import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../../src/answers/canonical-key.ts';
import { grade } from '../../../../src/answers/grade.ts';

function expectVotes(pairs: ReadonlyArray<readonly [a: string, b: string, same: boolean]>): void {
  for (const [a, b, same] of pairs) expect([a, b, canonicalKey(a) === canonicalKey(b)]).toEqual([a, b, same]);
}

describe('functions in pieces', () => {
  it('are no vote with one of their pieces, however far away the other is', () => {
    expectVotes([
      ['|x-3|', '3-x', false],
      ['|x-3|', 'x-3', false],
      ['|x-1000y|', '1000y-x', false],
      ['\\max(x,100)', '100', false],
      ['\\max(x,-10^9)', 'x', false],
      ['\\max(x,-10^9)', '\\max(x,-10^8)', false],
      ['|t-8|+|t+8|', '16', false],
      ['\\ln|x-3|', '\\ln(3-x)', false],
      ['\\text{sgn}(x)', '1', false],
      ['|\\cos x|+x', '\\cos x+x', false],
      ['\\sqrt{x^2-6x+9}', '3-x', false],
      ['||x|-3|', '|x-3|', false],
      ['\\max(x,y,z)', '\\max(x,z)', false],
      ['|f(x)|', 'f(x)', false],
      ['|x|', '|y|', false],
      ['\\sum_{k=1}^n |k-3|', '\\sum_{k=1}^n (3-k)', false],
    ]);
  });

  it('are one vote in every spelling', () => {
    expectVotes([
      ['|x-3|', '|3-x|', true],
      ['|x-3|', '\\max(x-3,3-x)', true],
      ['|x-3|', '\\sqrt{(x-3)^2}', true],
      ['|x-3|', '\\sqrt{x^2-6x+9}', true],
      ['|x-3|', '((x-3)^2)^{1/2}', true],
      ['|x|^2', 'x^2', true],
      ['|x^2-4|', '|x-2||x+2|', true],
      ['|xy|', '|x||y|', true],
      ['\\max(a,b)+\\min(a,b)', 'a+b', true],
      ['\\max(x,y)', '\\frac{x+y+|x-y|}{2}', true],
      ['\\min(\\max(x,0),1)', '\\max(\\min(x,1),0)', true],
      ['|\\sin x\\cos x|', '\\frac12|\\sin 2x|', true],
      ['e^{|x|}', '\\max(e^x,e^{-x})', true],
      ['-\\ln|\\cos x|+C', '\\ln|\\sec x|+C', true],
      ['\\sqrt{x^3}', 'x\\sqrt x', true],
      ['|e^x|', 'e^x', true],
    ]);
  });

  it('show a square under a root or in a logarithm, however it is spelled', () => {
    expectVotes([
      ['\\sqrt{1-\\sin^2 x}', '\\cos x', false],
      ['\\sqrt{1-\\sin^2 x}', '|\\cos x|', true],
      ['\\sqrt{1+\\tan^2 x}', '\\sec x', false],
      ['\\sqrt{e^{2x}-2e^{x+3}+e^6}', 'e^3-e^x', false],
      ['\\sqrt{e^{2x}}', 'e^x', true],
      ['\\sqrt{\\ln^2 x-18\\ln x+81}', '9-\\ln x', false],
      ['\\sqrt{\\ln^2 x+24\\ln x+144}', '12+\\ln x', false],
      ['\\sqrt{e^{2x}-2000e^x+10^6}', '1000-e^x', false],
      ['\\sqrt{x-100\\sqrt x+2500}', '50-\\sqrt x', false],
      ['\\sqrt{2^{2x}-2^{x+7}+4096}', '64-2^x', false],
      ['\\sqrt{e^{2x}+2e^x+1}', 'e^x+1', true],
      ['\\sqrt{\\sin^2 x-4\\sin x+4}', '2-\\sin x', true],
      ['\\ln(x^2-6x+9)', '2\\ln(3-x)', false],
      ['\\ln(x^2-6x+9)', '2\\ln|x-3|', true],
      ['\\ln|x-3|+\\ln|2x-6|', '\\ln(3-x)+\\ln(6-2x)', false],
      ['\\sqrt{x^4-12x^3+54x^2-108x+81}', '(x-3)^2', true],
      ['\\sqrt[4]{x^4-8x^3+24x^2-32x+16}', '|x-2|', true],
      ['|\\max(-1,x)|', '-\\max(-1,x)', false],
    ]);
  });

  it('are told apart where angles fold back, and where a kink lies outside of the domain', () => {
    expectVotes([
      ['\\arcsin(\\sin x)', 'x', false],
      ['\\arctan(\\tan x)', 'x', false],
      ['\\arctan\\frac{\\sin x}{\\cos x}', '\\arctan(\\tan x)', true],
      ['|x-3|+\\ln(x-5)', '3-x+\\ln(x-5)', false],
      ['|x|\\ln x', 'x\\ln x', true],
      ['e^{-1000}', '0', false],
      ['59^6+x=3+y', '59^6+x=13+y', false],
    ]);
  });

  it('keep their spelling where no line shows a change of sign', () => {
    expectVotes([
      ['|\\sin x+0.9999|', '\\sin x+0.9999', false],
      ['|(x-5)^2+(y-5)^2-1|', '(x-5)^2+(y-5)^2-1', false],
      ['|\\sqrt{x}-20|', '20-\\sqrt x', false],
    ]);
    expect(canonicalKey('|\\sin x+0.9999|')).toBe(canonicalKey('\\left|\\sin(x)+0.9999\\right|'));
  });

  it('are accepted for a function of positive values only where they change at zero alone', () => {
    expect(grade('\\ln|x|+C', '\\ln x+C').equal).toBe(true);
    expect(grade('|\\sqrt{x}-2|', '2-\\sqrt x').equal).toBe(false);
  });

  it('tell equations and inequalities apart', () => {
    expectVotes([
      ['|x|+|y|=5', 'x+y=5', false],
      ['|x|+|y|=5', '2|y|+2|x|=10', true],
      ['|x-3|+y<5', '3-x+y<5', false],
      ['\\frac{|x|}{2}<3', 'x<6', false],
      ['2|x|+1<7', '-3<x<3', true],
      ['|x-30|-x>-40', 'x<35', false],
      ['\\lfloor x\\rfloor\\le 3', 'x\\le 3', false],
    ]);
  });
});

describe('functions with steps', () => {
  it('are compared at whole, large and broken numbers', () => {
    expectVotes([
      ['\\lceil\\frac{n}{2}\\rceil', '\\lfloor\\frac{n}{2}\\rfloor+1', false],
      ['\\lfloor\\frac{n}{100}\\rfloor', '0', false],
      ['\\lfloor\\frac{n}{10^{10}}\\rfloor', '0', false],
      ['\\lfloor\\frac{n+1}{1000}\\rfloor', '\\lfloor\\frac{n}{1000}\\rfloor', false],
      ['\\lfloor x\\rfloor', 'x', false],
      ['\\lfloor x+0.01\\rfloor', '\\lfloor x\\rfloor', false],
      ['|\\lfloor x\\rfloor|', '\\lfloor x\\rfloor', false],
      ['\\sum_{k=1}^n\\lfloor k/2\\rfloor', '0', false],
      ['\\lfloor x+1\\rfloor', '\\lfloor x\\rfloor+1', true],
      ['\\lceil x\\rceil', '-\\lfloor -x\\rfloor', true],
      ['n\\bmod 5', 'n-5\\lfloor n/5\\rfloor', true],
      ['\\lfloor\\frac{n}{2}\\rfloor-\\lfloor\\frac{2n}{4}\\rfloor', '0', true],
    ]);
  });

  it('take whole numbers for the letters that stand for them', () => {
    expectVotes([
      ['\\lceil\\frac{n}{2}\\rceil', '\\lfloor\\frac{n+1}{2}\\rfloor', true],
      ['n-\\lfloor n/2\\rfloor', '\\lceil n/2\\rceil', true],
      ['\\lceil\\frac{n}{100}\\rceil', '\\lfloor\\frac{n+99}{100}\\rfloor', true],
      ['\\lceil\\frac{x}{2}\\rceil', '\\lfloor\\frac{x+1}{2}\\rfloor', false],
    ]);
  });
});
