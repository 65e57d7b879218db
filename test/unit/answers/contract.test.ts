import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../src/answers/canonical-key.ts';
import { grade } from '../../../src/answers/grade.ts';

interface Row {
  question: string;
  a: string;
  b: string;
  vote: boolean;
  accepted: boolean;
}

/** The rows of the contract table in docs/answers.md. */
function readContract(): Row[] {
  const page = readFileSync(new URL('../../../docs/answers.md', import.meta.url), 'utf8');
  const rows: Row[] = [];
  for (const line of page.split('\n')) {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, question, a, b, vote, accepted] = cells;
    if (cells.length !== 7 || !a?.startsWith('`') || !b?.startsWith('`')) continue;
    const unquote = (cell: string): string => cell.slice(1, -1).replaceAll('\\|', '|');
    rows.push({
      question: question ?? '',
      a: unquote(a),
      b: unquote(b),
      vote: vote === 'yes',
      accepted: accepted === 'yes',
    });
  }
  return rows;
}

describe('the contract table', () => {
  const rows = readContract();

  it('is found and has its rows', () => {
    expect(rows.length).toBeGreaterThan(80);
  });

  for (const { question, a, b, vote, accepted } of rows) {
    it(`${question}: ${a} and ${b} are ${vote ? 'one vote' : 'two votes'}, ${accepted ? '' : 'not '}accepted`, () => {
      expect(canonicalKey(a)).not.toBeNull();
      expect(canonicalKey(a) === canonicalKey(b)).toBe(vote);
      expect(grade(a, b).equal).toBe(accepted);
      expect(grade(b, a).equal).toBe(accepted);
    });
  }
});
