import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ItemResult } from '../../../../src/protocol/item-result.ts';
import { EXTRA_LOG_KEYS, openRlhfReplySchema, toReply } from '../../../../src/protocol/openrlhf/reply.ts';
import { agentOf, buildCohort } from '../../../support/builders.ts';

const SCORED: ItemResult = {
  reward: 1,
  status: 'scored',
  answered: true,
  labelShare: 0.75,
  truth: true,
  waitMs: 1500,
  staleness: 0,
  late: false,
  counts: null,
};

const cohort = buildCohort({ method: 'ground-truth' });
const asker = { cohort, agent: agentOf(cohort, 'a') };

const STATUSES = ['scored', 'unlabeled', 'expired', 'skipped', 'eval'] as const;

describe('toReply', () => {
  it('puts the rewards in the order of the request, and the same numbers into the scores', () => {
    const reply = toReply(asker, [SCORED, { ...SCORED, reward: 0 }, { ...SCORED, reward: -0.5 }]);
    expect(reply.rewards).toEqual([1, 0, -0.5]);
    expect(reply.scores).toEqual(reply.rewards);
  });

  it('pays 0 where there is no reward, which this dialect cannot carry', () => {
    expect(
      toReply(asker, [{ ...SCORED, reward: null, status: 'unlabeled', labelShare: null }]).rewards,
    ).toEqual([0]);
  });

  it.each(STATUSES)(
    'has every key with one number per rollout, and the flag of status %s alone',
    (status) => {
      const { extra_logs: logs } = toReply(asker, [
        { ...SCORED, status },
        { ...SCORED, status, reward: null, labelShare: null, truth: null },
      ]);
      expect(Object.keys(logs)).toEqual([...EXTRA_LOG_KEYS]);
      for (const column of Object.values(logs)) {
        expect(column).toHaveLength(2);
        expect(column.every(Number.isFinite)).toBe(true);
      }
      const flags = [logs.labeled, logs.unlabeled, logs.expired, logs.skipped, logs.eval];
      expect(flags).toEqual(STATUSES.map((known) => (known === status ? [1, 1] : [0, 0])));
    },
  );

  it('has every key with an empty list for an empty request', () => {
    const reply = toReply(asker, []);
    expect(reply).toEqual({
      rewards: [],
      scores: [],
      extra_logs: Object.fromEntries(EXTRA_LOG_KEYS.map((key) => [key, []])),
    });
  });

  it('gives waits in seconds, flags as 1 and 0, and what is unknown as 0', () => {
    const unknown: ItemResult = {
      ...SCORED,
      answered: false,
      labelShare: null,
      truth: null,
      staleness: 2,
      late: true,
    };
    const { extra_logs: logs } = toReply(asker, [SCORED, { ...SCORED, truth: false }, unknown]);
    expect(logs).toMatchObject({
      answered: [1, 1, 0],
      label_share: [0.75, 0.75, 0],
      truth_given: [1, 1, 0],
      truth_match: [1, 0, 0],
      barrier_wait_s: [1.5, 1.5, 1.5],
      staleness: [0, 0, 2],
      late: [0, 0, 1],
    });
  });

  it('matches the schema that the OpenAPI document shows', () => {
    expect(openRlhfReplySchema.strict().parse(toReply(asker, [SCORED]))).toEqual(toReply(asker, [SCORED]));
    expect(z.toJSONSchema(openRlhfReplySchema)).toMatchObject({ $ref: '#/$defs/OpenRlhfReply' });
  });
});
