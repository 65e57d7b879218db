import { expect, it } from 'vitest';
import { releaseWhenGone } from '../../../src/http/release.ts';
import type { RewardService } from '../../../src/service/rewards.ts';
import { openService, settleDown, wholeGroup } from '../../support/service.ts';

async function setUp(release: () => Promise<void>) {
  const scene = await openService();
  const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])]);
  const warnings: string[] = [];
  const log = { warn: (_fields: object, message: string) => warnings.push(message) };
  const caller = new AbortController();
  const watch = () =>
    releaseWhenGone(
      caller.signal,
      ticket,
      { release } as unknown as RewardService,
      log as unknown as Parameters<typeof releaseWhenGone>[3],
    );
  return { caller, watch, warnings };
}

it('releases what a caller left, whether it goes later or had gone before', async () => {
  let released = 0;
  const release = async () => {
    released += 1;
  };
  const later = await setUp(release);
  later.watch();
  expect(released).toBe(0);
  later.caller.abort();
  expect(released).toBe(1);
  const before = await setUp(release);
  before.caller.abort();
  before.watch();
  expect(released).toBe(2);
});

it('says in the log what a release that failed means', async () => {
  const { caller, watch, warnings } = await setUp(() => Promise.reject(new Error('gone')));
  watch();
  caller.abort();
  await settleDown();
  expect(warnings).toEqual(['A closed connection could not be released; its retry counts as new rollouts.']);
});
