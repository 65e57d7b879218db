import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isUnreadable } from '../../src/domain/errors.ts';
import type { RedisStore } from '../../src/store/redis/redis-store.ts';
import { buildArrival, buildCohort, buildContext, buildRollouts } from '../support/builders.ts';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';

/** Prompts of one cohort, enough for each of its shards to hold some. */
const PROMPTS = Array.from({ length: 60 }, (_, at) => `p${at}`);

describe('beside data of another version, or of somebody else', () => {
  let server: RedisServer;
  let store: RedisStore;
  const cohort = buildCohort({ name: 'c' });
  const other = buildCohort({ name: 'other' });

  beforeEach(async () => {
    server = await RedisServer.start();
    store = await openRedisStore(server.url, { prefix: 'p:' });
    await store.putCohort(cohort);
    await store.putCohort(other);
  });
  afterEach(async () => {
    await store.close();
    await server.stop();
  });

  const submit = (promptIds: readonly string[], to = cohort) => {
    const { finished: _, ...context } = buildContext(to, 'a');
    const arrivals = promptIds.map((promptId) => buildArrival(promptId, buildRollouts(['4', '5'])));
    return store.submit(to, context, arrivals);
  };
  const failure = (ask: () => Promise<unknown>) =>
    ask().then(
      () => 'none',
      (error: unknown) => (isUnreadable(error) ? error.message : String(error)),
    );
  /** Of all prompts, each sent for itself: those that were taken. */
  const taken = async (promptIds: readonly string[]) => {
    const failures = await Promise.all(promptIds.map((promptId) => failure(() => submit([promptId]))));
    return promptIds.filter((_, at) => failures[at] === 'none');
  };
  const keyOf = async (ending: string) => {
    const found = [...(await server.ask('KEYS *')).matchAll(/\r\n(p:[^\r]*)/g)].map(([, key]) => key ?? '');
    return found.find((key) => key.endsWith(ending)) ?? '';
  };
  const raw = async (name: string) => /\{.*\}/.exec(await server.ask(`HGET p:{cohorts} ${name}`))?.[0] ?? '';
  const write = async (name: string, text: string) => {
    await server.ask(`HSET p:{cohorts} ${name} '${text}'`);
    await expect.poll(() => store.listCohorts().then(() => raw(name)), { timeout: 5_000 }).toBe(text);
    // A definition may be a second old.
    await store.check().catch(() => undefined);
  };
  const changed = async (change: (record: Record<string, unknown>) => object) =>
    JSON.stringify(change(JSON.parse(await raw('c'))));

  it.each([
    ['of a later format', (record: object) => ({ ...record, format: 2 })],
    ['of a later format without a generation', () => ({ format: 3, agents: 7 })],
    [
      'with a method that is not known',
      (record: { cohort?: object }) => ({ ...record, cohort: { ...record.cohort, method: 'quantum' } }),
    ],
    [
      'with a supervision that is not known',
      (record: { cohort?: object }) => ({
        ...record,
        cohort: { ...record.cohort, supervision: { kind: 'star' } },
      }),
    ],
    ['that is not whole', (record: object) => ({ ...record, cohort: { name: 'c' } })],
  ])('serves all cohorts but one %s, names it and leaves it as it is', async (_, change) => {
    const later = await changed(change);
    await write('c', later);
    expect((await store.listCohorts()).map(({ name }) => name)).toEqual(['other']);
    expect((await submit(['p'], other)).map(({ kind }) => kind)).toEqual(['stored']);
    expect(await store.closeDue()).toEqual([]);
    expect(await failure(() => store.getCohort('c'))).toContain('cohort "c"');
    expect(await failure(() => store.putCohort(cohort))).toContain('cohort "c"');
    expect(await store.check()).toEqual([expect.stringContaining('"c"')]);
    expect(await raw('c')).toBe(later);
    await server.ask('FLUSHDB');
    await store.check();
    expect(await raw('c')).toBe(later);
    expect(await store.deleteCohort('c')).toBe(true);
    expect(await store.putCohort(cohort)).toBe('created');
  });

  it('is not ready when no cohort at all can be read', async () => {
    await store.deleteCohort('other');
    await write('c', await changed((record) => ({ ...record, format: 2 })));
    expect(await failure(() => store.check())).toContain('cohort "c"');
  });

  it('keeps the settings that only a newer version knows, when it changes others', async () => {
    const later = await changed((record) => {
      const known = record.cohort as typeof cohort;
      const [first, ...agents] = known.agents;
      return {
        ...record,
        epoch: 7,
        cohort: {
          ...known,
          curriculum: { kind: 'hard-first' },
          vote: { ...known.vote, quorumBy: 'rank' },
          agents: [{ ...first, gpu: 'h100' }, ...agents],
        },
      };
    });
    await write('c', later);
    expect(await store.putCohort(cohort)).toBe('unchanged');
    expect(await raw('c')).toBe(later);
    const next = { ...cohort, retentionMs: cohort.retentionMs + 1_000 };
    expect(await store.putCohort(next)).toBe('replaced');
    expect(JSON.parse(await raw('c'))).toMatchObject({
      epoch: 7,
      cohort: {
        retentionMs: next.retentionMs,
        curriculum: { kind: 'hard-first' },
        vote: { quorumBy: 'rank' },
        agents: [{ gpu: 'h100' }, {}],
      },
    });
  });

  it('sees every change of a setting that it knows', async () => {
    const changes = [
      { answers: { ...cohort.answers, reasoning: 'opened-by-prompt' } },
      { vote: { ...cohort.vote, minVotes: cohort.vote.minVotes + 1 } },
      { agents: [...cohort.agents].reverse() },
      { supervision: { kind: 'pooled' } as const },
    ];
    for (const change of changes) {
      expect(await store.putCohort({ ...cohort, ...change })).toBe('replaced');
      expect(await store.putCohort(cohort)).toBe('replaced');
    }
  });

  it.each([
    ['of a later format', (key: string) => `SETRANGE ${key} 12 9`],
    [
      'that says more than it knows',
      async (key: string) => {
        const value = /\[.*\]/.exec(await server.ask(`GET ${key}`))?.[0] ?? '';
        return `SET ${key} 'abcdefghijkl1${value.slice(0, -1)},[1]]'`;
      },
    ],
    [
      'of another type',
      async (key: string) => {
        await server.ask(`DEL ${key}`);
        return `LPUSH ${key} 1`;
      },
    ],
  ])('takes every prompt but one %s, which it leaves as it is', async (_, command) => {
    expect(await taken(PROMPTS)).toEqual(PROMPTS);
    const key = await keyOf(':p:=p7');
    await server.ask(await command(key));
    const before = await server.ask(`DUMP ${key}`);
    expect(await taken(PROMPTS)).toEqual(PROMPTS.filter((promptId) => promptId !== 'p7'));
    expect(await failure(() => submit(['p7']))).toContain(key);
    expect(await failure(() => submit(['p6', 'p7', 'p8']))).toContain(key);
    expect(await store.readPrompt('c', 'p6')).toHaveLength(1);
    expect(await store.listOpenBuckets('c', 100)).toHaveLength(PROMPTS.length - 1);
    await store.finish(cohort, 'a');
    await store.closeDue();
    expect(await server.ask(`DUMP ${key}`)).toBe(before);
  });

  it.each([':index', ':open', ':submissions'])(
    'takes what lies in other shards, and in other cohorts, where a list %s is of another type',
    async (list) => {
      await submit(PROMPTS);
      for (const at of [0, 1, 2]) {
        await store.putSubmission(cohort, `s${at}`, {
          agent: 'a',
          incarnation: null,
          recordedAt: 0,
          groups: [],
        });
      }
      const key = await keyOf(list);
      await server.ask(`DEL ${key}`);
      await server.ask(`SET ${key} text`);
      const fresh = PROMPTS.map((promptId) => `new-${promptId}`);
      expect((await taken(fresh)).length).toBeGreaterThan(list === ':open' ? -1 : 30);
      expect((await submit(PROMPTS, other)).every(({ kind }) => kind === 'stored')).toBe(true);
      expect(await store.closeDue()).toEqual([]);
      expect(await server.ask(`GET ${key}`)).toContain('text');
    },
  );

  it('decides what is due behind more prompts of another version than it looks at at once', async () => {
    await store.close();
    let now = 1_000_000;
    store = await openRedisStore(server.url, { prefix: 'p:', now: () => now });
    const big = buildCohort({ name: 'big', limits: { openBuckets: 10_000, heldRequests: 10 } });
    await store.putCohort(big);
    const many = Array.from({ length: 2_400 }, (_, at) => `p${at}`);
    await submit(many, big);
    const spoilt = await server.ask(
      "EVAL \"local all = redis.call('keys', '*:p:=p*') for _, k in ipairs(all) do redis.call('setrange', k, 12, '9') end return #all\" 0",
    );
    expect(spoilt).toContain(`:${many.length}`);
    const last = Array.from({ length: 16 }, (_, at) => `last${at}`);
    await submit(last, big);
    now += big.barrier.deadlineMs + 1_000;
    const decisions = await store.closeDue();
    expect(decisions.map(({ bucket }) => bucket.promptId).sort()).toEqual(last.sort());
  });

  it('takes submissions beside activity of a later format, and leaves that as it is', async () => {
    await submit(['p']);
    const key = await keyOf(':activity:a');
    await server.ask(`SETRANGE ${key} 12 9`);
    const before = await server.ask(`DUMP ${key}`);
    expect((await submit(['q'])).map(({ kind }) => kind)).toEqual(['stored']);
    expect((await store.readActivity(cohort)).map(({ rollouts }) => rollouts)).toEqual([0, 0]);
    expect(await server.ask(`DUMP ${key}`)).toBe(before);
  });
});
