import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerErrors } from '../../../src/http/errors.ts';
import { registerJsonBody } from '../../../src/http/json-body.ts';

it('takes a caller that breaks its upload off for no error of the server', async () => {
  const log = new PassThrough({ encoding: 'utf8' });
  const app = Fastify({ logger: { level: 'error', stream: log } });
  registerJsonBody(app);
  registerErrors(app);
  app.post('/', async () => 'read');
  const failed = new Promise<void>((resolve) => {
    app.addHook('onError', async () => resolve());
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(
    'POST / HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"a"',
  );
  await failed;
  await app.close();
  expect(log.read()).toBeNull();
});
