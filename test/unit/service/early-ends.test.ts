import { describe, expect, it } from 'vitest';
import { groupOf, openService, rolloutOf, type ServiceScene, wholeGroup } from '../../support/service.ts';

const STALLED_MS = 30_000;
const GRACE_MS = 20_000;

const open = () =>
  openService({
    agents: ['a', 'b'],
    k: 4,
    barrier: { deadlineMs: 840_000, graceMs: GRACE_MS },
    watchdog: { stalledAfterMs: STALLED_MS, silentAfterMs: 45_000 },
  });

async function pass(scene: ServiceScene, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) {
    await scene.advance(5_000);
    await scene.caretaker.watch();
  }
}

const half = (promptId: string) => wholeGroup(promptId, ['4', '5']);

/** Both send half of a group for the prompt and wait for its rewards. */
async function sendHalf(scene: ServiceScene, promptId: string) {
  const [a, b] = [await scene.record('a', [half(promptId)]), await scene.record('b', [half(promptId)])];
  return [await scene.park(a, 10_000_000), await scene.park(b, 10_000_000)];
}

describe('a group that can never fill', () => {
  it('is decided with what it has, long before its deadline, and sooner once that is known', async () => {
    const scene = await open();
    const first = await sendHalf(scene, 'p');
    await pass(scene, STALLED_MS + GRACE_MS - 5_000);
    expect(scene.caretaker.findings('test').map(({ code }) => code)).toEqual(['k_mismatch', 'k_mismatch']);
    expect(first.map(({ over }) => over)).toEqual([false, false]);
    await pass(scene, 5_000);
    for (const parked of first) {
      expect(await parked.result).toMatchObject({ kind: 'decided', groups: [{ status: 'scored' }] });
    }
    const second = await sendHalf(scene, 'q');
    await pass(scene, STALLED_MS);
    for (const parked of second) {
      expect(await parked.result).toMatchObject({ kind: 'decided', groups: [{ status: 'scored' }] });
    }
  });

  it('is counted once, as decided by its quorum', async () => {
    const scene = await open();
    await sendHalf(scene, 'p');
    await pass(scene, STALLED_MS + GRACE_MS);
    expect(scene.telemetry.closed.map(({ agent, state, cause }) => [agent, state, cause])).toEqual([
      ['a', 'partial', 'quorum'],
      ['b', 'partial', 'quorum'],
    ]);
    expect(scene.telemetry.settled).toHaveLength(2);
  });

  it('is one of an agent whose groups stop at one count: others wait for their deadline', async () => {
    const scene = await open();
    await scene.record('a', [wholeGroup('full', ['4', '4', '4', '4'])]);
    const slow = await scene.park(await scene.record('a', [half('p')]), 10_000_000);
    const mixed = await scene.record('b', [half('p'), groupOf('q', [rolloutOf('4', 0)])]);
    const other = await scene.park(mixed, 10_000_000);
    await pass(scene, 200_000);
    expect([slow.over, other.over]).toEqual([false, false]);
  });
});
