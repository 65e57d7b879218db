import { Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { configFromFlags, SERVE_FLAGS } from '../../../src/config/flags.ts';
import { serverConfigSchema } from '../../../src/config/schema.ts';

describe('flags', () => {
  test('--agents makes a cohort called default, from a list, from repeats, or from both', () => {
    const agents = ['qwen', 'llama', 'gemma'];
    for (const written of ['qwen,llama,gemma', 'qwen, llama ,gemma', ['qwen,llama', 'gemma'], agents]) {
      const layer = configFromFlags({ agents: written, k: '8' });
      expect(Object.fromEntries(layer.cohorts)).toEqual({ default: { agents, k: 8 } });
      expect(layer.cohort).toMatchObject({ name: 'default', makes: true });
    }
  });

  test('--cohort names it', () => {
    const { cohorts } = configFromFlags({ agents: 'a,b', cohort: 'math' });
    expect([...cohorts.keys()]).toEqual(['math']);
  });

  test('set every setting of a cohort that they can', () => {
    const { cohorts, problems } = configFromFlags({
      agents: 'a,b',
      k: '4',
      method: 'co-rl',
      supervision: 'ring',
      ring: 'successor',
      mode: 'boxed',
      barrier: 'last-label',
      reasoning: 'none',
      fallback: 'last',
      maxStaleness: '2',
      deadlineMs: '60000',
      quorum: '3',
      graceMs: '500',
    });
    expect(problems).toEqual([]);
    expect(cohorts.get('default')).toEqual({
      agents: ['a', 'b'],
      k: 4,
      method: 'co-rl',
      supervision: 'ring',
      ring: 'successor',
      answers: { mode: 'boxed', reasoning: 'none', fallback: 'last' },
      barrier: 'last-label',
      max_staleness: 2,
      deadline_ms: 60_000,
      quorum: 3,
      grace_ms: 500,
    });
  });

  test('reach every server setting', () => {
    const flags = SERVE_FLAGS.filter(({ sets }) => sets.section === 'server');
    // All but the one that is a secret.
    expect(flags).toHaveLength(Object.keys(serverConfigSchema.shape).length - 1);
    expect(configFromFlags({ bodyLimit: '1048576', logLevel: 'warn', host: '::' }).server).toEqual({
      body_limit_bytes: 1_048_576,
      log_level: 'warn',
      host: '::',
    });
  });

  test('are unique and described, and their attribute is the one that the command-line parser derives', () => {
    expect(new Set(SERVE_FLAGS.map(({ flag }) => flag)).size).toBe(SERVE_FLAGS.length);
    expect(new Set(SERVE_FLAGS.map(({ attribute }) => attribute)).size).toBe(SERVE_FLAGS.length);
    for (const { flag, argument, attribute, description } of SERVE_FLAGS) {
      expect(new Option(`${flag} ${argument}`).attributeName()).toBe(attribute);
      expect(flag).toMatch(/^--[a-z]+(-[a-z]+)*$/);
      expect(description).not.toBe('');
    }
  });

  test('the last of a repeated flag wins', () => {
    expect(configFromFlags({ port: ['1', '2'] }).server).toEqual({ port: 2 });
  });

  test('none set nothing', () => {
    const layer = configFromFlags({ port: undefined });
    expect(layer).toMatchObject({ server: {}, problems: [], file: null, cohort: null });
    expect(layer.cohorts.size).toBe(0);
  });

  test('an unknown one is a problem', () => {
    expect(configFromFlags({ maxAge: '1' }).problems).toEqual([
      { source: '--max-age', path: '', message: 'unknown flag' },
    ]);
  });
});
