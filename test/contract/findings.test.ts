import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FINDINGS } from '../../src/domain/verdict/findings-table.ts';
import { readTable } from './markdown-table.ts';

describe('docs/findings.md', () => {
  const text = readFileSync(new URL('../../docs/findings.md', import.meta.url), 'utf8');

  it('lists exactly the findings there are, with severity and meaning', () => {
    const [listed] = text.split('\n## ');
    expect(readTable(listed ?? '', 'code')).toEqual(
      Object.entries(FINDINGS).map(([code, { severity, meaning }]) => [`\`${code}\``, severity, meaning]),
    );
  });

  it('has the evidence for each of them', () => {
    const [, ...sections] = text.split('\n## ');
    for (const code of Object.keys(FINDINGS)) expect(sections.join('')).toContain(`\`${code}\``);
  });
});
