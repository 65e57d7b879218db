import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openServer, submissionOf, type TestServer } from './test-server.ts';

/** Status, type and problem code of what comes back for these bytes. */
async function exchange(server: TestServer, bytes: string) {
  const { port } = new URL(server.app.listeningOrigin);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const status = Number(head.split(' ')[1]);
  const isProblem = /^content-type: application\/problem\+json/im.test(head);
  return { status, code: isProblem ? JSON.parse(body).code : null, isProblem };
}

describe('every method that HTTP knows', () => {
  it.each(METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD'].includes(method)))(
    'is answered without a failure of the server: %s',
    async (method) => {
      const server = await openServer();
      await server.listen();
      for (const path of ['/', '/healthz', '/v1/cohorts', '/docs', '/nothing']) {
        const reply = await exchange(
          server,
          `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
        );
        expect([path, reply.status]).toEqual([path, expect.toSatisfy((code) => [404, 405].includes(code))]);
        expect(reply.isProblem).toBe(true);
      }
    },
  );
});

describe('what Node would answer by itself', () => {
  it.each([
    ['no host', 'GET /v1/cohorts HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'malformed_http'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'malformed_http',
    ],
    ['an expectation', 'POST / HTTP/1.1\r\nhost: x\r\nexpect: 200-ok\r\n\r\n', 417, 'expectation_failed'],
    [
      'long headers',
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('is a problem: %s', async (_what, bytes, status, code) => {
    const server = await openServer();
    await server.listen();
    expect(await exchange(server, bytes)).toEqual({ status, code, isProblem: true });
  });
});

describe('bodies', () => {
  it('that are packed are refused for that, not as broken JSON', async () => {
    const server = await openServer();
    const payload = gzipSync(JSON.stringify(submissionOf('p', ['4', '5'])));
    const { statusCode, body } = await server.app.inject({
      method: 'POST',
      url: '/v1/cohorts/test/agents/a/rollouts',
      payload,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect([statusCode, JSON.parse(body).code]).toEqual([415, 'unsupported_media_type']);
  });

  it.each([
    ['POST', '/v1/cohorts/test/agents/a/finish', 200],
    ['DELETE', '/v1/cohorts/test/prompts', 204],
    ['DELETE', '/v1/cohorts/test', 204],
  ] as const)('may be empty JSON where none is needed: %s %s', async (method, url, expected) => {
    expect((await (await openServer()).send(method, url, '')).status).toBe(expected);
  });

  it('are still asked for where one is needed', async () => {
    const { status, body } = await (await openServer()).submit('a', '');
    expect([status, body.code]).toEqual([400, 'invalid_json']);
  });
});
