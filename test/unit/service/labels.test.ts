import { describe, expect, it } from 'vitest';
import { onlyGroup, openService, rewardsOf, type ServiceOptions, wholeGroup } from '../../support/service.ts';

/** What agent `a` gets for ['4', '5'] when its teacher `b` sends these answers. */
async function learnFrom(answers: readonly (string | null)[], options: ServiceOptions = {}) {
  const scene = await openService({ k: answers.length, ...options });
  const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])]);
  await scene.record('b', [wholeGroup('p', answers)]);
  return onlyGroup(await scene.now(ticket));
}

describe('a group whose teacher gives no label', () => {
  const without: readonly [string, readonly (string | null)[], ServiceOptions][] = [
    ['nothing can be read', [null, null, null, null], {}],
    ['the top answer is below the threshold', ['4', '5', '6', '7'], { vote: { threshold: 0.5 } }],
    ['the top answers tie under discard', ['4', '4', '5', '5'], { vote: { tie: 'discard' } }],
    ['too few could be read', ['4', null, null, null], { vote: { minVotes: 2 } }],
  ];

  it.each(without)('is unlabeled where %s: every rollout 0.0', async (_why, answers, options) => {
    const group = await learnFrom(answers, options);
    expect(group).toMatchObject({ status: 'unlabeled', label: null, rewardSource: 'none' });
    expect(group.reason).not.toBeNull();
    expect(group.rollouts.map(({ reward }) => reward)).toEqual([0, 0]);
  });

  it.each(without)(
    'is unlabeled where %s: every rollout null where asked',
    async (_why, answers, options) => {
      const group = await learnFrom(answers, { ...options, unlabeledReward: null });
      expect(group.status).toBe('unlabeled');
      expect(group.rollouts.map(({ reward }) => reward)).toEqual([null, null]);
    },
  );
});

describe('a group whose teacher never came', () => {
  it('is expired, never a self-vote, though the student agrees with itself', async () => {
    for (const unlabeledReward of [0, null] as const) {
      const scene = await openService({ unlabeledReward });
      const ticket = await scene.record('a', [wholeGroup('p', ['4', '4'])]);
      await scene.advance(60_000);
      const result = await scene.now(ticket);
      expect(onlyGroup(result)).toMatchObject({ status: 'expired', rewardSource: 'none', label: null });
      expect(rewardsOf(result)).toEqual([unlabeledReward, unlabeledReward]);
    }
  });
});

describe('a label', () => {
  it('is told with its share, its source and whether it is true, which no reward follows', async () => {
    const scene = await openService({ k: 3 });
    await scene.record('b', [wholeGroup('p', ['5', '5', '4'], { groundTruth: '4' })]);
    const group = onlyGroup(await scene.submit('a', [wholeGroup('p', ['4', '5', null])]));
    expect(group).toMatchObject({
      status: 'scored',
      label: '5',
      labelShare: 2 / 3,
      labelCorrect: false,
      teachers: ['b'],
      rewardSource: 'peer-vote',
      staleness: 0,
      reason: null,
    });
    expect(group.rollouts.map(({ reward, correct, answer }) => [reward, correct, answer])).toEqual([
      [0, true, '4'],
      [1, false, '5'],
      [0, false, null],
    ]);
  });

  it('counts equal answers together, however they are written', async () => {
    const group = await learnFrom(['4.0', ' 4', '\\frac{8}{2}', '5'], {});
    expect(group.labelShare).toBe(0.75);
    expect(group.rollouts.map(({ reward }) => reward)).toEqual([1, 0]);
  });

  it('is true or not only where somebody sent the truth', async () => {
    const group = await learnFrom(['4', '4']);
    expect([group.labelCorrect, ...group.rollouts.map(({ correct }) => correct)]).toEqual([null, null, null]);
  });
});

describe('who teaches whom', () => {
  it.each([
    ['predecessor', { a: 'c', b: 'a', c: 'b' }],
    ['successor', { a: 'b', b: 'c', c: 'a' }],
  ] as const)('follows the ring of three to the %s', async (direction, teacherOf) => {
    const scene = await openService({
      agents: ['a', 'b', 'c'],
      supervision: { kind: 'ring', direction },
    });
    const answerOf = { a: '1', b: '2', c: '3' };
    const tickets = new Map<string, Awaited<ReturnType<typeof scene.record>>>();
    for (const [agent, answer] of Object.entries(answerOf)) {
      tickets.set(agent, await scene.record(agent, [wholeGroup('p', [answer, answer])]));
    }
    for (const [agent, ticket] of tickets) {
      const { label, teachers } = onlyGroup(await scene.now(ticket));
      const teacher = teacherOf[agent as keyof typeof teacherOf];
      expect([teachers, label]).toEqual([[teacher], answerOf[teacher]]);
    }
  });

  it('gives an agent of role teacher no reward, and answers it at once', async () => {
    const scene = await openService({ agents: ['a', { name: 'b', role: 'teacher' }] });
    const result = await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    expect(onlyGroup(result)).toMatchObject({ status: 'scored', label: null, teachers: [] });
    expect(rewardsOf(result)).toEqual([null, null]);
    expect(rewardsOf(await scene.submit('a', [wholeGroup('p', ['4', '5'])]))).toEqual([1, 0]);
  });

  it('is the agent itself under ttrl, which waits for its own group', async () => {
    const scene = await openService({ agents: ['a', 'b'], method: 'ttrl', k: 3 });
    const half = wholeGroup('p', ['4', '4', '5']);
    const ticket = await scene.record('a', [{ ...half, rollouts: half.rollouts.slice(0, 2) }]);
    expect(await scene.now(ticket)).toMatchObject({ kind: 'pending', waitingFor: [{ agent: 'a', have: 2 }] });
    const whole = await scene.submit('a', [half]);
    expect(onlyGroup(whole)).toMatchObject({ rewardSource: 'self-vote', label: '4' });
    expect(rewardsOf(await scene.now(ticket))).toEqual([1, 1]);
  });

  it('is nobody under ground-truth, which needs the truth of every prompt', async () => {
    const scene = await openService({ agents: ['a'], method: 'ground-truth' });
    const known = wholeGroup('p', ['4', '5'], { groundTruth: '4' });
    expect(rewardsOf(await scene.submit('a', [known]))).toEqual([1, 0]);
    await expect(scene.record('a', [known, wholeGroup('q', ['4', '5'])])).rejects.toMatchObject({
      code: 'ground_truth_required',
      details: { prompt_ids: ['q'] },
    });
  });
});
