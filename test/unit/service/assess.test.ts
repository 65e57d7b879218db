import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { Assessor } from '../../../src/service/assess.ts';
import { groupOf, openService, rolloutOf, wholeGroup } from '../../support/service.ts';

/** Says of every answer how long it is, in the prompts named so. */
const lengths: Assessor = {
  concerns: ({ group }) => group.promptId.startsWith('long'),
  assess: async ({ rollouts }) =>
    rollouts.map((rollout) => ({ ...rollout, signals: { score: rollout.answer?.length ?? 0 } })),
};

const signalsOf = async (scene: Awaited<ReturnType<typeof openService>>, promptId: string) => {
  const [bucket] = await scene.store.readPrompt('test', promptId);
  return bucket?.groups.get('a')?.rollouts.map(({ signals }) => signals);
};

describe('an assessor', () => {
  it('has its word stored with the rollouts that concern it, and with no others', async () => {
    const scene = await openService({ assessors: [lengths] });
    await scene.record('a', [wholeGroup('long', ['12', '345']), wholeGroup('short', ['12', '345'])]);
    expect(await signalsOf(scene, 'long')).toEqual([{ score: 2 }, { score: 3 }]);
    expect(await signalsOf(scene, 'short')).toEqual([null, null]);
  });

  it('is not believed twice: what was stored first stays', async () => {
    let times = 0;
    const fickle: Assessor = {
      concerns: () => true,
      assess: async ({ rollouts }) => {
        times++;
        return rollouts.map((rollout) => ({ ...rollout, signals: { score: times } }));
      },
    };
    const scene = await openService({ assessors: [fickle] });
    await scene.record('a', [wholeGroup('p', ['1', '2'])]);
    await scene.record('a', [wholeGroup('p', ['1', '2'], { round: 0 })]);
    expect(await signalsOf(scene, 'p')).toEqual([{ score: 1 }, { score: 1 }]);
    expect(times).toBe(2);
  });

  it('that takes no more leaves nothing stored', async () => {
    const busy: Assessor = {
      concerns: () => true,
      assess: () => Promise.reject(new ServiceError('draining', 'Come back later.')),
    };
    const scene = await openService({ assessors: [busy] });
    await expect(scene.record('a', [wholeGroup('p', ['1', '2'])])).rejects.toThrow('Come back later.');
    expect(await scene.store.readPrompt('test', 'p')).toEqual([]);
  });

  it('finds what the trainer said, and may leave it', async () => {
    const quiet: Assessor = { concerns: () => true, assess: async ({ rollouts }) => rollouts };
    const scene = await openService({ assessors: [quiet] });
    const rollouts = [
      rolloutOf('1', 0, { signals: { entropy: 0.5 } }),
      rolloutOf('2', 1, { signals: { interaction: 'd1', part: 'scorer', tau: 3 } }),
    ];
    await scene.record('a', [groupOf('p', rollouts)]);
    expect(await signalsOf(scene, 'p')).toEqual([
      { entropy: 0.5 },
      { interaction: 'd1', part: 'scorer', tau: 3 },
    ]);
  });
});
