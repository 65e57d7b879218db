import { describe, expect, it } from 'vitest';
import { type Group, isOpen, votersOf } from '../../../src/domain/bucket.ts';
import { emptyPrompt, withBucket, withVisit } from '../../../src/domain/prompt-state.ts';
import { buildBucket, buildGroup, buildStored } from '../../support/builders.ts';

const bucketOf = (round: number, ...groups: readonly Group[]) => buildBucket(groups, { round });

describe('withVisit', () => {
  const visited = withVisit(emptyPrompt('p'), 'a', { round: 2, incarnation: 'i-1', step: 5 });

  it('goes on, and not back within an incarnation', () => {
    expect(withVisit(visited, 'a', { round: 1, incarnation: 'i-1', step: 4 })).toBe(visited);
    const on = withVisit(visited, 'a', { round: 3, incarnation: 'i-1', step: 6 });
    expect(on.visits.get('a')).toEqual({ round: 3, incarnation: 'i-1', step: 6 });
  });

  it('takes the step of what came last in a round', () => {
    const on = withVisit(visited, 'a', { round: 2, incarnation: 'i-1', step: 6 });
    expect(on.visits.get('a')?.step).toBe(6);
  });

  it('goes back for a new incarnation, and not for a message without one', () => {
    expect(withVisit(visited, 'a', { round: 0, incarnation: 'i-2', step: 1 }).visits.get('a')?.round).toBe(0);
    expect(withVisit(visited, 'a', { round: 0, incarnation: null, step: 1 })).toBe(visited);
    const on = withVisit(visited, 'a', { round: 3, incarnation: null, step: null });
    expect(on.visits.get('a')).toEqual({ round: 3, incarnation: 'i-1', step: null });
  });
});

describe('withBucket', () => {
  it('remembers the latest decided group that has answers, also of a round decided again', () => {
    let prompt = withBucket(emptyPrompt('p'), bucketOf(1, buildGroup('a', ['4'])), ['a']);
    prompt = withBucket(prompt, bucketOf(0, buildGroup('a', ['5'])), ['a']);
    expect(prompt.labels.get('a')?.round).toBe(1);
    prompt = withBucket(prompt, bucketOf(1, buildGroup('a', ['6'])), ['a']);
    expect(prompt.labels.get('a')?.group.rollouts[0]?.key).toBe('6');
    prompt = withBucket(prompt, bucketOf(2, buildGroup('a', [], { state: 'empty' })), ['a', 'unknown']);
    expect(prompt.labels.get('a')?.round).toBe(1);
  });
});

describe('a bucket', () => {
  it('is open as long as one of its groups is', () => {
    expect(isOpen(bucketOf(0, buildGroup('a', ['4'])))).toBe(false);
    const open: Group = { ...buildGroup('b', []), state: 'open', cause: null };
    const waiting = bucketOf(0, buildGroup('a', ['4']), open);
    expect(isOpen(waiting)).toBe(true);
  });

  it('counts the votes of all rollouts but the late ones', () => {
    const group = buildGroup('a', ['4', '5']);
    expect(votersOf(group)).toBe(group.rollouts);
    const late = buildStored('late', '6', { late: true });
    expect(votersOf({ ...group, rollouts: [late, ...group.rollouts] })).toEqual(group.rollouts);
  });
});
