import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openServer, submissionOf } from './test-server.ts';

const MANY = 300;

/** Writes the same request so many times without waiting for an answer. */
function pipeline(base: string, request: string, times: number): Socket {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write(request.repeat(times));
  return socket;
}

const post = (path: string, body: unknown) => {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
};

describe('requests that were sent one behind the other on a connection that is gone', () => {
  it('are not held any more, none of them', async () => {
    const server = await openServer();
    const request = post('/v1/cohorts/test/agents/a/rollouts?wait=100', submissionOf('p', ['4', '5']));
    const socket = pipeline(await server.listen(), request, 5);
    await server.untilHeld(5);
    socket.destroy();
    await server.untilHeld(0);
  });

  it('leave their places among those who follow events', async () => {
    const server = await openServer();
    const request = 'GET /v1/cohorts/test/events HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const base = await server.listen();
    const socket = pipeline(base, request, MANY);
    await once(socket, 'data');
    const follow = async () => {
      const stop = new AbortController();
      const { status } = await fetch(`${base}/v1/cohorts/test/events`, { signal: stop.signal });
      stop.abort();
      return status;
    };
    await expect.poll(follow).toBe(503);
    socket.destroy();
    await expect.poll(follow).toBe(200);
  });
});
