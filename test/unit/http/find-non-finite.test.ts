import { describe, expect, it } from 'vitest';
import { findNonFinite } from '../../../src/http/find-non-finite.ts';

describe('findNonFinite', () => {
  it.each([
    ['NaN', 'NaN', 0],
    ['[1, -Infinity]', '-Infinity', 4],
    ['{"a":"NaN","b":Infinity}', 'Infinity', 15],
    ['{"a":"\\"","b":NaN}', 'NaN', 14],
    ['{"a":"\\\\","b":NaN}', 'NaN', 14],
    ['{"a":"\\\\\\"NaN","b":NaN}', 'NaN', 19],
  ])('finds the first outside a string in %s', (text, token, at) => {
    expect(findNonFinite(text)).toEqual({ token, at });
  });

  it.each(['', '{}', '{"NaN":"Infinity"}', '{"a":"NaN', '"\\"NaN\\""', 'NaNs', 'xInfinity', '{"a":1}'])(
    'finds none in %s',
    (text) => {
      expect(findNonFinite(text)).toBeNull();
    },
  );

  it('reads strings of any length', () => {
    const text = `{"a":"${'x\\"'.repeat(10_000_000)}","b":NaN}`;
    expect(findNonFinite(text)).toEqual({ token: 'NaN', at: text.length - 4 });
  });
});
