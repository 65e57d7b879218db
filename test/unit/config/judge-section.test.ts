import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../../src/config/layer.ts';
import { type LoadInput, loadConfig } from '../../../src/config/load.ts';

const JUDGE = 'judge: {url: "http://llm:8000/v1", model: m}';

function load(given: Partial<LoadInput>, file = '') {
  const readFile = (path: string) => {
    if (path === 'c.yaml') return file;
    if (path === 'key') return 'sk-from-file\n';
    if (path === 'two') return 'sk-1 sk-2';
    if (path === 'blank') return '\n';
    throw new Error('no such file');
  };
  return loadConfig({ flags: { config: 'c.yaml' }, env: {}, readFile, ...given });
}

function problemsOf(given: Partial<LoadInput>, file = ''): readonly string[] {
  const loaded = load(given, file);
  return loaded.ok ? [] : formatProblems(loaded.problems).split('\n  ').slice(1);
}

function judgeOf(given: Partial<LoadInput>, file = '') {
  const loaded = load(given, file);
  return loaded.ok ? loaded.config.judge : formatProblems(loaded.problems);
}

describe('the section judge', () => {
  test('is set by flags, variables and a file, the former before the latter', () => {
    const flags = { config: 'c.yaml', judgeConcurrency: '3' };
    const env = { PEERVOTE_JUDGE_MODEL: 'other', PEERVOTE_JUDGE_EXTRA_BODY: '{"top_p": 1}' };
    expect(judgeOf({ flags, env }, JUDGE)).toMatchObject({
      url: 'http://llm:8000/v1',
      model: 'other',
      concurrency: 3,
      apiKey: null,
      maxRequests: null,
      maxTokens: null,
      extraBody: { top_p: 1 },
    });
  });

  test('takes the key from a variable or a file, and shows it to nobody', () => {
    const fromEnv = load({ env: { KEY: ' sk-secret ', PEERVOTE_JUDGE_API_KEY_ENV: 'KEY' } }, JUDGE);
    if (!fromEnv.ok) throw new Error(formatProblems(fromEnv.problems));
    expect(fromEnv.config.judge?.apiKey?.reveal()).toBe('sk-secret');
    const shown = `${JSON.stringify(fromEnv)} ${inspect(fromEnv, { depth: 9 })} ${fromEnv.config.judge?.apiKey}`;
    expect(shown).not.toContain('secret');
    const fromFile = load({ flags: { config: 'c.yaml', judgeApiKeyFile: 'key' } }, JUDGE);
    expect(fromFile.ok && fromFile.config.judge?.apiKey?.reveal()).toBe('sk-from-file');
  });

  test.each([
    ['judge: {model: m}', 'c.yaml:1: judge.model: nothing reads it without a judge: give its URL too'],
    ['judge: {url: "http://h/v1"}', 'c.yaml:1: judge.url: the judge needs a model too'],
    ['judge: {url: "h:8000", model: m}', 'expected http://host:port/v1'],
    ['judge: {url: "http://user:pw@h/v1", model: m}', 'without a password in it'],
    ['judge: {url: "http://h", model: m, api_key_env: NO}', 'the environment variable NO is not set'],
    ['judge: {url: "http://h", model: m, api_key_file: no}', 'cannot read the file that it names: '],
    ['judge: {url: "http://h", model: m, api_key_file: two}', 'the file that it names holds more than a key'],
    ['judge: {url: "http://h", model: m, api_key_file: blank}', 'the file that it names is empty'],
    ['judge: {url: "http://h", model: m, api_key_file: key, api_key_env: A}', 'both are given'],
    ['judge: {url: "http://h", model: m, extra_body: "[1]"}', 'expected a JSON object, as text'],
    ['judge: {url: "http://h", model: m, api_key: sk}', 'unknown key'],
  ])('is refused where it is %s', (file, problem) => {
    expect(problemsOf({}, file)).toEqual([expect.stringContaining(problem)]);
  });
});
