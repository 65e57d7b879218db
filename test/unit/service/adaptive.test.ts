import { describe, expect, it } from 'vitest';
import { DEFAULT_RELIABILITY_RULES } from '../../../src/domain/plan.ts';
import { findWaits } from '../../../src/service/waits.ts';
import { buildAdaptive, type CohortOverrides } from '../../support/builders.ts';
import { decided, onlyGroup, openService, type ServiceScene, wholeGroup } from '../../support/service.ts';

/** In the ring b learns from a; after 4 prompts of {@link train} it learns from c. */
const COHORT: CohortOverrides = {
  agents: ['a', 'b', 'c'],
  k: 1,
  supervision: buildAdaptive(),
  reliability: { ...DEFAULT_RELIABILITY_RULES, every: 4, window: 8 },
};

async function train(scene: ServiceScene, prompts = 4, prefix = 'p'): Promise<void> {
  for (let at = 0; at < prompts; at++) {
    const labels = at % 2 === 0 ? { a: 'y', b: 'x', c: 'x' } : { a: 'x', b: 'y', c: 'x' };
    for (const [agent, label] of Object.entries(labels)) {
      await scene.record(agent, [wholeGroup(`${prefix}${at}`, [label])]);
    }
  }
}

const send = (scene: ServiceScene, agent: string, promptId: string, answer = '1') =>
  scene.submit(agent, [wholeGroup(promptId, [answer])]);

const awaitedBy = async (scene: ServiceScene, agent: string, promptId: string) => {
  const result = await send(scene, agent, promptId);
  return result.kind === 'pending' ? result.waitingFor.map(({ agent: name }) => name) : [];
};

describe('supervision adaptive', () => {
  it('waits for the ring until there is enough to choose by, and then for whom the plan names', async () => {
    const scene = await openService(COHORT);
    expect(await awaitedBy(scene, 'b', 'before')).toEqual(['a']);
    await train(scene);
    expect(await scene.store.plans.read('test')).toMatchObject({ version: 1, rows: 4, teachers: { b: 'c' } });
    expect(await awaitedBy(scene, 'b', 'after')).toEqual(['c']);
    await send(scene, 'c', 'after', '7');
    const group = onlyGroup(await send(scene, 'b', 'after'));
    expect(group).toMatchObject({ status: 'scored', label: '7', teachers: ['c'] });
  });

  it('keeps what a bucket began with: who waits, what decides, what is judged and what is counted', async () => {
    const scene = await openService(COHORT);
    const parked = await scene.park(await scene.record('b', [wholeGroup('early', ['1'])]));
    await train(scene);
    await send(scene, 'b', 'late');
    const waits = findWaits(scene.cohort, await scene.store.listOpenBuckets('test', 10));
    expect(waits.map(({ student, teacher, prompts }) => [student, teacher, prompts[0]?.promptId])).toEqual([
      ['b', 'a', 'early'],
      ['b', 'c', 'late'],
    ]);
    await send(scene, 'c', 'early', '9');
    expect(parked.over).toBe(false);
    await send(scene, 'a', 'early', '1');
    expect(onlyGroup(await parked.result)).toMatchObject({ label: '1', teachers: ['a'], staleness: 0 });
    const settled = scene.telemetry.settled.filter(({ agent }) => agent === 'b');
    expect(settled).toHaveLength(5);
    expect(onlyGroup(await send(scene, 'b', 'early'))).toMatchObject({ label: '1', teachers: ['a'] });
  });

  it('lets a student that comes after the change join by the plan of the bucket', async () => {
    const scene = await openService(COHORT);
    await send(scene, 'a', 'early', '1');
    await train(scene);
    // Under the new plan it would wait for c.
    expect(onlyGroup(await send(scene, 'b', 'early', '1'))).toMatchObject({
      teachers: ['a'],
      status: 'scored',
    });
    const bucket = (await scene.store.readPrompt('test', 'early'))[0];
    expect(bucket?.plan).toBeNull();
    expect(bucket?.groups.get('c')?.state).toBe('open');
  });

  it('runs the deadline of the teacher that the bucket began with', async () => {
    const scene = await openService(COHORT);
    const ticket = await scene.record('b', [wholeGroup('early', ['1'])]);
    await train(scene);
    await scene.advance(60_000);
    const group = onlyGroup(await scene.now(ticket));
    expect(group).toMatchObject({ status: 'expired', teachers: [] });
    expect(group.reason).toContain('a sent no rollouts');
  });

  it('sets a deadline for the teacher of the old plan, though its student came after the change', async () => {
    const scene = await openService(COHORT);
    await send(scene, 'c', 'early', '9');
    await train(scene);
    const ticket = await scene.record('b', [wholeGroup('early', ['1'])]);
    expect(await scene.now(ticket)).toMatchObject({ kind: 'pending', waitingFor: [{ agent: 'a' }] });
    await scene.advance(60_000);
    expect(onlyGroup(await scene.now(ticket))).toMatchObject({ status: 'expired', label: null });
  });

  it('names the silent teacher of each bucket by its own plan', async () => {
    const scene = await openService({ ...COHORT, barrier: { deadlineMs: 3_600_000 } });
    await send(scene, 'b', 'early');
    await train(scene);
    await send(scene, 'b', 'late');
    scene.clock.advance(60_000);
    await scene.caretaker.watch();
    expect(scene.caretaker.awaited('test').map(({ agent, prompts }) => [agent, prompts])).toEqual([
      ['a', 1],
      ['c', 1],
    ]);
    expect(scene.caretaker.findings('test').map(({ code, agents }) => [code, ...agents])).toEqual([
      ['silent_agent', 'a'],
      ['silent_agent', 'c'],
    ]);
  });

  it('keeps a vote that a student of the old plan was scored against, when its agent restarts', async () => {
    const scene = await openService(COHORT);
    await send(scene, 'b', 'early', '1');
    await send(scene, 'a', 'early', '1');
    await train(scene);
    // By the new plan nobody learns from a.
    await scene.record('a', [wholeGroup('early', ['2'], { round: 0 })], { incarnation: 'restarted' });
    expect(onlyGroup(await scene.submit('b', [wholeGroup('early', ['1'], { round: 0 })]))).toMatchObject({
      label: '1',
    });
  });

  it('takes the latest label of the teacher of its plan under last-label', async () => {
    const scene = await openService({ ...COHORT, barrier: { mode: 'last-label' } });
    for (const agent of ['a', 'b', 'c']) await send(scene, agent, 'early', `of ${agent}`);
    await train(scene);
    const group = onlyGroup(await scene.submit('b', [wholeGroup('early', ['1'], { round: 1 })]));
    expect(group).toMatchObject({ label: 'of c', teachers: ['c'], staleness: 1 });
  });

  it('is the ring among two agents, and learns nothing there', async () => {
    const scene = await openService({ ...COHORT, agents: ['a', 'b'] });
    for (const at of [1, 2, 3, 4, 5]) for (const agent of ['a', 'b']) await send(scene, agent, `p${at}`);
    expect(await scene.store.plans.rows('test')).toEqual([]);
    expect(await scene.planner.shown(scene.cohort)).toMatchObject({
      version: 0,
      teachers: { a: 'b', b: 'a' },
    });
    expect(await awaitedBy(scene, 'b', 'q')).toEqual(['a']);
  });

  it('logs every choice with its figures, and counts every change once', async () => {
    const scene = await openService(COHORT);
    await train(scene);
    expect(scene.logger.lines.map(({ message }) => message)).toEqual([
      'a learns from c (best).',
      'b learns from c (best).',
      'c learns from b (best).',
    ]);
    expect(scene.telemetry.changes).toEqual([{ cohort: 'test', agent: 'b' }]);
    await train(scene, 4, 'q');
    expect(scene.telemetry.changes).toHaveLength(1);
  });
});

describe('adaptive.min_posterior', () => {
  const SURE: CohortOverrides = {
    ...COHORT,
    reliability: { ...DEFAULT_RELIABILITY_RULES, every: 4, window: 8, minPosterior: 0.9 },
  };

  it('waits for all peers, and uses the label only where theirs make it probable', async () => {
    const scene = await openService(SURE);
    await train(scene);
    expect(await awaitedBy(scene, 'b', 'doubtful')).toEqual(['a', 'c']);
    await send(scene, 'c', 'doubtful', '7');
    expect(await awaitedBy(scene, 'b', 'doubtful')).toEqual(['a']);
    await send(scene, 'a', 'doubtful', '8');
    const doubtful = onlyGroup(await send(scene, 'b', 'doubtful'));
    expect(doubtful).toMatchObject({ status: 'unlabeled', label: null, teachers: ['c'] });
    expect(doubtful.reason).toMatch(/label of c .* probability of 0\.\d{3} .* asks for 0\.9/);
    for (const agent of ['a', 'c']) await send(scene, agent, 'sure', '7');
    expect(onlyGroup(await send(scene, 'b', 'sure'))).toMatchObject({ label: '7', teachers: ['c'] });
  });

  it('uses no label of a tied vote, whatever the tie rule', async () => {
    const scene = await openService({ ...SURE, k: 2 });
    for (const agent of ['a', 'c']) await scene.record(agent, [wholeGroup('tied', ['1', '2'])]);
    const result = decided(await scene.submit('b', [wholeGroup('tied', ['1', '1'])]));
    expect(result.groups[0]).toMatchObject({ status: 'unlabeled', reason: 'The votes of a are tied.' });
  });

  it('doubts nothing before there is a plan', async () => {
    const scene = await openService(SURE);
    await send(scene, 'a', 'p', '1');
    await send(scene, 'c', 'p', '2');
    expect(onlyGroup(await send(scene, 'b', 'p', '1'))).toMatchObject({ label: '1', teachers: ['a'] });
  });
});

describe('a person', () => {
  it('sets and freezes teachers from the next bucket on, and gives them back', async () => {
    const scene = await openService(COHORT);
    await send(scene, 'a', 'early');
    await scene.planner.order(scene.cohort, { teachers: { a: 'b', b: 'c' }, frozen: true });
    expect(await awaitedBy(scene, 'a', 'early')).toEqual(['c']);
    expect(await awaitedBy(scene, 'a', 'late')).toEqual(['b']);
    await train(scene, 8);
    expect(await scene.store.plans.read('test')).toMatchObject({
      version: 3,
      frozen: true,
      teachers: { a: 'b', b: 'c', c: 'b' },
    });
    const released = await scene.planner.release(scene.cohort);
    expect(released).toMatchObject({ version: 4, frozen: false, teachers: { a: 'c', b: 'c', c: 'b' } });
    expect(scene.telemetry.changes.map(({ agent }) => agent)).toEqual(['a', 'b', 'a']);
  });

  it('is told everything that is wrong with an order at once, and nothing changes', async () => {
    const scene = await openService(COHORT);
    const order = { teachers: { a: 'a', x: 'b', b: 'nobody' }, frozen: true };
    await expect(scene.planner.order(scene.cohort, order)).rejects.toMatchObject({
      code: 'invalid_request',
      details: {
        problems: [{ path: 'teachers.a' }, { path: 'teachers.x' }, { path: 'teachers.b' }],
      },
    });
    expect(await scene.store.plans.read('test')).toBeNull();
  });
});
