import { describe, expect, it } from 'vitest';
import { Inspector } from '../../../src/service/inspect.ts';
import {
  openService,
  rewardsOf,
  type ServiceOptions,
  type ServiceScene,
  wholeGroup,
} from '../../support/service.ts';

const open = (options: ServiceOptions = {}) => openService({ agents: ['a', 'b', 'c'], k: 2, ...options });

/** In the ring a ← c, b ← a, c ← b: a learns from c. */
const send = (scene: ServiceScene, agent: string, promptId: string, answers: readonly string[]) =>
  scene.record(agent, [wholeGroup(promptId, answers)]);

describe('an agent that has finished', () => {
  it('closes the ring over those who remain, for the prompts that come after it', async () => {
    const scene = await open();
    await scene.finish('c');
    const a = await send(scene, 'a', 'p', ['4', '5']);
    const b = await send(scene, 'b', 'p', ['5', '5']);
    expect(rewardsOf(await scene.now(a))).toEqual([0, 1]);
    expect(rewardsOf(await scene.now(b))).toEqual([0, 0]);
    expect(await scene.now(a)).toMatchObject({ groups: [{ status: 'scored', teachers: ['b'] }] });
  });

  it('is not waited for, and the one after it is, until its own deadline', async () => {
    const scene = await open({ barrier: { deadlineMs: 60_000 } });
    await scene.finish('c');
    const a = await scene.park(await send(scene, 'a', 'p', ['4', '5']));
    expect(a.over).toBe(false);
    await scene.advance(60_000);
    expect(await a.result).toMatchObject({ kind: 'decided', groups: [{ status: 'expired' }] });
  });

  it('leaves the prompts that it was waited for in already as they were: skipped, whoever comes later', async () => {
    const scene = await open();
    const a = await send(scene, 'a', 'p', ['4', '5']);
    await scene.finish('c');
    expect(await scene.now(a)).toMatchObject({ groups: [{ status: 'skipped' }] });
    await send(scene, 'b', 'p', ['5', '5']);
    expect(await scene.now(a)).toMatchObject({ groups: [{ status: 'skipped' }] });
  });

  it('teaches with what it sent before it finished', async () => {
    const scene = await open();
    await send(scene, 'c', 'p', ['4', '4']);
    await scene.finish('c');
    const a = await send(scene, 'a', 'p', ['4', '5']);
    expect(rewardsOf(await scene.now(a))).toEqual([1, 0]);
  });

  it('changes nothing of what was scored without it when it comes back', async () => {
    const scene = await open();
    await scene.finish('c', 'one');
    const a = await send(scene, 'a', 'p', ['4', '5']);
    await send(scene, 'b', 'p', ['5', '5']);
    const before = rewardsOf(await scene.now(a));
    await scene.record('c', [wholeGroup('p', ['4', '4'])], { incarnation: 'two' });
    expect(rewardsOf(await scene.now(a))).toEqual(before);
  });

  it('lets two who remain learn from each other when two have left, and one alone from nobody', async () => {
    const scene = await open({ agents: ['a', 'b', 'c', 'd'] });
    await scene.finish('c');
    await scene.finish('d');
    const a = await send(scene, 'a', 'p', ['4', '5']);
    await send(scene, 'b', 'p', ['5', '5']);
    expect(rewardsOf(await scene.now(a))).toEqual([0, 1]);
    await scene.finish('b');
    const alone = await send(scene, 'a', 'q', ['4', '5']);
    expect(await scene.now(alone)).toMatchObject({ groups: [{ status: 'skipped' }] });
  });

  it('leaves its student without a teacher where the cohort wants that, at once', async () => {
    const scene = await open({ onFinish: 'expire' });
    await scene.finish('c');
    const a = await send(scene, 'a', 'p', ['4', '5']);
    expect(await scene.now(a)).toMatchObject({ groups: [{ status: 'skipped', teachers: [] }] });
    const b = await send(scene, 'b', 'p', ['5', '4']);
    expect(rewardsOf(await scene.now(b))).toEqual([0, 1]);
    await send(scene, 'b', 'q', ['5', '5']);
    expect(await scene.now(a)).toMatchObject({ groups: [{ status: 'skipped' }] });
  });

  it.each([
    ['close-ring', {}, 'b', ['b']],
    ['expire', { onFinish: 'expire' }, 'nobody', ['c']],
  ] as const)(
    'is told to the log and shown with who teaches whom then: %s',
    async (_name, options, from, shown) => {
      const scene = await open(options);
      await scene.finish('c');
      expect(scene.logger.lines.map(({ message }) => message)).toEqual([
        `c has finished: from the next prompt on a learns from ${from}.`,
      ]);
      const inspector = new Inspector(scene.store, scene.cohorts, scene.clock, scene.planner);
      expect((await inspector.live(scene.cohort)).teachers.get('a')).toEqual(shown);
    },
  );

  it('closes the ring under last-label once its own labels have run out', async () => {
    const scene = await open({ barrier: { mode: 'last-label', maxStaleness: 1 } });
    const round = (at: number, agent: string, answers: readonly string[]) =>
      scene.record(agent, [wholeGroup('p', answers, { round: at })]);
    await round(0, 'b', ['5', '5']);
    await round(0, 'c', ['4', '4']);
    await scene.finish('c');
    await round(1, 'b', ['5', '5']);
    expect(rewardsOf(await scene.now(await round(1, 'a', ['4', '5'])))).toEqual([1, 0]);
    expect(rewardsOf(await scene.now(await round(2, 'a', ['4', '5'])))).toEqual([0, 1]);
  });

  for (const kind of ['peer-majority', 'pooled'] as const) {
    it(`is left out of the label of the others under ${kind}`, async () => {
      const scene = await open({ supervision: { kind } });
      await scene.finish('c');
      const a = await send(scene, 'a', 'p', ['4', '5']);
      await send(scene, 'b', 'p', ['5', '5']);
      expect(await scene.now(a)).toMatchObject({ groups: [{ status: 'scored', teachers: ['b'] }] });
      expect(rewardsOf(await scene.now(a))).toEqual([0, 1]);
    });
  }
});
