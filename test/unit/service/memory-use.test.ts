import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Barrier } from '../../../src/service/barrier.ts';
import { Cohorts } from '../../../src/service/cohorts.ts';
import { DiagnosticsLog } from '../../../src/service/diagnostics-log.ts';
import { Planner } from '../../../src/service/planner.ts';
import { RewardService } from '../../../src/service/rewards.ts';
import { SampleLog } from '../../../src/service/sample-log.ts';
import type { RolloutInput } from '../../../src/service/submission.ts';
import type { Logger, Telemetry } from '../../../src/service/telemetry.ts';
import { MemoryStore } from '../../../src/store/memory/memory-store.ts';
import { buildCohort } from '../../support/builders.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { groupOf, RecordedLogger } from '../../support/service.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What the bench measures too; its page in docs/ holds the figures. */
const BUCKETS = 800;
const K = 8;

const silent: Telemetry = {
  groupSettled: () => undefined,
  pairCompared: () => undefined,
  pairGraded: () => undefined,
  waited: () => undefined,
  stored: () => undefined,
  truthsUnread: () => undefined,
  evaluated: () => undefined,
  labelsLookedAt: () => undefined,
  truthsDisputed: () => undefined,
  groupClosed: () => undefined,
  teacherChanged: () => undefined,
  forget: async () => undefined,
};

const quiet: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Two kilobytes of text that end with an answer, long enough that V8 would cut it out without copying. */
function completionOf(number: number): RolloutInput['content'] {
  const words = Array.from({ length: 200 }, (_, word) => `step ${word + number}`).join(' ');
  return { kind: 'completion', text: `${words} \\boxed{x^2+${number % 7}y+\\sqrt{2}}` };
}

function rolloutsOf(count: number, bucket: number, named: boolean): RolloutInput[] {
  return Array.from({ length: count }, (_, index) => ({
    id: named ? `k${index}` : null,
    index: named ? index : null,
    content: completionOf(bucket * K + index),
    tokens: null,
    truncated: false,
  }));
}

async function openRewards(): Promise<RewardService> {
  const clock = new FakeClock();
  const store = new MemoryStore(clock);
  const cohorts = new Cohorts(store, silent, 10);
  const limits = { openBuckets: 100_000, heldRequests: 10 };
  await cohorts.put(buildCohort({ k: K, answers: { mode: 'boxed', pattern: null }, limits }));
  return new RewardService({
    store,
    cohorts,
    barrier: new Barrier(store, clock),
    clock,
    telemetry: silent,
    diagnostics: new DiagnosticsLog({ store, clock, logger: quiet }),
    planner: new Planner({ store, clock, telemetry: silent, logger: quiet }),
    assessors: [],
    logger: quiet,
    samples: new SampleLog({ store, clock, logger: new RecordedLogger() }),
  });
}

/** Bytes of live heap for each open bucket of two agents with 8 and 7 of 8 rollouts. */
async function measureBucket(
  send: (rewards: RewardService, bucket: number) => Promise<void>,
): Promise<number> {
  const rewards = await openRewards();
  const live = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  for (let bucket = 0; bucket < 200; bucket++) await send(rewards, bucket);
  const before = live();
  for (let bucket = 200; bucket < 200 + BUCKETS; bucket++) await send(rewards, bucket);
  const bytes = (live() - before) / BUCKETS;
  // Without this the service could be collected before the last look.
  await send(rewards, 0);
  return bytes;
}

const submission = { cohort: 'test', submissionId: null, incarnation: null, step: null };

it('keeps an open bucket of 2 agents and 8 rollouts in 8 KB, whatever the length of the completions', async () => {
  const bytes = await measureBucket(async (rewards, bucket) => {
    for (const [agent, count] of [
      ['a', K],
      ['b', K - 1],
    ] as const) {
      const groups = [groupOf(`p${bucket}`, rolloutsOf(count, bucket, true))];
      await rewards.record({ ...submission, agent, groups });
    }
  });
  expect(bytes).toBeLessThan(8_000);
});

it('keeps an open bucket in 10 KB when its rollouts come one by one and without ids', async () => {
  const bytes = await measureBucket(async (rewards, bucket) => {
    for (const [agent, count] of [
      ['a', K],
      ['b', K - 1],
    ] as const) {
      for (const rollout of rolloutsOf(count, bucket, false)) {
        const groups = [groupOf(`p${bucket}`, [rollout])];
        await rewards.record({ ...submission, agent, groups, recallable: false });
      }
    }
  });
  expect(bytes).toBeLessThan(10_000);
});
