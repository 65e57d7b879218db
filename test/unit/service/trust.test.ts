import { describe, expect, it } from 'vitest';
import { DEFAULT_RELIABILITY_RULES } from '../../../src/domain/plan.ts';
import { buildAdaptive, type CohortOverrides } from '../../support/builders.ts';
import { onlyGroup, openService, type ServiceScene, wholeGroup } from '../../support/service.ts';

const COHORT: CohortOverrides = { agents: ['a', 'b', 'c'], k: 1, supervision: buildAdaptive() };

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

describe('reliability.min_posterior', () => {
  const rules = { ...DEFAULT_RELIABILITY_RULES, every: 4, window: 8, minPosterior: 0.9 };
  const RINGS: CohortOverrides = { agents: ['a', 'b', 'c'], k: 1, reliability: rules };

  it('doubts the labels of a ring, which stays a ring', async () => {
    const scene = await openService(RINGS);
    await train(scene);
    expect(await scene.store.plans.read('test')).toMatchObject({ version: 1, teachers: null });
    expect(await awaitedBy(scene, 'b', 'doubtful')).toEqual(['a', 'c']);
    await send(scene, 'a', 'doubtful', '8');
    await send(scene, 'c', 'doubtful', '7');
    const doubtful = onlyGroup(await send(scene, 'b', 'doubtful'));
    expect(doubtful).toMatchObject({ status: 'unlabeled', label: null, teachers: ['a'] });
    for (const agent of ['a', 'c']) await send(scene, agent, 'sure', '7');
    expect(onlyGroup(await send(scene, 'b', 'sure'))).toMatchObject({ label: '7', teachers: ['a'] });
  });

  it('doubts the label that the reliable ones of its peers gave', async () => {
    const weighed: CohortOverrides = {
      ...RINGS,
      supervision: { kind: 'peer-majority' },
      weighting: 'dawid-skene',
    };
    const scene = await openService(weighed);
    await train(scene);
    await send(scene, 'a', 'doubtful', '8');
    await send(scene, 'c', 'doubtful', '7');
    expect(onlyGroup(await send(scene, 'b', 'doubtful'))).toMatchObject({ status: 'unlabeled', label: null });
    const sure = await openService({ ...weighed, reliability: { ...rules, minPosterior: 0 } });
    await train(sure);
    await send(sure, 'a', 'doubtful', '8');
    await send(sure, 'c', 'doubtful', '7');
    expect(onlyGroup(await send(sure, 'b', 'doubtful'))).toMatchObject({ status: 'scored', label: '7' });
  });
});

describe('reliability.truth_share', () => {
  const rules = { ...DEFAULT_RELIABILITY_RULES, every: 6, window: 12 };

  async function trained(truthShare: number) {
    const scene = await openService({
      ...COHORT,
      reliability: { ...rules, truthShare },
    });
    for (let at = 0; at < 6; at++) {
      for (const [agent, label] of Object.entries({ a: '1', b: '2', c: '2' })) {
        await scene.record(agent, [wholeGroup(`p${at}`, [label], { groundTruth: '1' })]);
      }
    }
    return scene;
  }

  it('says who is reliable where agreement misleads, and leaves every reward to the labels', async () => {
    const by = async (share: number) => {
      const scene = await trained(share);
      return { scene, plan: await scene.store.plans.read('test') };
    };
    const [blind, told] = [await by(0), await by(1)];
    expect(blind.plan?.anchors).toBeUndefined();
    expect(told.plan?.anchors).toEqual({
      a: { right: 6, seen: 6 },
      b: { right: 0, seen: 6 },
      c: { right: 0, seen: 6 },
    });
    expect(told.plan?.reliability).toEqual({ a: 0.9, b: 0.3, c: 0.3 });
    expect((blind.plan?.reliability.b ?? 0) > (blind.plan?.reliability.a ?? 1)).toBe(true);
    for (const { scene } of [blind, told]) {
      const paid = onlyGroup(await send(scene, 'b', 'p0', '2'));
      expect(paid).toMatchObject({ rewardSource: 'peer-vote', label: '1', teachers: ['a'] });
      expect(paid.rollouts[0]?.reward).toBe(0);
    }
  });

  it('takes the same prompts on every replica, about as many as it says', async () => {
    const scene = await trained(0.5);
    const rows = await scene.store.plans.rows('test');
    const again = await (await trained(0.5)).store.plans.rows('test');
    expect(again).toEqual(rows);
    const known = rows.filter(({ right }) => right !== undefined).length;
    expect(known > 0 && known < 6).toBe(true);
  });
});
