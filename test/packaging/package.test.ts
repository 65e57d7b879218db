import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesBelow, NOT_OURS, PROJECT } from '../architecture/source-file.ts';

const readJson = (path: string) => JSON.parse(readFileSync(join(PROJECT, path), 'utf8'));
const manifest = readJson('package.json');

describe('the package that npm publishes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'peervote-package-'));
  const unpacked = join(folder, 'package');
  let files: string[] = [];

  beforeAll(() => {
    // Packing builds. That happens in a copy, so that it neither needs nor disturbs a dist of the checkout.
    const copy = join(folder, 'copy');
    cpSync(PROJECT, copy, { recursive: true, filter: (path) => !NOT_OURS.has(basename(path)) });
    symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copy });
    execFileSync('tar', ['-xzf', join(folder, `peervote-${manifest.version}.tgz`), '-C', folder]);
    files = filesBelow(unpacked);
    symlinkSync(join(PROJECT, 'node_modules'), join(unpacked, 'node_modules'));
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('holds what a user needs and nothing that only its makers need', () => {
    const besidesCode = files.filter((file) => !file.startsWith('dist/'));
    expect(besidesCode).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'openapi/openapi.yaml',
      'package.json',
    ]);
  });

  it('holds a compiled module or a copy for every file of src, and what the live page needs of packages', () => {
    const expected = filesBelow(join(PROJECT, 'src')).map((path) => `dist/${path.replace(/\.ts$/, '.js')}`);
    const vendored = ['uplot.js', 'uplot.css', 'uplot-license.txt'].map(
      (name) => `dist/http/live/vendor/${name}`,
    );
    expect(files.filter((file) => file.startsWith('dist/'))).toEqual([...expected, ...vendored].sort());
  });

  it('runs as a command', () => {
    const command = join(unpacked, manifest.bin.peervote);
    expect(statSync(command).mode & 0o111).not.toBe(0);
    expect(run(command, '--help')).toMatch(/^Usage: peervote/);
    expect(run(command, '--version').trim()).toBe(manifest.version);
  });
});

describe('the version', () => {
  it('is the same in package.json, its lock and the description of the API', () => {
    const lock = readJson('package-lock.json');
    const api = parse(readFileSync(join(PROJECT, 'openapi/openapi.yaml'), 'utf8'));
    expect([lock.version, lock.packages[''].version, api.info.version]).toEqual(
      Array(3).fill(manifest.version),
    );
  });
});

/** What the command prints, started by the Node that runs this test. */
function run(command: string, argument: string): string {
  return execFileSync(process.execPath, [command, argument], { encoding: 'utf8' });
}
