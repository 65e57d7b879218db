import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { Heartbeat } from '../../../src/http/heartbeat.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { settleDown, until } from '../../support/service.ts';

/** An app whose one route has started its heartbeat and left the rest to the test. */
async function openApp() {
  const clock = new FakeClock();
  const app = Fastify({ forceCloseConnections: true });
  const beats = new Heartbeat();
  app.get('/', async (_request, reply) => {
    beats.start(reply, clock, 1_000);
    return reply;
  });
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return { clock, beats, base };
}

it('has not started until it is told, and beats once per interval until the end', async () => {
  const { clock, beats, base } = await openApp();
  expect(beats.started).toBe(false);
  const reply = await fetch(base);
  expect(beats.started).toBe(true);
  clock.advance(2_500);
  beats.end('{}');
  expect(await reply.text()).toBe('\n\n\n{}');
  await until(() => clock.pending === 0);
});

it('takes an end and time that come after its caller has gone', async () => {
  const { clock, beats, base } = await openApp();
  const caller = new AbortController();
  await fetch(base, { signal: caller.signal });
  caller.abort();
  await until(() => clock.pending === 0);
  clock.advance(10_000);
  beats.end('{}');
  await settleDown();
  expect(clock.pending).toBe(0);
});

it('ends as a body that breaks off when it is cut', async () => {
  const { clock, beats, base } = await openApp();
  const reply = await fetch(base);
  beats.cut();
  await expect(reply.text()).rejects.toThrow('terminated');
  expect(clock.pending).toBe(0);
});
