import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { reportCounts } from '../test/support/closing-line.ts';

const CLIENT = resolve(import.meta.dirname, '../clients/python');

interface Suite {
  /** Requirement files, each with the options of pip for it. One with `--no-deps` brings no packages of its own along. */
  readonly files: readonly (readonly [string, ...string[]])[];
  readonly tests: readonly string[];
  /** Run instead of tests, with what stands behind the suite's name. */
  readonly program?: string;
  /** Environment variable that names a checkout of a trainer that is no package on PyPI. */
  readonly source?: string;
}

const TEST = ['requirements-test.txt'] as const;
const TRAINERS = [
  TEST,
  ['requirements-trainers.txt'],
  ['requirements-trainers-alone.txt', '--no-deps'],
] as const;

/** CI runs the first two and Schemathesis. The others take gigabytes, minutes or a checkout, and are run by hand. */
const SUITES: Readonly<Record<string, Suite>> = {
  client: {
    files: [TEST],
    tests: ['tests', '--ignore=tests/trainers', '--ignore=tests/elsewhere'],
  },
  trainers: { files: TRAINERS, tests: ['tests/trainers'] },
  swift: { files: [TEST, ['requirements-swift.txt']], tests: ['tests/elsewhere/test_swift.py'] },
  areal: {
    files: [TEST, ['requirements-areal.txt'], ['requirements-areal-alone.txt', '--no-deps']],
    tests: ['tests/elsewhere/test_areal.py'],
  },
  schemathesis: {
    files: [['../../test/schemathesis/requirements.txt']],
    tests: [],
    program: '../../test/schemathesis/run.py',
  },
  mistakes: { files: TRAINERS, tests: [], program: 'tests/mistakes/run.py' },
  'nemo-rl': {
    files: [TEST, ['requirements-nemo-rl.txt']],
    tests: ['tests/elsewhere/test_nemo_rl.py'],
    source: 'NEMO_RL_SOURCE',
  },
  slime: { files: TRAINERS, tests: ['tests/elsewhere/test_slime.py'], source: 'SLIME_SOURCE' },
};

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: CLIENT });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? `status ${status}`}`);
}

/** A virtual environment with these files installed: made once for their contents, and found again after that. */
function prepare(files: Suite['files']): string {
  const hash = createHash('sha256');
  for (const [file] of files) hash.update(readFileSync(join(CLIENT, file)));
  const folder = join(tmpdir(), `peervote-python-${hash.digest('hex').slice(0, 12)}`);
  const python = join(folder, 'bin/python');
  if (existsSync(join(folder, 'ready'))) return python;
  rmSync(folder, { recursive: true, force: true });
  run('python3', ['-m', 'venv', folder]);
  const install = [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  for (const [file, ...options] of files)
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

/** The folders that Python imports from: our package, and the checkout that a suite asks for. */
function importPath(source: string | undefined): string {
  const ours = join(CLIENT, 'src');
  if (source === undefined) return ours;
  const checkout = process.env[source];
  if (!checkout) throw new Error(`Set ${source} to a checkout of the trainer, which is no package on PyPI.`);
  return `${ours}${delimiter}${resolve(checkout)}`;
}

function main(): void {
  const name = process.argv[2] ?? 'client';
  const folder = mkdtempSync(join(tmpdir(), 'peervote-pytest-'));
  const report = join(folder, 'report.xml');
  try {
    const suite = SUITES[name];
    if (suite === undefined) throw new Error(`No suite "${name}": ${Object.keys(SUITES).join(', ')}.`);
    const pythonPath = importPath(suite.source);
    const python = prepare(suite.files);
    if (suite.program !== undefined) {
      const env = { ...process.env, PYTHONPATH: pythonPath };
      const args = [suite.program, ...process.argv.slice(3)];
      const { status } = spawnSync(python, args, { stdio: 'inherit', cwd: CLIENT, env });
      reportCounts(status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
      process.exitCode = status === 0 ? 0 : 1;
      return;
    }
    const { status } = spawnSync(
      python,
      ['-m', 'pytest', '-q', '-W', 'ignore', '--show-capture=no', `--junitxml=${report}`, ...suite.tests],
      { stdio: 'inherit', cwd: CLIENT, env: { ...process.env, PYTHONPATH: pythonPath } },
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
