import { describe, expect, it } from 'vitest';
import { parseRedisUrl, showTarget } from '../../../../src/store/redis/target.ts';

const PLAIN = { tls: false, username: null, password: null, database: 0, group: '' };

describe('a Redis URL', () => {
  it.each([
    ['redis://localhost', { kind: 'standalone', addresses: [{ host: 'localhost', port: 6379 }], ...PLAIN }],
    [
      'redis://10.0.0.1:7000/3',
      { kind: 'standalone', addresses: [{ host: '10.0.0.1', port: 7000 }], ...PLAIN, database: 3 },
    ],
    ['redis://[::1]:7000', { kind: 'standalone', addresses: [{ host: '::1', port: 7000 }], ...PLAIN }],
    [
      'rediss://votes:p%40ss%2Fword@redis.example:6380',
      {
        kind: 'standalone',
        addresses: [{ host: 'redis.example', port: 6380 }],
        ...PLAIN,
        tls: true,
        username: 'votes',
        password: 'p@ss/word',
      },
    ],
    [
      'redis://:secret@a',
      { kind: 'standalone', addresses: [{ host: 'a', port: 6379 }], ...PLAIN, password: 'secret' },
    ],
    [
      'redis+sentinel://a,b:26380/main/2',
      {
        kind: 'sentinel',
        addresses: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 26380 },
        ],
        ...PLAIN,
        group: 'main',
        database: 2,
      },
    ],
    [
      'rediss+cluster://a:1,b:2',
      {
        kind: 'cluster',
        addresses: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
        ...PLAIN,
        tls: true,
      },
    ],
  ])('is read: %s', (url, target) => {
    expect(parseRedisUrl(url)).toEqual(target);
  });

  it.each([
    'http://localhost',
    'redis://',
    'redis://a:0',
    'redis://a:70000',
    'redis://a/x',
    'redis://a/-1',
    'redis://a,b',
    'redis://%ZZ@a',
    'redis+sentinel://a',
    'redis+cluster://a/1',
    'redis://a/1/2',
    // A password with a slash in it that is not encoded, which reads as a port and a path.
    'redis://u:12/34@a',
    'redis+sentinel://u:12/secret@a/votes',
  ])('is refused when it says nothing that could be meant: %s', (url) => {
    expect(parseRedisUrl(url)).toBeNull();
  });

  it.each([
    ['redis://u:secret@a:1/2', 'redis://a:1/2'],
    ['rediss://:secret@[::1]', 'rediss://[::1]:6379'],
    ['redis+sentinel://u:secret@a,b:2/votes/3', 'redis+sentinel://a:26379,b:2/votes/3'],
    ['rediss+cluster://secret@a,b', 'rediss+cluster://a:6379,b:6379'],
  ])('is logged by where it is, without who logs in: %s', (url, shown) => {
    const target = parseRedisUrl(url);
    expect(target === null ? null : showTarget(target)).toBe(shown);
  });
});
