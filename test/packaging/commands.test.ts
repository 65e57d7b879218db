import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT } from '../architecture/source-file.ts';

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json'));

describe('the commands that people are told to type', () => {
  it('are the two that set up and run everything', () => {
    const readme = read('README.md');
    expect(readme).toContain('npm ci && npm run quickstart');
    expect(readme).toContain('npm ci && npm run check');
  });

  it('are the ones that continuous integration runs', () => {
    expect(read('.ci/run')).toContain("bash -c 'npm ci && npm run check'");
  });

  it.each(['README.md', 'CONTRIBUTING.md', '.ci/run'])('exist wherever %s names one', (path) => {
    const named = [...read(path).matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('start files that exist', () => {
    const files = Object.values<string>(scripts).flatMap((command) => command.match(/\S+\/\S+\.ts/g) ?? []);
    expect(files).toContain('src/cli/main.ts');
    expect(files.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
  });
});
