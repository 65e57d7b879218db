import { describe, expect, it } from 'vitest';
import { DEFAULT_RELIABILITY_RULES } from '../../../src/domain/plan.ts';
import { buildCohort } from '../../support/builders.ts';
import {
  decided,
  openService,
  type ServiceOptions,
  type ServiceScene,
  wholeGroup,
} from '../../support/service.ts';

const AGENTS = ['a', 'b', 'c'] as const;

/** Three agents, each taught by the labels of the other two; a plan after every 4 decided buckets. */
const COHORT: ServiceOptions = {
  agents: [...AGENTS],
  k: 1,
  supervision: { kind: 'peer-majority' },
  weighting: 'dawid-skene',
  reliability: { ...DEFAULT_RELIABILITY_RULES, every: 4, window: 8 },
};

type Labels = Readonly<Record<(typeof AGENTS)[number], string | null>>;

async function send(scene: ServiceScene, promptId: string, labels: Labels): Promise<void> {
  for (const agent of AGENTS) await scene.record(agent, [wholeGroup(promptId, [labels[agent]])]);
}

/** What agent `a` learns from on this prompt. */
async function labelOf(scene: ServiceScene, promptId: string, own: string | null) {
  const [group] = decided(await scene.submit('a', [wholeGroup(promptId, [own])])).groups;
  return group?.label;
}

const planOf = (scene: ServiceScene) => scene.store.plans.read(scene.cohort.name);

/** b agrees with a, and c with nobody. */
const agreeing = (at: number): Labels => ({ a: `${at}`, b: `${at}`, c: `no ${at}` });
const SPLIT: Labels = { a: 'x', b: 'y', c: 'z' };

describe('labels weighed by reliability', () => {
  it('count alike until enough buckets are decided, and then by how reliable their agents are', async () => {
    const scene = await openService(COHORT);
    await send(scene, 'before', SPLIT);
    expect(await labelOf(scene, 'before', 'x')).toBeNull();
    for (const at of [1, 2]) await send(scene, `p${at}`, agreeing(at));
    expect(await planOf(scene)).toBeNull();
    await send(scene, 'p3', agreeing(3));
    const plan = await planOf(scene);
    expect(plan).toMatchObject({ version: 1, rows: 4 });
    expect(plan?.reliability.b ?? 0).toBeGreaterThan(plan?.reliability.c ?? 1);
    await send(scene, 'after', SPLIT);
    expect(await labelOf(scene, 'after', 'x')).toBe('y');
  });

  it('never change for a bucket, whatever plan comes after', async () => {
    const scene = await openService(COHORT);
    await scene.record('a', [wholeGroup('early', ['x'])]);
    for (const at of [1, 2, 3, 4]) await send(scene, `p${at}`, agreeing(at));
    expect(await planOf(scene)).toMatchObject({ version: 1 });
    // The bucket began before there was a plan: its labels stay tied.
    await scene.record('b', [wholeGroup('early', ['y'])]);
    await scene.record('c', [wholeGroup('early', ['z'])]);
    expect(await labelOf(scene, 'early', 'x')).toBeNull();
  });

  it('say how probable the label is', async () => {
    const scene = await openService(COHORT);
    for (const at of [1, 2, 3, 4]) await send(scene, `p${at}`, agreeing(at));
    await send(scene, 'after', SPLIT);
    const [group] = decided(await scene.submit('a', [wholeGroup('after', ['x'])])).groups;
    expect(group?.labelShare ?? 0).toBeGreaterThan(0.5);
    expect(group?.labelShare ?? 1).toBeLessThan(1);
  });

  it('are learned again after as many buckets, from the latest ones', async () => {
    const scene = await openService(COHORT);
    for (const at of [1, 2, 3, 4]) await send(scene, `p${at}`, agreeing(at));
    for (const at of [5, 6, 7, 8, 9, 10, 11, 12]) {
      await send(scene, `p${at}`, { a: `${at}`, b: `no ${at}`, c: `${at}` });
    }
    const plan = await planOf(scene);
    expect(plan).toMatchObject({ version: 3, rows: 12 });
    expect(plan?.reliability.c ?? 0).toBeGreaterThan(plan?.reliability.b ?? 1);
  });

  it('learn from buckets that were decided by a skip or by the clock, and not from those with one label', async () => {
    const scene = await openService({ ...COHORT, reliability: { ...DEFAULT_RELIABILITY_RULES, every: 1 } });
    await scene.record('a', [wholeGroup('p', ['1'])]);
    await scene.record('b', [wholeGroup('p', ['1'])]);
    await scene.skip('c', 'p');
    expect(await planOf(scene)).toMatchObject({ version: 1, rows: 1 });
    await scene.record('a', [wholeGroup('q', ['1'])]);
    await scene.record('b', [wholeGroup('q', ['1'])]);
    await scene.advance(60_000);
    expect(await planOf(scene)).toMatchObject({ version: 2, rows: 2 });
    await send(scene, 'r', { a: '1', b: null, c: null });
    expect(await planOf(scene)).toMatchObject({ version: 2 });
  });

  it('are the same for two replicas that learn at the same time', async () => {
    const one = await openService(COHORT);
    const other = await openService({ ...COHORT, wrapStore: () => one.store });
    const prompts = Array.from({ length: 12 }, (_, at) => at);
    await Promise.all(prompts.map((at) => send(at % 2 === 0 ? one : other, `p${at}`, agreeing(at))));
    const plan = await planOf(one);
    expect(await planOf(other)).toEqual(plan);
    expect(plan?.version ?? 0).toBeGreaterThanOrEqual(1);
    await send(other, 'after', SPLIT);
    expect(await labelOf(one, 'after', 'x')).toBe(await labelOf(other, 'after', 'x'));
  });

  it('count alike where the plan was made for other agents', async () => {
    const scene = await openService(COHORT);
    for (const at of [1, 2, 3, 4]) await send(scene, `p${at}`, agreeing(at));
    const renamed = buildCohort({ ...COHORT, agents: ['a', 'b', 'd'] });
    expect(await scene.cohorts.put(renamed)).toBe('replaced');
    for (const [agent, answer] of [
      ['a', 'x'],
      ['b', 'y'],
      ['d', 'z'],
    ] as const) {
      await scene.record(agent, [wholeGroup('after', [answer])]);
    }
    expect(await labelOf(scene, 'after', 'x')).toBeNull();
  });

  it('cost nothing where they are not asked for', async () => {
    const scene = await openService({ ...COHORT, weighting: 'none' });
    for (const at of [1, 2, 3, 4, 5]) await send(scene, `p${at}`, agreeing(at));
    expect(await planOf(scene)).toBeNull();
    expect(await scene.store.plans.rows(scene.cohort.name)).toEqual([]);
  });
});
