import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerErrors } from '../../../src/http/errors.ts';
import { MethodGuards } from '../../../src/http/method-guards.ts';

async function buildGuarded() {
  const app = Fastify();
  registerErrors(app);
  const guards = new MethodGuards();
  guards.watch(app);
  app.get('/one', async () => 'got');
  app.post('/one', async () => 'posted');
  app.put('/things/:name', async () => 'put');
  app.get('/files/*', async () => 'file');
  guards.guard(app);
  return app;
}

it('leaves the methods that a path has as they are', async () => {
  const app = await buildGuarded();
  expect((await app.inject({ method: 'GET', url: '/one' })).payload).toBe('got');
  expect((await app.inject({ method: 'POST', url: '/one' })).payload).toBe('posted');
  expect((await app.inject({ method: 'HEAD', url: '/one' })).statusCode).toBe(200);
});

it('answers 405 with the methods that are allowed, also where the path has parameters', async () => {
  const app = await buildGuarded();
  const wrong = await app.inject({ method: 'DELETE', url: '/one' });
  expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  const other = await app.inject({ method: 'GET', url: '/things/x' });
  expect([other.statusCode, other.headers.allow]).toEqual([405, 'PUT']);
});

it.each(['OPTIONS', 'TRACE', 'QUERY'])('answers 405 to %s as well', async (method) => {
  const app = await buildGuarded();
  const { statusCode, headers } = await app.inject({ method: method as 'OPTIONS', url: '/one' });
  expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
});

it('answers 404 where there is no such path, and leaves wildcards alone', async () => {
  const app = await buildGuarded();
  expect((await app.inject({ method: 'DELETE', url: '/two' })).statusCode).toBe(404);
  expect((await app.inject({ method: 'DELETE', url: '/files/a' })).statusCode).toBe(404);
});
