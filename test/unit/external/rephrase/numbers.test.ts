import { describe, expect, it } from 'vitest';
import { compareNumbers, readNumbers } from '../../../../src/external/rephrase/numbers.ts';

describe('the numbers of a text', () => {
  it.each([
    ['She has 1,000 apples at $2.50, 3/4 of them red, 20% bad', ['1000', '2.5', '3/4', '20']],
    ['twenty-five of one hundred and five, two thousand three hundred', ['25', '105', '2300']],
    [
      '3 million, 1.5 million, two-thirds, half, twice, a dozen',
      ['3000000', '1500000', '2/3', '1/2', '2', '12'],
    ],
    ['x-5, -5 degrees, 3-5, 2 - 3 and (−4)', ['5', '-5', '3', '5', '2', '3', '-4']],
    ['\\frac{1}{2} and \\dfrac12 of x^2 or 10^{5} or 1{,}000', ['1/2', '1/2', '2', '10', '5', '1000']],
    ['1,2,3 and 007 and .5', ['1', '2', '3', '7', '0.5']],
    ['five three, five and six. Twenty. Five', ['5', '3', '5', '6', '20', '5']],
    ['99999999999999999999 and 0.10', ['99999999999999999999', '0.1']],
  ])('are read from %j', (text, numbers) => {
    expect(readNumbers(text).certain).toEqual(numbers);
  });

  it('are not certain in words that may mean something else', () => {
    expect(readNumbers('No one took the first one for a second.')).toEqual({
      certain: [],
      loose: ['1', '1', '1', '2'],
    });
  });

  it.each([
    ['3 boxes of 12', 'twelve in each of three boxes'],
    ['half of 6', '1/2 of six'],
    ['1 dog', 'one dog'],
    ['1,200 people', '1200 people'],
    ['2 million', '2,000,000'],
    ['a dog and 4 cats', 'one dog and 4 cats'],
    ['2.50 dollars', '$2.5'],
  ])('are the same in %j and %j', (a, b) => {
    expect(compareNumbers(a, b)).toEqual({ missing: [], added: [] });
    expect(compareNumbers(b, a)).toEqual({ missing: [], added: [] });
  });

  it.each([
    ['3 boxes of 12', '3 boxes of 21', ['12'], ['21']],
    ['5 and 5', '5', ['5'], []],
    ['5', 'five and 5', [], ['5']],
    ['three cats', 'four cats', ['3'], ['4']],
    ['twice as old', 'half as old', ['2'], ['1/2']],
    ['-5 degrees', '5 degrees', ['-5'], ['5']],
    ['1 dog', 'the dog', ['1'], []],
    ['0.5', '5', ['0.5'], ['5']],
  ])('differ between %j and %j', (a, b, missing, added) => {
    expect(compareNumbers(a, b)).toEqual({ missing, added });
  });
});
