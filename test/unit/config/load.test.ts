import { describe, expect, test } from 'vitest';
import type { FlagValues } from '../../../src/config/flags.ts';
import { formatProblems } from '../../../src/config/layer.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Config } from '../../../src/config/schema.ts';

interface Given {
  readonly flags?: FlagValues;
  readonly env?: Readonly<Record<string, string>>;
  /** Text of `c.yaml`, which `--config` then names. */
  readonly file?: string;
}

function load({ flags = {}, env = {}, file }: Given) {
  const named = file === undefined ? flags : { config: 'c.yaml', ...flags };
  return loadConfig({ flags: named, env, readFile: fileSystem({ 'c.yaml': file ?? '' }) });
}

function fileSystem(files: Readonly<Record<string, string>>) {
  return (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error('ENOENT: no such file or directory');
    return text;
  };
}

function configOf(given: Given): Config {
  const loaded = load(given);
  if (!loaded.ok) throw new Error(formatProblems(loaded.problems));
  return loaded.config;
}

/** Problems as `source: path: message`. */
function problemsOf(given: Given): readonly string[] {
  const loaded = load(given);
  return loaded.ok ? [] : formatProblems(loaded.problems).split('\n  ').slice(1);
}

describe('the configuration', () => {
  test('of nothing is every default, and no cohort', () => {
    expect(configOf({})).toEqual({
      server: {
        host: '127.0.0.1',
        port: 8_080,
        bodyLimitBytes: 64 * 1_024 * 1_024,
        maxWaitMs: 110_000,
        openrlhfHoldMs: 170_000,
        slimeHoldMs: 110_000,
        slimeHeldPerAgent: 48,
        replicas: 1,
        logLevel: 'info',
        keepAliveTimeoutMs: 75_000,
        uploadTimeoutMs: 120_000,
        drainTimeoutMs: 10_000,
        maxCohorts: 1_000,
        tokensFile: null,
        tokens: null,
        openAccess: false,
        allowedHosts: [],
        metricsPort: null,
        maxConnections: 20_000,
        requestsPerSecond: 0,
      },
      redis: null,
      judge: null,
      code: {
        workers: 2,
        timeoutMs: 4_000,
        memoryBytes: 268_435_456,
        outputBytes: 65_536,
        queuePrograms: 10_000,
        unify: true,
        sandboxUrl: null,
      },
      cohorts: [],
    });
  });

  test('takes a flag before the environment, that before the file, and that before the default', () => {
    const file = 'server: {port: 1, host: "::", max_cohorts: 3, log_level: warn}';
    const env = {
      PEERVOTE_SERVER_PORT: '2',
      PEERVOTE_SERVER_HOST: '0.0.0.0',
      PEERVOTE_SERVER_OPEN_ACCESS: 'true',
    };
    const { server } = configOf({ file, env, flags: { port: '3' } });
    expect(server).toMatchObject({ port: 3, host: '0.0.0.0', maxCohorts: 3, logLevel: 'warn', replicas: 1 });
  });

  test('has the cohorts of the file and the one made from flags', () => {
    const file = 'cohorts:\n  math: {agents: [a, b]}\n  code: {agents: [c], method: ttrl}';
    const { cohorts } = configOf({ file, flags: { agents: 'qwen,llama', k: '4' } });
    expect(cohorts.map(({ name }) => name)).toEqual(['math', 'code', 'default']);
    expect(cohorts[2]?.agents.map(({ name, k }) => [name, k])).toEqual([
      ['qwen', 4],
      ['llama', 4],
    ]);
  });

  test('may be JSON, also with tabs', () => {
    const file =
      '{\n\t"server": {"port": 9},\n\t"cohorts": {"m": {"agents": ["a", {"name": "b", "k": 2}]}}\n}';
    const { server, cohorts } = configOf({ file });
    expect([server.port, cohorts[0]?.agents[1]?.k]).toEqual([9, 2]);
  });

  test('is found by PEERVOTE_CONFIG where no flag names a file', () => {
    const readFile = fileSystem({ 'a.yaml': 'server: {port: 1}', 'b.yaml': 'server: {port: 2}' });
    const env = { PEERVOTE_CONFIG: 'a.yaml' };
    expect(loadConfig({ flags: {}, env, readFile })).toMatchObject({ config: { server: { port: 1 } } });
    const flags = { config: 'b.yaml' };
    expect(loadConfig({ flags, env, readFile })).toMatchObject({ config: { server: { port: 2 } } });
  });

  test('of an empty file, or of sections with everything commented out, is the default', () => {
    for (const file of ['', '# nothing', 'server:\ncohorts:\n'])
      expect(configOf({ file })).toEqual(configOf({}));
  });
});

describe('flags about a cohort of the file', () => {
  const file = 'cohorts:\n  math: {agents: [a, b], k: 4, answers: {mode: boxed}}';

  test('change what they name and leave the rest', () => {
    const [math] = configOf({ file, flags: { cohort: 'math', k: '16' } }).cohorts;
    expect(math).toMatchObject({ agents: [{ name: 'a', k: 16 }, { k: 16 }], answers: { mode: 'boxed' } });
  });

  test('are reported as the source of what they break, and the file of the rest', () => {
    const broken = 'cohorts:\n  math:\n    agents: [a, b]\n    k: 4\n    tie: first';
    expect(problemsOf({ file: broken, flags: { cohort: 'math', quorum: '5' } })).toEqual([
      expect.stringMatching(/^c\.yaml:5: cohorts\.math\.tie: unknown key/),
      "--quorum: cohorts.math.quorum: must not exceed any agent's k: it is 5, but a has k 4, b has k 4",
    ]);
  });

  test('need --agents where the file has no such cohort', () => {
    const need = 'needs --agents to make a cohort, since the file has no cohort "default" to change';
    expect(problemsOf({ file, flags: { k: '8', mode: 'raw' } })).toEqual([`--k: ${need}`, `--mode: ${need}`]);
    expect(problemsOf({ flags: { cohort: 'x' } })).toEqual([
      expect.stringMatching(/^--cohort: needs --agents/),
    ]);
  });
});

describe('problems', () => {
  test('come all at once, each with the place that set the value', () => {
    const file = [
      'server:',
      '  port: 70000',
      '  hots: x',
      'extra: 1',
      'cohorts:',
      '  math:',
      '    agents:',
      '      - a',
      '      - {name: b, k: 0}',
      '  empty:',
      '  "b d": {agents: [a, b]}',
    ].join('\n');
    const env = { PEERVOTE_SERVER_PROT: '1', PEERVOTE_SERVER_LOG_LEVEL: 'loud' };
    const problems = problemsOf({ file, env, flags: { port: 'http', agents: 'a', k: 'x' } });
    expect(problems.map((problem) => problem.split(/: |; /).slice(0, 2).join(': '))).toEqual([
      'PEERVOTE_SERVER_PROT: unknown variable',
      'c.yaml:4: extra',
      '--port: server.port',
      'PEERVOTE_SERVER_LOG_LEVEL: server.log_level',
      'c.yaml:2: server.port',
      'c.yaml:3: server.hots',
      'c.yaml:9: cohorts.math.agents[1].k',
      'c.yaml:10: cohorts.empty',
      'c.yaml:11: cohorts["b d"]',
      '--k: cohorts.default.k',
      '--agents: cohorts.default.agents',
    ]);
  });

  test('more than one replica is refused on the embedded store', () => {
    const message =
      'server.replicas: more than one replica needs --redis, since the embedded store is the memory of one process; got 2';
    expect(problemsOf({ flags: { replicas: '2' } })).toEqual([`--replicas: ${message}`]);
    expect(problemsOf({ env: { PEERVOTE_SERVER_REPLICAS: '2' } })).toEqual([
      `PEERVOTE_SERVER_REPLICAS: ${message}`,
    ]);
    expect(problemsOf({ file: 'server:\n  replicas: 2' })).toEqual([`c.yaml:2: ${message}`]);
    expect(problemsOf({ file: 'server:\n  replicas: 2', flags: { replicas: '1' } })).toEqual([]);
    expect(problemsOf({ flags: { replicas: '0' } })).toEqual([
      '--replicas: server.replicas: expected a whole number from 1 to 1000, got 0',
    ]);
  });

  test('more cohorts than max_cohorts are refused', () => {
    const file = 'cohorts:\n  x: {agents: [a, b]}\n  y: {agents: [a, b]}';
    expect(problemsOf({ file, flags: { maxCohorts: '1' } })).toEqual([
      '--max-cohorts: server.max_cohorts: there are 2 cohorts in the configuration, more than max_cohorts (1)',
    ]);
    expect(problemsOf({ file, flags: { maxCohorts: '2' } })).toEqual([]);
  });

  test('a file that cannot be read is reported under what named it, and once', () => {
    expect(problemsOf({ flags: { config: 'no.yaml', k: '8' } })).toEqual([
      '--config: cannot read "no.yaml": ENOENT: no such file or directory',
    ]);
    expect(problemsOf({ env: { PEERVOTE_CONFIG: 'no.yaml' } })).toEqual([
      expect.stringMatching(/^PEERVOTE_CONFIG: cannot read "no\.yaml"/),
    ]);
    expect(problemsOf({ flags: { config: '' } })).toEqual([
      expect.stringMatching(/^--config: cannot read ""/),
    ]);
  });

  test.each([
    ['server: {port: 1}\ncohorts: [', /^c\.yaml:2: /],
    ['server: {port: 1, port: 2}', /^c\.yaml:1: Map keys must be unique/],
    ['server: {}\n---\nserver: {}', /^c\.yaml:2: expected one document/],
    ['server: *nowhere', /^c\.yaml: Unresolved alias/],
    ['- 1', /^c\.yaml:1: expected an object with server, redis, judge, code, cohorts, got a list of 1/],
    ['- 1', /^c\.yaml:1: expected an object with server, redis, judge, code, cohorts, got a list of 1/],
    ['server: 1', /^c\.yaml:1: server: expected an object, got 1/],
    ['cohorts: [a]', /^c\.yaml:1: cohorts: expected an object, got a list of 1/],
  ])('a file that is none is one problem with its line: %j', (file, problem) => {
    expect(problemsOf({ file })).toEqual([expect.stringMatching(problem)]);
  });

  test('point through aliases to the place that they stand for', () => {
    const file = 'cohorts:\n  x: &x\n    agents: [a, b]\n    k: 0\n  y: *x';
    expect(problemsOf({ file }).map((problem) => problem.split(': ')[0])).toEqual(['c.yaml:4', 'c.yaml:4']);
  });

  test('an alias that contains itself is a problem like any other', () => {
    expect(problemsOf({ file: 'cohorts: &c\n  x: *c' })).not.toEqual([]);
    expect(problemsOf({ file: 'cohorts:\n  x:\n    agents: [a, b]\n    k: &k [*k]' })).toEqual([
      'c.yaml:4: cohorts.x.k: expected a whole number from 1 to 4096, got a list of 1',
    ]);
  });
});

describe('problems in a terminal', () => {
  test('are one line each under a heading that counts them', () => {
    const one = { source: '--port', path: 'server.port', message: 'expected a port' };
    const two = { source: 'PEERVOTE_X', path: '', message: 'unknown variable' };
    expect(formatProblems([])).toBe('');
    expect(formatProblems([one])).toBe(
      'The configuration has a problem:\n  --port: server.port: expected a port',
    );
    expect(formatProblems([one, two])).toBe(
      'The configuration has 2 problems:\n  --port: server.port: expected a port\n  PEERVOTE_X: unknown variable',
    );
  });
});
