import { describe, expect, it } from 'vitest';
import { decideGroup, dueAt, dueCause, openGroup, settleArrivals } from '../../../src/domain/decide.ts';
import { buildStored } from '../../support/builders.ts';

const open = openGroup({ agent: 'a', k: 3, incarnation: null, step: null, now: 100, deadlineMs: 1_000 });
const withRollouts = (count: number, late = false) => ({
  ...open,
  rollouts: Array.from({ length: count }, (_, at) => buildStored(`r${at}`, '4', { late })),
});

describe('decideGroup', () => {
  it('makes a group complete, partial or empty, with its cause and time', () => {
    expect(decideGroup(withRollouts(3), 'k', 200)).toMatchObject({ state: 'complete', decidedAt: 200 });
    expect(decideGroup(withRollouts(2), 'quorum', 200)).toMatchObject({ state: 'partial', cause: 'quorum' });
    expect(decideGroup(open, 'deadline', 200)).toMatchObject({ state: 'empty', cause: 'deadline' });
  });

  it('leaves a decided group as it is, for ever', () => {
    const decided = decideGroup(withRollouts(2), 'skip', 200);
    expect(decideGroup(decided, 'deadline', 300)).toBe(decided);
    expect(settleArrivals({ ...decided, rollouts: withRollouts(3).rollouts }, 1, 300)).toMatchObject({
      state: 'partial',
      quorumAt: null,
    });
  });
});

describe('settleArrivals', () => {
  it('decides at K, and starts the grace once, at the quorum', () => {
    expect(settleArrivals(withRollouts(3), null, 200).state).toBe('complete');
    expect(settleArrivals(withRollouts(1), 2, 200).quorumAt).toBeNull();
    const quorate = settleArrivals(withRollouts(2), 2, 200);
    expect(quorate).toMatchObject({ state: 'open', quorumAt: 200 });
    expect(settleArrivals(quorate, 2, 300).quorumAt).toBe(200);
    expect(settleArrivals(withRollouts(2), null, 200).quorumAt).toBeNull();
  });

  it('counts no late rollouts', () => {
    expect(settleArrivals(withRollouts(3, true), 1, 200)).toMatchObject({ state: 'open', quorumAt: null });
  });
});

describe('dueCause and dueAt', () => {
  it('agree on when and why an open group is due', () => {
    expect(dueAt(open, 50)).toBe(1_100);
    expect(dueCause(open, 50, 1_099)).toBeNull();
    expect(dueCause(open, 50, 1_100)).toBe('deadline');
    const quorate = { ...open, quorumAt: 400 };
    expect(dueAt(quorate, 50)).toBe(450);
    expect(dueCause(quorate, 50, 449)).toBeNull();
    expect(dueCause(quorate, 50, 450)).toBe('quorum');
    expect(dueAt(quorate, 5_000)).toBe(1_100);
    expect(dueCause(quorate, 5_000, 1_100)).toBe('deadline');
  });

  it('find a decided group never due', () => {
    expect(dueCause(decideGroup(open, 'skip', 200), 50, 9_999)).toBeNull();
  });
});
