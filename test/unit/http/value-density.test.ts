import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDense } from '../../../src/http/value-density.ts';

const WEIGHTS: Readonly<Record<string, number>> = { ',': 24, ':': 24, '[': 64, '{': 64 };

/** The same, one character after the other. */
function weigh(text: string): number {
  let weight = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (isInString && character === '\\') at++;
    else if (character === '"') isInString = !isInString;
    else if (!isInString) {
      weight += WEIGHTS[character] ?? 0;
      if (/^, ?[-0-9]/.test(text.slice(at, at + 3))) weight -= 16;
    }
  }
  return weight;
}

const weighs = (text: string, weight: number) => {
  const bytes = Buffer.from(text);
  expect(isDense(bytes, weight)).toBe(false);
  if (weight > 0) expect(isDense(bytes, weight - 1)).toBe(true);
};

describe('the values of a body', () => {
  it.each([
    ['[0,0,0]', 64 + 16],
    ['{"a":[{}]}', 64 + 24 + 64 + 64],
    ['"[[[["', 0],
    [`"${'x'.repeat(100)}\\"[[["`, 0],
    [`"${'x'.repeat(100)}\\\\",[`, 24 + 64],
    [`"${'\\"'.repeat(200)}",[`, 24 + 64],
    ['["4","4"]', 64 + 24],
    ['[0.5, -1, .5, null,  7]', 64 + 8 + 24 + 24 + 24],
    ['"never closed [[[[', 0],
    [`"never closed ${'['.repeat(200)}\\`, 0],
    ['"é, ü, 漢, 😀"', 0],
  ])('are weighed outside of its strings alone: %s', (text, weight) => weighs(text, weight));

  it('are weighed the same, whatever the text', () => {
    const piece = fc.constantFrom(
      '0',
      '-',
      ' ',
      '"',
      '\\',
      '\\"',
      '\\\\',
      ',',
      ':',
      '[',
      '{',
      'x',
      'é',
      'x'.repeat(70),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const weight = weigh(text);
        weighs(text, weight);
      }),
      { numRuns: 500 },
    );
  });
});
