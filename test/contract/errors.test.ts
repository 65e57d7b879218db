import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/domain/errors.ts';
import { PROBLEMS } from '../../src/protocol/problem.ts';
import { readTable } from './markdown-table.ts';

const rows = readTable(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8'), 'code');

describe('docs/errors.md', () => {
  it('lists exactly the errors there are, in their order, with status and whether to retry', () => {
    expect(rows.map(([code, status, retry]) => [code, status, retry])).toEqual(
      ERROR_CODES.map((code) => {
        const { status, retryable } = PROBLEMS[code];
        return [`\`${code}\``, String(status), retryable ? 'yes' : 'no'];
      }),
    );
  });

  it('says of each what it means and what to do, in sentences', () => {
    for (const [code, , , meaning, remedy] of rows) {
      expect([code, meaning]).toEqual([code, expect.stringMatching(/^[A-Z`].+\.$/)]);
      expect([code, remedy]).toEqual([code, expect.stringMatching(/^[A-Z`].+\.$/)]);
    }
  });
});

describe('the table of problems', () => {
  it('asks to retry what is not the fault of the request, and nothing else', () => {
    for (const code of ERROR_CODES) {
      const { status, retryable } = PROBLEMS[code];
      expect([code, retryable]).toEqual([code, status >= 500 || status === 408]);
    }
  });

  it('has a title of its own for each', () => {
    const titles = Object.values(PROBLEMS).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
