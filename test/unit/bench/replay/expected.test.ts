import { describe, expect, it } from 'vitest';
import { type Rules, recompute, teacherOf } from '../../../../bench/replay/expected.ts';
import { hashKey } from '../../../../src/domain/hash.ts';
import { recordedFile } from './recorded.ts';

const rules: Rules = { mode: 'boxed', ring: 'predecessor', tie: 'index' };

function rewardsOf(file: ReturnType<typeof recordedFile>, agent: string, changes: Partial<Rules> = {}) {
  const { expected } = recompute(file, { ...rules, ...changes });
  return file.rollouts
    .filter((rollout) => rollout.agent === agent)
    .map(({ name }) => expected.get(name)?.reward);
}

describe('the recomputed rewards', () => {
  const file = recordedFile({ a: [['1', '1', '2']], b: [['2', '1', '2']], c: [['3', '3', '1']] });

  it('hold each answer against the most frequent one of the agent before in the ring', () => {
    expect(rewardsOf(file, 'a')).toEqual([0, 0, 0]);
    expect(rewardsOf(file, 'b')).toEqual([0, 1, 0]);
    expect(rewardsOf(file, 'c')).toEqual([0, 0, 0]);
  });

  it('follow the ring the other way round when told', () => {
    expect(rewardsOf(file, 'a', { ring: 'successor' })).toEqual([0, 0, 1]);
    expect(teacherOf(['a', 'b', 'c'], 'c', 'successor')).toBe('a');
  });

  it('give a tie to the smallest index, wherever its line stands in the file', () => {
    const tied = recordedFile({ a: [['7', '8', '8', '7']], b: [['8', '7', '9', '8']] });
    const reversed = { ...tied, rollouts: tied.rollouts.toReversed() };
    expect(rewardsOf(tied, 'b')).toEqual([0, 1, 0, 0]);
    expect(rewardsOf(reversed, 'b')).toEqual([0, 0, 1, 0]);
  });

  it('give a tie to the smallest key hash where no index is sent', () => {
    const tied = recordedFile({ a: [['7', '8', '8', '7']], b: [['8', '7', '9', '8']] });
    const first = hashKey('7') < hashKey('8') ? [0, 1, 0, 0] : [1, 0, 0, 1];
    expect(rewardsOf(tied, 'b', { tie: 'hash' })).toEqual(first);
  });

  it('leave a group unlabeled whose teacher said nothing that can be read', () => {
    const silent = recordedFile({ a: [['', ' ']], b: [['1', '1']] });
    const { expected } = recompute(silent, rules);
    expect(expected.get('b|p|0|0')).toEqual({ reward: 0, label: null });
  });
});
