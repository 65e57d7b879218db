import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../../src/config/layer.ts';
import { type LoadInput, loadConfig } from '../../../src/config/load.ts';

function load(given: Partial<LoadInput>, file = '') {
  return loadConfig({ flags: { config: 'c.yaml' }, env: {}, readFile: () => file, ...given });
}

function problemsOf(given: Partial<LoadInput>, file = ''): readonly string[] {
  const loaded = load(given, file);
  return loaded.ok ? [] : formatProblems(loaded.problems).split('\n  ').slice(1);
}

describe('the section redis', () => {
  test('is set by flags, variables and a file, the former before the latter', () => {
    const loaded = load(
      { flags: { config: 'c.yaml', redis: 'redis://flag:1' }, env: { PEERVOTE_REDIS_PREFIX: 'env:' } },
      'redis: {url: "redis://file:1", prefix: "file:", recheck_ms: 700}',
    );
    expect(loaded.ok && loaded.config.redis).toEqual({
      url: 'redis://flag:1',
      prefix: 'env:',
      recheckMs: 700,
      tls: { ca: null, cert: null, key: null },
    });
  });

  test('allows several replicas', () => {
    const flags = { replicas: '3', redis: 'rediss://redis.example:6380' };
    expect(problemsOf({ flags })).toEqual([]);
  });

  test.each([
    'redis://localhost',
    'rediss://user:pass@redis.example:6380/2',
    'redis+sentinel://a:26379,b:26379/mymaster',
    'redis+cluster://10.0.0.1:6379,10.0.0.2:6379',
  ])('takes %s', (url) => {
    expect(problemsOf({ flags: { redis: url } })).toEqual([]);
  });

  test.each(['localhost:6379', 'http://redis:6379', 'redis:6379', 'redis+ring://a:1'])(
    'refuses %s',
    (url) => {
      expect(problemsOf({ flags: { redis: url } })[0]).toMatch(
        /^--redis: redis.url: expected redis:\/\/host:port/,
      );
    },
  );

  test('says nothing of a password in what it refuses', () => {
    const [problem] = problemsOf({ env: { PEERVOTE_REDIS_URL: 'http://user:secret@redis:6379' } });
    expect(problem).toContain('it begins with none of these schemes');
    expect(problem).not.toContain('redis:6379');
    expect(problem).not.toContain('secret');
  });

  test('is not read without a URL, which is an error rather than a setting without effect', () => {
    expect(problemsOf({ flags: { redisPrefix: 'a:' } })).toEqual([
      '--redis-prefix: redis.prefix: nothing reads it without a Redis: give its URL too',
    ]);
  });

  test('has no prefix with braces, which would break the hash tags of a cluster', () => {
    const problems = problemsOf({ flags: { redis: 'redis://a', redisPrefix: 'a{b}' } });
    expect(problems[0]).toContain('--redis-prefix: redis.prefix: expected at most 64 characters');
  });

  test('names a file of TLS that cannot be read, or that holds something else', () => {
    const readFile = (path: string) => {
      if (path === 'missing.pem') throw new Error('ENOENT: no such file or directory');
      return path === 'c.yaml' ? '' : 'no PEM';
    };
    const redis = 'rediss://redis.example';
    const flags = { config: 'c.yaml', redis, redisTlsCaFile: 'missing.pem', redisTlsCertFile: 'text.pem' };
    expect(problemsOf({ flags, env: { PEERVOTE_REDIS_TLS_KEY_FILE: 'text.pem' }, readFile })).toEqual([
      '--redis-tls-ca-file: redis.tls_ca_file: cannot read "missing.pem": ENOENT: no such file or directory',
      '--redis-tls-cert-file: redis.tls_cert_file: expected a certificate as PEM in "text.pem"',
      'PEERVOTE_REDIS_TLS_KEY_FILE: redis.tls_key_file: expected an unencrypted private key as PEM in "text.pem"',
    ]);
  });

  test('has no files of TLS without TLS, and no certificate without its key', () => {
    expect(problemsOf({ flags: { redis: 'redis://a', redisTlsCaFile: 'ca.pem' } })).toEqual([
      '--redis-tls-ca-file: redis.tls_ca_file: nothing reads it without TLS: give a URL that begins with rediss',
    ]);
    expect(problemsOf({ flags: { redis: 'rediss://a', redisTlsKeyFile: 'key.pem' } })).toContain(
      '--redis-tls-key-file: redis.tls_key_file: a certificate and its key go together: give tls_cert_file too',
    );
  });
});
