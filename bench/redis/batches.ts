import { randomUUID } from 'node:crypto';
import type { GroupArrival } from '../../src/domain/arrival.ts';
import type { Cohort } from '../../src/domain/cohort.ts';
import type { RedisStore } from '../../src/store/redis/redis-store.ts';
import { buildArrival, buildContext, buildRollout } from '../../test/support/builders.ts';
import type { Random } from '../support/random.ts';

export const K = 8;
export const AGENTS = ['a', 'b'] as const;

/** One agent's rollouts for a prompt as they are stored: ids, indices, lengths and one of a few answers each. */
export function drawArrival(
  random: Random,
  { agent, promptId, answerLength, rollouts = K }: DrawOptions,
): GroupArrival {
  const drawn = Array.from({ length: rollouts }, (_, index) => {
    const answer = String(Math.floor(random.next() * 4)).padEnd(answerLength, 'x');
    const digest = Math.floor(random.next() * 2 ** 52)
      .toString(36)
      .padStart(16, '0');
    return {
      ...buildRollout(`r${index}`, answer, { index, tokens: 300 }),
      digest: `${agent}${digest}`.slice(0, 16),
    };
  });
  return buildArrival(promptId, drawn, { round: 0 });
}

export interface DrawOptions {
  readonly agent: string;
  readonly promptId: string;
  readonly answerLength: number;
  /** Default: the whole group. */
  readonly rollouts?: number;
}

/** Submits as the service does: who speaks first, then the rollouts. */
export async function submitBatch(
  store: RedisStore,
  cohort: Cohort,
  agent: string,
  arrivals: readonly GroupArrival[],
): Promise<void> {
  await store.register(cohort.name, agent, null);
  const { finished: _, ...context } = buildContext(cohort, agent, { holder: randomUUID() });
  await store.submit(cohort, context, arrivals);
}
