import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostileJson } from '../../../../bench/hostile/hostile-json.ts';
import { hostileRequest } from '../../../../bench/hostile/hostile-requests.ts';
import { judge } from '../../../../bench/hostile/judge-exchange.ts';
import { exchange, readReplies } from '../../../../bench/hostile/wire.ts';
import { Random } from '../../../../bench/support/random.ts';

const quiet = { what: 'x', parts: [Buffer.from('GET / HTTP/1.1\r\n\r\n')], goesAway: false };
const answered = (status: number, type: string, body: string) => ({
  replies: [{ status, type, body }],
  ms: 1,
  hangs: false,
});
const never = () => Promise.reject(new Error('asked again'));

/** What a server that answers so is told of, after `text` has come. */
async function meet(answer: string | null, limitMs: number) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    if (answer === null) socket.resume();
    else socket.end(answer);
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return exchange(address.port, quiet, limitMs);
}

describe('a hostile request', () => {
  it('is the same for the same draws, and another for others', () => {
    const bytes = (seed: number) => {
      const random = new Random(seed);
      return Array.from({ length: 50 }, () =>
        Buffer.concat(hostileRequest(random, 'c').parts).toString('base64'),
      );
    };
    expect(bytes(1)).toEqual(bytes(1));
    expect(bytes(1)).not.toEqual(bytes(2));
  });

  it('is of every kind, and has a body that is JSON and one that is none', () => {
    const random = new Random(3);
    const kinds = new Set(Array.from({ length: 600 }, () => hostileRequest(random, 'c').what.split(':')[0]));
    expect(kinds.size).toBe(12);
    const isJson = Array.from({ length: 200 }, () => {
      try {
        JSON.parse(hostileJson(random, { groups: [{ prompt_id: 'p', rollouts: [1, 2] }] }));
        return true;
      } catch {
        return false;
      }
    });
    expect(new Set(isJson).size).toBe(2);
  });
});

describe('what came over a connection', () => {
  it('is read as all its replies, with those that have no body or come in chunks', () => {
    const bytes = Buffer.from(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n' +
        'HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: 2\r\n\r\n{}' +
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n' +
        'HTTP/1.1 404 Not Found\r\ncontent-length: 3\r\n\r\nxyz',
    );
    expect(readReplies(bytes).map(({ status, type, body }) => [status, type, body])).toEqual([
      [204, '', ''],
      [200, 'application/json', '{}'],
      [200, '', ''],
      [404, '', 'xyz'],
    ]);
  });

  it('is no reply where it is no HTTP', () => {
    expect(readReplies(Buffer.from('hello'))).toEqual([{ status: 0, type: '', body: 'hello' }]);
  });

  it('is nothing from a server that neither answers nor closes, and that is told', async () => {
    expect((await meet(null, 200)).hangs).toBe(true);
    expect(await meet('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 5_000)).toMatchObject({
      hangs: false,
      replies: [{ status: 200 }],
    });
  });
});

describe('an answer to a hostile request', () => {
  it.each([
    ['a failure', answered(500, 'application/problem+json', '{"code":"internal"}'), /Status 500/],
    ['unavailable without a reason', answered(503, 'text/html', ''), /Status 503/],
    ['JSON that is none', answered(422, 'application/problem+json', '{'), /not JSON/],
    ['no HTTP', answered(0, '', 'hello'), /No HTTP/],
    ['none', { replies: [], ms: 1, hangs: true }, /stays open/],
  ])('is a fault of the server: %s', async (_what, found, fault) => {
    expect(await judge(quiet, found, never)).toMatch(fault);
  });

  it.each([
    ['a refusal', answered(422, 'application/problem+json', '{"code":"invalid_request"}')],
    ['unavailable for a reason', answered(503, 'application/problem+json', '{"code":"draining"}')],
    ['none, of a connection that was closed', { replies: [], ms: 1, hangs: false }],
  ])('is right: %s', async (_what, found) => {
    expect(await judge(quiet, found, never)).toBeNull();
  });

  it('is slow only where it is slow each time', async () => {
    const slow = { replies: [], ms: 60_000, hangs: false };
    expect(await judge(quiet, slow, async () => slow)).toMatch(/each time/);
    expect(await judge(quiet, slow, async () => ({ ...slow, ms: 5 }))).toBeNull();
  });
});
