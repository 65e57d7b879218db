import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { reportCounts } from '../test/support/closing-line.ts';

const CLIENT = resolve(import.meta.dirname, '../clients/python');

/** What each suite installs, file by file, and what it runs. The files marked so bring no packages of their own along. */
const SUITES = {
  client: { files: [['requirements-test.txt']], tests: ['tests', '--ignore=tests/trainers'] },
  trainers: {
    files: [
      ['requirements-test.txt'],
      ['requirements-trainers.txt'],
      ['requirements-trainers-alone.txt', '--no-deps'],
    ],
    tests: ['tests/trainers'],
  },
} as const;

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: CLIENT });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? `status ${status}`}`);
}

/** A virtual environment with these files installed: made once for their contents, and found again after that. */
function prepare(files: readonly (readonly string[])[]): string {
  const hash = createHash('sha256');
  for (const [file = ''] of files) hash.update(readFileSync(join(CLIENT, file)));
  const folder = join(tmpdir(), `peervote-python-${hash.digest('hex').slice(0, 12)}`);
  const python = join(folder, 'bin/python');
  if (existsSync(join(folder, 'ready'))) return python;
  rmSync(folder, { recursive: true, force: true });
  run('python3', ['-m', 'venv', folder]);
  const install = [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  for (const [file = '', ...options] of files)
    run(install[0] ?? '', [...install.slice(1), ...options, '-r', file]);
  run('touch', [join(folder, 'ready')]);
  return python;
}

/** Counts as pytest's report has them. A test that was left out has failed, where nothing may be left out. */
function readCounts(report: string): { passed: number; failed: number } {
  const text = readFileSync(report, 'utf8');
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`, 'g'))].reduce(
      (total, [, count]) => total + Number(count),
      0,
    );
  const skipped = process.env.CI ? sum('skipped') : 0;
  const failed = sum('failures') + sum('errors');
  return { passed: sum('tests') - failed - sum('skipped'), failed: failed + skipped };
}

function main(): void {
  const name = process.argv[2] === 'trainers' ? 'trainers' : 'client';
  const { files, tests } = SUITES[name];
  const folder = mkdtempSync(join(tmpdir(), 'peervote-pytest-'));
  const report = join(folder, 'report.xml');
  try {
    const python = prepare(files);
    const { status } = spawnSync(
      python,
      ['-m', 'pytest', '-q', '-W', 'ignore', '--show-capture=no', `--junitxml=${report}`, ...tests],
      { stdio: 'inherit', cwd: CLIENT, env: { ...process.env, PYTHONPATH: join(CLIENT, 'src') } },
    );
    const { passed, failed } = readCounts(report);
    const unexplained = (status !== 0 || passed === 0) && failed === 0;
    reportCounts({ passed, failed: unexplained ? 1 : failed });
    process.exitCode = failed > 0 || unexplained ? 1 : 0;
  } catch (error) {
    console.error(error);
    reportCounts({ passed: 0, failed: 1 });
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
