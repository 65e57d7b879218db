import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { parseTokens } from '../../../src/config/tokens-schema.ts';

const problemsOf = (env: Record<string, string>, flags = {}) => {
  const loaded = loadConfig({ flags, env, readFile: () => '' });
  return loaded.ok ? [] : loaded.problems.map(({ source, message }) => `${source}: ${message}`);
};
const TOKENS = 'admin: an-admin-token-of-ours';

describe('a server that other machines reach', () => {
  it.each(['0.0.0.0', '::', '10.0.0.3', 'gpu-node-7'])(
    'at %s does not start without tokens, unless told so',
    (host) => {
      expect(problemsOf({ PEERVOTE_SERVER_HOST: host })).toEqual([expect.stringContaining('--open-access')]);
      expect(problemsOf({ PEERVOTE_SERVER_HOST: host, PEERVOTE_SERVER_OPEN_ACCESS: 'true' })).toEqual([]);
      expect(problemsOf({ PEERVOTE_SERVER_HOST: host, PEERVOTE_SERVER_TOKENS: TOKENS })).toEqual([]);
      expect(problemsOf({ PEERVOTE_SERVER_HOST: host, PEERVOTE_SERVER_TOKENS_FILE: '/t' })).toEqual([]);
    },
  );

  it.each(['127.0.0.1', 'localhost', '::1', '127.1.2.3'])('is not one at %s', (host) => {
    expect(problemsOf({ PEERVOTE_SERVER_HOST: host })).toEqual([]);
  });

  it('is opened by a flag that stands alone or says yes', () => {
    expect(problemsOf({}, { host: '::', openAccess: 'true' })).toEqual([]);
    expect(problemsOf({}, { host: '::', openAccess: 'yes' })).toEqual([
      expect.stringContaining('expected true or false'),
    ]);
  });
});

describe('settings of access', () => {
  it('may not say two things', () => {
    expect(problemsOf({ PEERVOTE_SERVER_TOKENS: TOKENS, PEERVOTE_SERVER_OPEN_ACCESS: 'true' })[0]).toMatch(
      /there are tokens/,
    );
    expect(problemsOf({ PEERVOTE_SERVER_TOKENS: TOKENS, PEERVOTE_SERVER_TOKENS_FILE: '/t' })[0]).toMatch(
      /take one/,
    );
  });

  it('have no flag that would show tokens to whoever lists processes', () => {
    expect(problemsOf({}, { tokens: TOKENS })).toEqual(['--tokens: unknown flag']);
  });
});

describe('a file of tokens', () => {
  it('gives admins, readers and agents theirs, kept as hashes', () => {
    const text = `
admin: [first-admin-token-1, second-admin-token]
read: sha256:${'ab'.repeat(32)}
agents:
  math/qwen: token-of-qwen-0001`;
    const parsed = parseTokens(text);
    if (!parsed.ok) throw new Error(parsed.problems.join());
    expect(parsed.tokens.map(({ grant }) => grant)).toEqual([
      { kind: 'admin' },
      { kind: 'admin' },
      { kind: 'reader' },
      { kind: 'agent', cohort: 'math', agent: 'qwen' },
    ]);
    const [, , hashed, qwen] = parsed.tokens;
    expect(Buffer.from(hashed?.digest ?? []).toString('hex')).toBe('ab'.repeat(32));
    expect(qwen?.digest).toEqual(createHash('sha256').update('token-of-qwen-0001').digest());
  });

  it.each([
    ['', 'There is no token'],
    ['admin: short', 'admin: expected a token'],
    ['admins: some-token-of-ours-1', 'unknown key'],
    ['agents: {qwen: some-token-of-ours-1}', 'cohort/agent'],
    ['admin: some-token-of-ours-1\nread: some-token-of-ours-1', 'in several places'],
    ['admin: "with a space in it all"', 'visible ASCII'],
    ['admin: [a: {', 'neither YAML nor JSON'],
  ])('that reads %j is refused: %s', (text, problem) => {
    const parsed = parseTokens(text);
    expect(parsed).toMatchObject({ ok: false, problems: [expect.stringContaining(problem)] });
  });

  it('is never quoted in a problem', () => {
    for (const text of [
      'admin: [secret-but-with a space]',
      'secret: {',
      'admin: {secret: secret}',
      'secret-key-0123456: 1',
    ]) {
      const parsed = parseTokens(text);
      if (parsed.ok) throw new Error('it was taken');
      expect(parsed.problems.join()).not.toContain('secret');
    }
  });
});
