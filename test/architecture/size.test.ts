import { describe, expect, it } from 'vitest';
import { checkHouseRules } from './house-rules.ts';
import { readSources } from './source-file.ts';

describe('the rules on the size, name and shape of a file', () => {
  it('are kept by every file of the project', () => {
    // vitest takes its configuration as a default export.
    const sources = readSources().filter(({ path }) => path !== 'vitest.config.ts');
    expect(sources.map(({ path }) => path)).toContain('src/domain/vote.ts');
    expect(sources.flatMap(checkHouseRules)).toEqual([]);
  });

  it.each([
    ['src/a.ts', 'export const a = 1;\n'.repeat(301), 'has 301 lines of at most 300'],
    ['src/readModel.ts', '', 'is not kebab-case in readModel.ts'],
    ['src/httpStuff/a.ts', '', 'is not kebab-case in httpStuff'],
    ['test/unit/read_model.test.ts', '', 'is not kebab-case in read_model.test.ts'],
    ['src/vote/index.ts', 'export const a = 1;', 'is named for its place'],
    ['src/a.ts', 'export default 1;', 'a default export'],
    ['src/a.ts', "export * from './b.ts';", 'a re-export of a whole file'],
    ['src/a.ts', "export { b } from './b.ts';\nexport type { C } from './c.ts';", 'a barrel'],
    ['src/a.ts', "import { b } from './b.ts';\nexport { b };", 'a barrel'],
    ['src/a.ts', 'export enum Tie { First }', 'an enum'],
    ['src/a.ts', 'export const a = (b: any) => b;', 'any'],
    ['src/a.ts', 'export const a = (b?: string) => b!.length;', 'a non-null assertion'],
    ['src/a.ts', 'export class A { constructor(readonly b: string) {} }', 'a parameter property'],
  ])('are broken where %s holds `%.40s`', (path, text, breach) => {
    expect(checkHouseRules({ path, text })).toContainEqual(expect.stringContaining(breach));
  });

  it.each([
    ['src/a.ts', 'export const a = 1;\n'.repeat(300)],
    ['test/unit/read-model.test.ts', "import { a } from './a.ts';\na();"],
    ['src/a.ts', "export type { B } from './b.ts';\nexport const any = 'enum default';"],
  ])('are kept where %s holds `%.40s`', (path, text) => {
    expect(checkHouseRules({ path, text })).toEqual([]);
  });
});
