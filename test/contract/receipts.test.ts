import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RedisStore } from '../../src/store/redis/redis-store.ts';
import { buildAnonymous, buildArrival, buildCohort, buildContext } from '../support/builders.ts';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.stop());

/** A replica stores two rollouts without ids, does something with their connection, and is killed; then the texts come again. */
async function comeAgain(meanwhile: (store: RedisStore, holder: string) => Promise<void>) {
  const prefix = `test-${randomUUID()}:`;
  const cohort = buildCohort({ name: `c-${randomUUID()}` });
  const send = (store: RedisStore, holder: string) =>
    store.submit(cohort, buildContext(cohort, 'a', { holder }), [
      buildArrival('p', [buildAnonymous('x'), buildAnonymous('y')]),
    ]);
  const [killed, other] = [
    await openRedisStore(server.url, { prefix }),
    await openRedisStore(server.url, { prefix }),
  ];
  try {
    await other.putCohort(cohort);
    const holder = killed.nameHolder('first');
    await send(killed, holder);
    await meanwhile(killed, holder);
    await killed.close();
    const [outcome] = await send(other, other.nameHolder('second'));
    return outcome?.kind === 'stored' ? { round: outcome.bucket.round, added: outcome.added } : outcome;
  } finally {
    await killed.close();
    await other.close();
  }
}

describe('texts without ids that come again after their replica was killed', () => {
  it('are a retry where no reply was written', async () => {
    expect(await comeAgain(async () => {})).toEqual({ round: 0, added: 0 });
  });

  it('are the next visit where the reply was written, though the prompt was not told any more', async () => {
    const written = async (store: RedisStore, holder: string) => {
      store.receipts.announce(holder);
      // Whatever is answered on this connection comes after what it was told.
      await store.check();
    };
    expect(await comeAgain(written)).toEqual({ round: 1, added: 2 });
  });

  it('are the next visit where the prompt was told, and nothing is left beside it', async () => {
    const noted = async (store: RedisStore, holder: string) => {
      store.receipts.announce(holder);
      const [cohort] = await store.listCohorts();
      await store.answer(cohort?.name ?? '', 'a', holder, [{ promptId: 'p', round: 0 }]);
      const [origin = ''] = holder.split('.');
      await expect.poll(() => store.receipts.read([origin])).toEqual(new Set());
    };
    expect(await comeAgain(noted)).toEqual({ round: 1, added: 2 });
  });

  it('are a retry where the connection broke while the reply was written', async () => {
    const broken = async (store: RedisStore, holder: string) => {
      store.receipts.announce(holder);
      const [cohort] = await store.listCohorts();
      await store.release(cohort?.name ?? '', 'a', holder, [{ promptId: 'p', round: 0 }]);
    };
    expect(await comeAgain(broken)).toEqual({ round: 0, added: 0 });
  });
});
