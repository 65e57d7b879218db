import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextTable } from '../../../../src/protocol/manifest/text-table.ts';

/** Few letters, so that texts contain each other and share beginnings. */
const text = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength });

describe('TextTable', () => {
  it('finds the longest texts that a text contains, as a look at every text would', () => {
    fc.assert(
      fc.property(fc.uniqueArray(text(12), { maxLength: 40 }), text(60), (texts, searched) => {
        const contained = texts.filter((one) => searched.includes(one));
        const length = Math.max(0, ...contained.map((one) => one.length));
        const found = new TextTable(texts.map((one) => ({ text: one, value: one }))).longestIn(searched);
        expect(found.map((row) => row.value).sort()).toEqual(
          contained.filter((one) => one.length === length).sort(),
        );
      }),
    );
  });

  it('gives neighbours among which is one with the longest common beginning', () => {
    const common = (a: string, b: string) => {
      let length = 0;
      while (length < a.length && a[length] === b[length]) length++;
      return length;
    };
    fc.assert(
      fc.property(fc.uniqueArray(text(12), { minLength: 1, maxLength: 40 }), text(12), (texts, other) => {
        const rows = new TextTable(texts.map((one) => ({ text: one, value: one }))).neighbours(other);
        const best = Math.max(...texts.map((one) => common(one, other)));
        expect(Math.max(...rows.map((row) => common(row.text, other)))).toBe(best);
      }),
    );
  });

  it('searches a long prompt among many texts with a common beginning without a stall', () => {
    const texts = Array.from({ length: 20_000 }, (_, i) => `Solve this problem: ${i} + ${i}`);
    const table = new TextTable(texts.map((one) => ({ text: one, value: one })));
    const started = performance.now();
    const [row] = table.longestIn(`${'Solve this problem: not known. '.repeat(2_000)}${texts[12_345]}`);
    expect(row?.value).toBe(texts[12_345]);
    // A look at every text at every place takes minutes.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
