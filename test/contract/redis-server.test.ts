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
  const definitions = () => server.ask('HGETALL p:{cohorts}');
  const failure = async (ask: () => Promise<unknown>) =>
    ask().then(
      () => 'none',
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    );
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

  it('frees what another replica writes of a cohort that was deleted a moment ago', async () => {
    await fill();
    const figures = (await keys()).filter((key) => /:(diagnostics|samples):/.test(key));
    expect(figures.length).toBeGreaterThan(1);
    await store.deleteCohort('c');
    // As one does that had gathered figures and not heard yet.
    for (const key of figures) await server.ask(`SET ${key} late`);
    const left = async () => {
      await store.closeDue();
      return (await keys()).filter((key) => !key.includes('{cohorts}'));
    };
    expect(await left()).toHaveLength(figures.length);
    await expect.poll(left, { timeout: 20_000, interval: 250 }).toEqual([]);
  }, 60_000);

  it('brings back a cohort that was lost, by whatever asks for it, and not one that was deleted', async () => {
    await server.ask('FLUSHDB');
    expect(await store.getCohort('c')).toEqual(cohort);
    await server.ask('FLUSHDB');
    expect((await submit(['p'])).map(({ kind }) => kind)).toEqual(['stored']);
    await expect.poll(definitions, { timeout: 5_000 }).toContain('"generation"');
    await store.deleteCohort('c');
    expect(await store.getCohort('c')).toBeNull();
    await server.ask('FLUSHDB');
    expect(await store.getCohort('c')).toBeNull();
  });

  it('brings back a cohort that was made while it ran and that nobody asks for', async () => {
    await store.putCohort(buildCohort({ name: 'quiet' }));
    await server.ask('FLUSHDB');
    await expect
      .poll(async () => {
        await store.closeDue();
        return definitions();
      })
      .toContain('quiet');
  });

  it('does not bring back a cohort whose deletion it did not hear of', async () => {
    const other = await openRedisStore(server.url, { prefix: 'p:' });
    expect(await other.getCohort('c')).toEqual(cohort);
    await server.ask('CLIENT KILL TYPE pubsub');
    await store.deleteCohort('c');
    await expect.poll(() => other.getCohort('c')).toBeNull();
    expect(await definitions()).not.toContain('"generation"');
    await other.close();
  });

  it('deletes a cohort again that a replica brought back which had missed its deletion, when the mark is lost too', async () => {
    const other = await openRedisStore(server.url, { prefix: 'p:' });
    expect(await other.getCohort('c')).toEqual(cohort);
    const definition = await definitions();
    const [raw = ''] = /\{"format".*\}/.exec(definition) ?? [];
    await store.deleteCohort('c');
    await server.ask('FLUSHDB');
    // What a replica writes that was cut off all the while.
    await server.ask(`HSET p:{cohorts} c '${raw}'`);
    await expect.poll(() => store.getCohort('c'), { timeout: 5_000 }).toBeNull();
    expect(await definitions()).not.toContain('"generation"');
    await expect.poll(() => other.getCohort('c')).toBeNull();
    await other.close();
  });

  it('takes a cohort of the same name that was made anew for another one', async () => {
    const other = await openRedisStore(server.url, { prefix: 'p:' });
    await other.getCohort('c');
    await store.deleteCohort('c');
    const anew = buildCohort({ name: 'c', method: 'ttrl' });
    await store.putCohort(anew);
    await server.ask('FLUSHDB');
    // Every replica looks for what is due all the time.
    const look = () => Promise.all([other, store].map((each) => each.closeDue()));
    for (const each of [other, store]) {
      await expect
        .poll(async () => {
          await look();
          return each.getCohort('c');
        })
        .toMatchObject({ method: 'ttrl' });
    }
    await other.close();
  });

  it('says that it comes again while a cohort cannot be put back, and serves it once it can', async () => {
    await server.ask('FLUSHDB');
    await server.ask('CONFIG SET maxmemory 1');
    const refused = await store.getCohort('c').catch((error: unknown) => error);
    // Within a second of the last look it goes by that.
    if (!(refused instanceof ServiceError)) expect(refused).toEqual(cohort);
    await expect
      .poll(() => failure(() => store.getCohort('c')), { timeout: 5_000 })
      .toBe('store_unavailable');
    await expect(store.check()).rejects.toMatchObject({ code: 'store_unavailable' });
    await server.ask('CONFIG SET maxmemory 0');
    expect(await store.getCohort('c')).toEqual(cohort);
    await store.check();
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
});
