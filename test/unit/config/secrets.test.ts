import { describe, expect, it } from 'vitest';
import type { FlagValues } from '../../../src/config/flags.ts';
import { formatProblems } from '../../../src/config/layer.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { Redaction } from '../../../src/observability/redaction.ts';

const SECRET = 'hunter2-Q9zx';

interface Place {
  readonly flags?: FlagValues;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

function complaint({ flags = {}, env = {}, files = {} }: Place): string {
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
    return text;
  };
  const loaded = loadConfig({ flags, env, readFile });
  return loaded.ok ? '' : new Redaction().clean(formatProblems(loaded.problems));
}

const file = (text: string): Place => ({ flags: { config: 'c.yaml' }, files: { 'c.yaml': text } });

/** Redis URLs that cannot be read, and what the message says to do. */
const URLS = [
  [`redis://:a ${SECRET}@host`, '%20'],
  [`user:${SECRET}@host:6379`, 'none of these schemes'],
  [SECRET, 'none of these schemes'],
  [`http://u:${SECRET}@host`, 'none of these schemes'],
  [`redis:/u:${SECRET}@host`, 'none of these schemes'],
  [` redis://u:${SECRET}@host`, 'none of these schemes'],
  [`redis://u:x/${SECRET} @host`, '%2F'],
  [`redis://u:${SECRET}@ @host`, '%40'],
] as const;

describe('a configuration with a secret in it', () => {
  it.each(URLS)('does not show a Redis URL that cannot be read, and says what to encode: %s', (url, hint) => {
    for (const place of [
      { flags: { redis: url } },
      { env: { PEERVOTE_REDIS_URL: url } },
      file(`redis: {url: ${JSON.stringify(url)}}`),
    ]) {
      const said = complaint(place);
      expect(said).toContain(hint);
      expect(said).toContain('redis.url');
      expect(said).not.toContain(SECRET);
    }
  });

  it.each<[string, Place]>([
    ['a section', file(`redis: "redis://:${SECRET}@host"`)],
    ['a section with a space', file(`redis: "redis://:x ${SECRET}@host"`)],
    ['the whole file', file(`redis://u:${SECRET}@host`)],
    ['another setting', { flags: { port: `redis://u:${SECRET}@host` } }],
    ['another setting without a scheme', { env: { PEERVOTE_SERVER_PORT: `u:${SECRET}@host` } }],
    ['the name of a variable', { env: { PEERVOTE_JUDGE_API_KEY_ENV: SECRET, ...judge() } }],
    [
      'the name of a variable that could be one',
      { env: { PEERVOTE_JUDGE_API_KEY_ENV: 'hunter2Q9zx', ...judge() } },
    ],
    ['the name of a file', { env: { PEERVOTE_JUDGE_API_KEY_FILE: SECRET, ...judge() } }],
    [
      'a key with more beside it',
      { env: { PEERVOTE_JUDGE_API_KEY_FILE: './key', ...judge() }, files: { './key': `${SECRET}\nmore` } },
    ],
    [
      'the URL of the judge',
      { env: { PEERVOTE_JUDGE_URL: `http://u:${SECRET}@host`, PEERVOTE_JUDGE_MODEL: 'm' } },
    ],
    ['further keys for the judge', { env: { PEERVOTE_JUDGE_EXTRA_BODY: `{"key":"${SECRET}"`, ...judge() } }],
    ['the URL of the sandbox', { env: { PEERVOTE_CODE_SANDBOX_URL: `u:${SECRET}@host` } }],
    [
      'the URL of the sandbox with a space',
      { env: { PEERVOTE_CODE_SANDBOX_URL: `http://u:x ${SECRET}@host` } },
    ],
    ['tokens that are an object', file(`server: {tokens: {admin: ${SECRET}}}`)],
    ['tokens that are a list', file(`server: {tokens: [${SECRET}]}`)],
    ['an alias of YAML', file(`server: {tokens: *${SECRET}}`)],
    ['quotes of YAML', file(`redis: {url: "redis://u:"${SECRET}@host"}`)],
    ['an escape of YAML', file(`redis: {url: "redis://u:\\q${SECRET}@host"}`)],
    ['a tab of YAML', file(`redis:\n\turl: redis://u:${SECRET}@host`)],
    ['a key of YAML', file(`redis: {"redis://u:${SECRET}@host": 1}`)],
    ['the path of the configuration', { flags: { config: `redis://u:${SECRET}@host` } }],
  ])('shows nothing of it where it stands in the place of %s', (_, place) => {
    const said = complaint(place);
    expect(said).not.toBe('');
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain('hunter2');
  });
});

function judge() {
  return { PEERVOTE_JUDGE_URL: 'http://h', PEERVOTE_JUDGE_MODEL: 'm' };
}
