import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyReply } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { Callers } from '../../../src/http/callers.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { settleDown, until } from '../../support/service.ts';

/** An app whose one route waits until it is told to answer. */
async function openApp() {
  const app = Fastify({ forceCloseConnections: true });
  const callers = new Callers();
  callers.register(app);
  const replies: FastifyReply[] = [];
  let answer = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    answer = resolve;
  });
  app.post('/', async (_request, reply) => {
    replies.push(reply);
    await told;
    return 'there';
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  onTestFinished(() => app.close());
  const call = async (): Promise<{ socket: Socket; signal: AbortSignal }> => {
    const before = replies.length;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nhi');
    await until(() => replies.length > before);
    const reply = replies.at(-1);
    if (reply === undefined) throw new Error('no reply');
    return { socket, signal: callers.goneSignal(reply) };
  };
  return { callers, replies, call, answer: () => answer() };
}

it('knows that a caller stays, although its body has been read, and that it was answered', async () => {
  const { call, answer } = await openApp();
  const { socket, signal } = await call();
  await settleDown();
  expect(signal.aborted).toBe(false);
  answer();
  await once(socket, 'data');
  socket.destroy();
  await settleDown();
  expect(signal.aborted).toBe(false);
});

it('knows that a caller has gone before its answer', async () => {
  const { call } = await openApp();
  const { socket, signal } = await call();
  const aborted = once(signal, 'abort');
  socket.destroy();
  await aborted;
  expect(signal.aborted).toBe(true);
});

it('says of a request that is over that its caller has gone', async () => {
  const { callers, replies, call, answer } = await openApp();
  const { socket } = await call();
  answer();
  await once(socket, 'data');
  const [reply] = replies;
  if (reply === undefined) throw new Error('no reply');
  await until(() => callers.goneSignal(reply).aborted);
  socket.destroy();
});

it('waits for the last answer, of those who have gone too', async () => {
  const clock = new FakeClock();
  const { callers, call, answer } = await openApp();
  await callers.allAnswered(clock, 900);
  const [one, other] = [await call(), await call()];
  let over = false;
  const all = callers.allAnswered(clock, 900).then(() => {
    over = true;
  });
  one.socket.destroy();
  await until(() => one.signal.aborted);
  await settleDown();
  expect(over).toBe(false);
  answer();
  await all;
  expect(clock.pending).toBe(0);
  other.socket.destroy();
});

it('does not wait for it longer than it may', async () => {
  const clock = new FakeClock();
  const { callers, call } = await openApp();
  const { socket } = await call();
  const all = callers.allAnswered(clock, 900);
  clock.advance(900);
  await all;
  socket.destroy();
});
