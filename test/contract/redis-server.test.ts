import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_AGENT_COUNTS } from '../../src/domain/diagnostics/counters.ts';
import { ServiceError } from '../../src/domain/errors.ts';
import { inspectServer } from '../../src/store/redis/inspect-server.ts';
import type { RedisStore } from '../../src/store/redis/redis-store.ts';
import { buildArrival, buildCohort, buildContext, buildRollouts } from '../support/builders.ts';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';
import { buildSample } from './store/samples.ts';

describe('a store on a Redis of its own', () => {
  let server: RedisServer;
  let store: RedisStore;
  const cohort = buildCohort({ name: 'c' });

  beforeEach(async () => {
    server = await RedisServer.start();
    store = await openRedisStore(server.url, { prefix: 'p:' });
    await store.putCohort(cohort);
  });
  afterEach(async () => {
    await store.close();
    await server.stop();
  });

  const submit = (promptIds: readonly string[]) => {
    const { finished: _, ...context } = buildContext(cohort, 'a');
    const arrivals = promptIds.map((promptId) => buildArrival(promptId, buildRollouts(['4', '5'])));
    return store.submit(cohort, context, arrivals);
  };
  /** Everything that a cohort can leave in Redis. */
  const fill = async () => {
    await store.register('c', 'a', 'i-1');
    await submit(Array.from({ length: 200 }, (_, at) => `p${at}`));
    await store.skip(cohort, 'b', [{ promptId: 'p1', round: null, step: null }]);
    const record = { agent: 'a', incarnation: null, recordedAt: 0, groups: [] };
    for (let at = 0; at < 100; at++) await store.putSubmission(cohort, `s-${at}`, record);
    await store.samples.add('c', [buildSample('a', 'p')]);
    await store.addDiagnostics('c', [{ kind: 'agent', step: null, agent: 'a', counts: NO_AGENT_COUNTS }]);
    await store.check();
  };
  const keys = async () =>
    [...(await server.ask('KEYS *')).matchAll(/\r\n(p:[^\r]*)/g)].map(([, key]) => key ?? '').sort();

  it('gives every key a time to live, but the definitions of cohorts', async () => {
    await fill();
    const found = await keys();
    expect(found.length).toBeGreaterThan(300);
    const forEver: string[] = [];
    for (const key of found
      .filter((key) => !/:[ps]:=/.test(key))
      .concat(found.slice(0, 20), found.slice(-20))) {
      if ((await server.ask(`PTTL ${key}`)).startsWith(':-')) forEver.push(key);
    }
    expect([...new Set(forEver)]).toEqual(['p:{cohorts}']);
  });

  it('keeps a prompt for its retention at least, though nobody may be left to tend it', async () => {
    await submit(['p']);
    const key = (await keys()).find((name) => name.endsWith(':p:=p'));
    const ttl = Number((await server.ask(`PTTL ${key}`)).slice(1));
    expect(ttl).toBeGreaterThan(cohort.promptRetentionMs);
    expect(ttl).toBeLessThan(cohort.promptRetentionMs + 3_600_000);
  });

  it('frees everything that a deleted cohort held', async () => {
    await fill();
    await store.deleteCohort('c');
    expect((await keys()).filter((key) => !key.includes('{cohorts}'))).toEqual([]);
    expect((await keys()).some((key) => key.includes(':deleted:'))).toBe(true);
  });

  it('does not bring back a cohort that was deleted, and does bring back one that was lost', async () => {
    await server.ask('FLUSHDB');
    expect(await store.restoreCohort(cohort)).toBe(true);
    expect(await store.getCohort('c')).toEqual(cohort);
    await store.deleteCohort('c');
    expect(await store.restoreCohort(cohort)).toBe(false);
    expect(await store.getCohort('c')).toBeNull();
  });

  it('does not bring back a cohort whose deletion it did not hear of', async () => {
    const other = await openRedisStore(server.url, { prefix: 'p:' });
    expect(await other.getCohort('c')).toEqual(cohort);
    await server.ask('CLIENT KILL TYPE pubsub');
    await store.deleteCohort('c');
    expect(await other.restoreCohort(cohort)).toBe(false);
    await other.close();
  });

  it('says that there is no memory left, keeps what is stored, and goes on when there is', async () => {
    await submit(['before']);
    await server.ask('CONFIG SET maxmemory 1');
    const refused = await submit(['p']).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('memory') });
    await expect(store.check()).rejects.toThrow('memory');
    expect(await store.readPrompt('c', 'before')).toHaveLength(1);
    await server.ask('CONFIG SET maxmemory 0');
    await store.check();
    expect((await submit(['p'])).map(({ kind }) => kind)).toEqual(['stored']);
  });

  it('is not ready on a server that became read-only, and is again on one that takes changes', async () => {
    await server.ask('REPLICAOF 127.0.0.1 1');
    await expect(store.check()).rejects.toMatchObject({ code: 'store_unavailable' });
    await server.ask('REPLICAOF NO ONE');
    await expect
      .poll(
        () =>
          store.check().then(
            () => 'ready',
            () => 'not ready',
          ),
        { timeout: 10_000 },
      )
      .toBe('ready');
    expect((await submit(['p'])).map(({ kind }) => kind)).toEqual(['stored']);
  });

  it('is warned of an eviction policy that throws votes away, and of nothing on a right one', async () => {
    expect(await inspectServer(store.connection)).toEqual([]);
    await server.ask('CONFIG SET maxmemory-policy allkeys-lru');
    expect(await inspectServer(store.connection)).toEqual([expect.stringContaining('allkeys-lru')]);
  });

  it('refuses to touch a prompt that another version wrote', async () => {
    await submit(['p']);
    const key = (await keys()).find((name) => name.endsWith(':p:=p'));
    await server.ask(`SETRANGE ${key} 12 9`);
    await expect(submit(['p'])).rejects.toThrow('unknown format');
    expect((await submit(['q'])).map(({ kind }) => kind)).toEqual(['stored']);
  });
});
