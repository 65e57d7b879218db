import { describe, expect, it } from 'vitest';
import { MOST_ROUNDS } from '../../../src/domain/prompt-state.ts';
import { buildArrival, buildRollout, buildRollouts, buildTruth } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

export function describeGroups(setup: StoreSetup): void {
  describe('groups', () => {
    it('completes a group with its Kth rollout, and tells so once', async () => {
      const scene = await openScene(setup, { k: 2 });
      const first = await scene.record('a', 'p', [buildRollout('r0', '4')]);
      const second = await scene.record('a', 'p', [buildRollout('r1', '5')]);
      expect([first.decided, second.decided]).toEqual([[], ['a']]);
      expect(second.bucket.groups.get('a')).toMatchObject({ state: 'complete', cause: 'k' });
      const again = await scene.record('a', 'p', [buildRollout('r1', '5')]);
      expect(again.decided).toEqual([]);
    });

    it('decides a group once when its rollouts race', async () => {
      const scene = await openScene(setup, { k: 8 });
      const rollouts = buildRollouts(['1', '2', '3', '4', '5', '6', '7', '8']);
      const outcomes = await Promise.all(
        [...rollouts, ...rollouts].map((rollout) => scene.record('a', 'p', [rollout])),
      );
      expect(outcomes.flatMap(({ decided }) => decided)).toEqual(['a']);
      expect((await scene.group('a', 'p')).rollouts).toHaveLength(8);
    });

    it('opens the groups of the teachers with the first rollout of a student', async () => {
      const scene = await openScene(setup, { agents: ['a', 'b', 'c'] });
      await scene.record('b', 'p', [buildRollout('r0', '4')]);
      const bucket = await scene.bucket('p');
      expect([...(bucket?.groups.keys() ?? [])].sort()).toEqual(['a', 'b']);
      expect(bucket?.groups.get('a')).toMatchObject({ state: 'open', k: 2, rollouts: [] });
    });

    it('fills groups from submissions that mix prompts and parts of groups in any order', async () => {
      const scene = await openScene(setup, {
        agents: [
          { name: 'a', k: 3 },
          { name: 'b', k: 2 },
        ],
      });
      const [a0, a1, a2] = buildRollouts(['1', '2', '3']).map((rollout) => [rollout]);
      const [b0, b1] = buildRollouts(['1', '2'], 's').map((rollout) => [rollout]);
      if (!a0 || !a1 || !a2 || !b0 || !b1) throw new Error('unreachable');
      await scene.sendAll('b', [buildArrival('q', b1), buildArrival('p', b0)]);
      await scene.sendAll('a', [buildArrival('p', a2), buildArrival('q', a1)]);
      await scene.sendAll('a', [buildArrival('q', [...a2, ...a0]), buildArrival('p', a0)]);
      await scene.sendAll('b', [buildArrival('p', b1), buildArrival('q', b0)]);
      const outcomes = await scene.sendAll('a', [buildArrival('p', a1)]);
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['stored']);
      for (const promptId of ['p', 'q']) {
        for (const agent of ['a', 'b']) {
          expect(await scene.group(agent, promptId)).toMatchObject({ state: 'complete', cause: 'k' });
        }
      }
      expect(await scene.store.countOpenBuckets(scene.cohort.name)).toBe(0);
    });

    it('keeps every field of a rollout and names its slot in the order sent', async () => {
      const scene = await openScene(setup, { k: 3 });
      const sent = [
        buildRollout('r2', null, { index: 2, tokens: 311, truncated: true, text: 'no answer' }),
        buildRollout('r0', '4', { index: 0, key: 'k4', tokens: 12, text: 'four' }),
      ];
      const { slots, bucket, added } = await scene.record('a', 'p', sent, { incarnation: 'i-1', step: 7 });
      expect(added).toBe(2);
      expect(slots).toEqual([
        { id: 'r2', incarnation: 'i-1' },
        { id: 'r0', incarnation: 'i-1' },
      ]);
      const kept = { incarnation: 'i-1', step: 7, late: false, anonymous: false, holder: null };
      expect(bucket.groups.get('a')).toMatchObject({
        incarnation: 'i-1',
        step: 7,
        rollouts: sent.map((rollout) => ({ ...rollout, ...kept })),
      });
      expect(await scene.bucket('p')).toEqual(bucket);
    });

    it('changes nothing when the same ids come again, alone or among new ones', async () => {
      const scene = await openScene(setup, { k: 3 });
      const [r0, r1, r2] = buildRollouts(['4', '5', null]);
      if (!r0 || !r1 || !r2) throw new Error('unreachable');
      await scene.record('a', 'p', [r0, r1], { round: 0 });
      const before = await scene.bucket('p');
      const again = await scene.record('a', 'p', [r1, r0, r1], { round: 0 });
      expect(again).toMatchObject({
        added: 0,
        decided: [],
        slots: [{ id: 'r1' }, { id: 'r0' }, { id: 'r1' }],
      });
      expect(await scene.bucket('p')).toEqual(before);
      const mixed = await scene.record('a', 'p', [r0, r2], { round: 0 });
      expect(mixed).toMatchObject({ added: 1, decided: ['a'] });
    });

    it('refuses the same id with another text, stores nothing of that group and all of the others', async () => {
      const scene = await openScene(setup, { k: 4 });
      await scene.record('a', 'p', [buildRollout('r0', '4')], { round: 0 });
      const before = await scene.bucket('p');
      const other = buildRollout('r0', '5', { text: 'another text' });
      const outcomes = await scene.sendAll('a', [
        buildArrival('q', [buildRollout('r0', '1')], { round: 0 }),
        buildArrival('p', [buildRollout('r1', '4'), other], { round: 0 }),
        buildArrival('s', [buildRollout('r0', '2')], { round: 0 }),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'rollout-conflict', 'stored']);
      expect(outcomes[1]).toEqual({ kind: 'rollout-conflict', rolloutId: 'r0', round: 0 });
      expect(await scene.bucket('p')).toEqual(before);
      expect((await scene.group('a', 's')).rollouts).toHaveLength(1);
    });

    it('refuses two texts for one id within one submission', async () => {
      const scene = await openScene(setup);
      const outcome = await scene.send('a', 'p', [
        buildRollout('r0', '4'),
        buildRollout('r0', '5', { text: 'other' }),
      ]);
      expect(outcome).toEqual({ kind: 'rollout-conflict', rolloutId: 'r0', round: 0 });
      expect(await scene.bucket('p')).toBeNull();
    });

    it('lets two agents use the same rollout ids', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      const outcome = await scene.record('b', 'p', buildRollouts(['6', '7']));
      expect(outcome.decided).toEqual(['b']);
    });

    it('keeps the first ground truth, takes another spelling of it, and refuses another where rewards come from it', async () => {
      const scene = await openScene(setup);
      const [r0, r1] = buildRollouts(['4', '5']);
      if (!r0 || !r1) throw new Error('unreachable');
      await scene.record('a', 'p', [r0]);
      expect((await scene.bucket('p'))?.truth).toBeNull();
      const half = { ...buildTruth('1/2', 'half'), accepted: ['1/2', 'one half'] };
      await scene.record('b', 'p', [r0], { truth: half });
      await scene.record('a', 'p', [r1], { truth: buildTruth('0.5', 'half') });
      const before = await scene.bucket('p');
      expect(before?.truth).toEqual(half);
      const refused = await scene.send('b', 'p', [r1], { truth: buildTruth('3'), paysByTruth: true });
      expect(refused).toEqual({ kind: 'truth-conflict', stored: '1/2', sent: '3', round: 0 });
      expect(await scene.bucket('p')).toEqual(before);
    });

    it('keeps a truth that contradicts the first beside it where no reward comes from it', async () => {
      const scene = await openScene(setup);
      const [r0, r1] = buildRollouts(['4', '5']);
      if (!r0 || !r1) throw new Error('unreachable');
      const first = buildTruth('FALSE');
      await scene.record('a', 'p', [r0], { truth: first });
      const { dispute } = await scene.record('b', 'p', [r0], { truth: buildTruth('42') });
      expect(dispute).toEqual({ stored: 'FALSE', sent: '42' });
      const again = await scene.record('b', 'p', [r1], { truth: buildTruth('43') });
      expect(again.dispute).toEqual({ stored: 'FALSE', sent: '43' });
      expect((await scene.bucket('p'))?.truth).toEqual({ ...first, disputedBy: '42' });
      expect((await scene.bucket('p'))?.groups.get('b')?.rollouts).toHaveLength(2);
    });

    it('keeps the latest rounds of one prompt and no more', async () => {
      const scene = await openScene(setup);
      const rounds = (from: number, count: number) =>
        Array.from({ length: count }, (_, at) =>
          buildArrival('p', buildRollouts(['4', '5']), { round: from + at }),
        );
      const first = await scene.sendAll('a', rounds(0, MOST_ROUNDS + 1));
      expect(first.filter(({ kind }) => kind === 'stored')).toHaveLength(MOST_ROUNDS);
      expect(first.at(-1)).toEqual({
        kind: 'too-many-rounds',
        promptId: 'p',
        limit: MOST_ROUNDS,
        round: MOST_ROUNDS,
      });
      await scene.sendAll('b', rounds(0, 3));
      const later = await scene.sendAll('a', rounds(MOST_ROUNDS, 3));
      expect(later.every(({ kind }) => kind === 'stored')).toBe(true);
      const kept = await scene.store.readPrompt(scene.cohort.name, 'p');
      expect(kept.map(({ round }) => round)).toEqual(Array.from({ length: MOST_ROUNDS }, (_, at) => at + 3));
      expect(await scene.send('a', 'p', buildRollouts(['4', '5']), { round: 0 })).toMatchObject({
        kind: 'too-many-rounds',
      });
      expect(await scene.store.countOpenBuckets(scene.cohort.name)).toBe(MOST_ROUNDS);
      await scene.skip('a', 'p', { round: 1 });
      expect(await scene.store.readPrompt(scene.cohort.name, 'p')).toHaveLength(MOST_ROUNDS);
    });

    it('gives a rollout beyond K no vote, and keeps it to be scored', async () => {
      const scene = await openScene(setup, { k: 2 });
      await scene.record('a', 'p', buildRollouts(['4', '5', '6']), { round: 0 });
      const { state, rollouts } = await scene.group('a', 'p');
      expect(state).toBe('complete');
      expect(rollouts.map(({ late }) => late)).toEqual([false, false, true]);
    });

    it('refuses rollouts without end for one group, and still takes repeats of those it has', async () => {
      const scene = await openScene(setup, { k: 1 });
      const sent = (count: number) => buildRollouts(Array.from({ length: count }, () => '4'));
      const refused = await scene.send('a', 'p', sent(1_000), { round: 0 });
      if (refused.kind !== 'overfull') throw new Error(`expected "overfull", got ${refused.kind}`);
      expect(await scene.bucket('p')).toBeNull();
      await scene.record('a', 'p', sent(refused.limit), { round: 0 });
      const before = await scene.bucket('p');
      expect((await scene.send('a', 'p', sent(refused.limit + 1), { round: 0 })).kind).toBe('overfull');
      expect(await scene.record('a', 'p', sent(refused.limit), { round: 0 })).toMatchObject({ added: 0 });
      expect(await scene.bucket('p')).toEqual(before);
    });

    it('keeps answers that are names of object properties apart', async () => {
      const scene = await openScene(setup, { k: 3 });
      await scene.record('a', '__proto__', buildRollouts(['__proto__', 'constructor', '7']));
      const { rollouts } = await scene.group('a', '__proto__');
      expect(rollouts.map(({ key }) => key)).toEqual(['__proto__', 'constructor', '7']);
    });
  });
}
