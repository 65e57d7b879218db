import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT, projectFiles } from './source-file.ts';
import { findTraces, pathsOfThisMachine } from './traces.ts';

describe('the files of the project', () => {
  it('name no path of the machine they were written on and no package registry', () => {
    const machinePaths = pathsOfThisMachine(PROJECT);
    const files = projectFiles().map((path) => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }));
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['package-lock.json', '.npmrc', '.ci/run']),
    );
    expect(files.flatMap((file) => findTraces(file, machinePaths))).toEqual([]);
  });

  it('lock packages by version and hash alone, so that any registry or mirror can serve them', () => {
    const lock = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'));
    const entries = Object.entries<{ resolved?: string; integrity?: string }>(lock.packages).filter(
      ([name]) => name,
    );
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(entries.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });
});

describe('a trace of a machine', () => {
  const machinePaths = pathsOfThisMachine('/home/ann/code/peervote');

  it.each([
    ['see /home/ann/code/peervote/src/a.ts', 'names /home/ann/code/peervote/'],
    ['see\n/home/ann/code/shared/data', 'a.md:2 names /home/ann/code/'],
    [`"resolved": "https://${['registry', 'npmjs', 'org'].join('.')}/zod"`, 'names the registry'],
    [`URIs: http://${['deb', 'debian', 'org'].join('.')}/debian`, 'names the registry'],
  ])('is found in `%s`', (text, breach) => {
    expect(findTraces({ path: 'a.md', text }, machinePaths)).toContainEqual(expect.stringContaining(breach));
  });

  it.each(['src/domain/vote.ts', 'https://example.org/peervote', '/home/ann and /tmp/code'])(
    'is not seen in `%s`',
    (text) => {
      expect(findTraces({ path: 'a.md', text }, machinePaths)).toEqual([]);
    },
  );

  it('is not a folder that many machines have', () => {
    expect(pathsOfThisMachine('/app')).toEqual([]);
    expect(pathsOfThisMachine('/tmp/peervote')).toEqual(['/tmp/peervote/']);
  });
});
