import { describe, expect, it } from 'vitest';
import { exitCodeOf, formatChecks } from '../../../../src/cli/doctor/check.ts';
import { checkAddress } from '../../../../src/cli/doctor/check-address.ts';
import { describeSilence } from '../../../../src/cli/doctor/link.ts';

const statuses = (url: string, env = {}) => checkAddress(url, env).map(({ status }) => status);

describe('an address', () => {
  it.each(['peervote:8080', '10.0.0.7', 'ftp://peervote', 'http://', 'http://a b'])(
    'is none of HTTP: %s',
    (url) => {
      expect(statuses(url)).toEqual(['FAIL']);
    },
  );

  it('without a scheme is told with one', () => {
    expect(checkAddress('peervote:8080', {})[0]?.says).toBe(
      '"peervote:8080" has no scheme: write http://peervote:8080.',
    );
  });

  it('is worth a word where a proxy of its scheme stands in between', () => {
    const env = { HTTP_PROXY: 'http://proxy:3128' };
    expect(statuses('http://peervote.lab:8080', env)).toEqual(['warn']);
    expect(statuses('https://peervote.lab', env)).toEqual(['ok']);
    expect(statuses('http://peervote.lab', { all_proxy: 'socks5://x' })).toEqual(['warn']);
    for (const exempt of ['*', 'peervote.lab', '.lab', 'other, lab:8080']) {
      expect(statuses('http://peervote.lab', { ...env, NO_PROXY: exempt })).toEqual(['ok']);
    }
    expect(statuses('http://peervote.lab', { ...env, no_proxy: 'vote.lab' })).toEqual(['warn']);
  });
});

describe('silence', () => {
  const wrapped = (code: string) =>
    new TypeError('fetch failed', { cause: new AggregateError([Object.assign(new Error('x'), { code })]) });

  it.each([
    ['ECONNREFUSED', 'Nothing listens at http://h:1'],
    ['ENOTFOUND', 'No machine is known by the name in http://h:1'],
    ['EHOSTUNREACH', 'http://h:1 does not answer in time'],
    ['EPROTO', 'http://h:1 does not answer as an HTTP server does (EPROTO)'],
  ])('after %s is explained', (code, says) => {
    expect(describeSilence('http://h:1', wrapped(code))).toContain(says);
    expect(describeSilence('http://h:1', Object.assign(new Error('x'), { code }))).toContain(says);
  });
});

describe('the table of checks', () => {
  const checks = [
    { status: 'ok', name: 'server', says: 'It answers.' },
    { status: 'FAIL', name: 'k', says: 'It is 4.' },
  ] as const;

  it('has a line for each in columns, and counts them', () => {
    expect(formatChecks(checks)).toBe(
      'ok    server  It answers.\nFAIL  k       It is 4.\n\n2 checks: 1 ok, 0 warn, 1 FAIL, 0 skip\n',
    );
  });

  it('fails the command only for what failed', () => {
    expect(exitCodeOf(checks)).toBe(1);
    expect(
      exitCodeOf([
        { status: 'warn', name: 'x', says: '' },
        { status: 'skip', name: 'y', says: '' },
      ]),
    ).toBe(0);
  });
});
