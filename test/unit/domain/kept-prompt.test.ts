import { describe, expect, it } from 'vitest';
import type { Bucket, Group } from '../../../src/domain/bucket.ts';
import {
  attentionAt,
  type Clocks,
  type KeptPrompt,
  neededUntil,
  tendPrompt,
  touchRound,
} from '../../../src/domain/kept-prompt.ts';
import { emptyPrompt } from '../../../src/domain/prompt-state.ts';
import { buildBucket, buildCohort, buildGroup } from '../../support/builders.ts';

const CLOCKS: Clocks = buildCohort({
  retentionMs: 10_000,
  promptRetentionMs: 50_000,
  barrier: { graceMs: 100 },
});

const openGroup = (agent: string, overrides: Partial<Group> = {}): Group => ({
  ...buildGroup(agent, ['4']),
  state: 'open',
  cause: null,
  decidedAt: null,
  ...overrides,
});

function buildKept(rounds: Record<number, readonly Group[]>, at = 0): KeptPrompt {
  let kept: KeptPrompt | null = null;
  const buckets = new Map<number, Bucket>();
  for (const [text, groups] of Object.entries(rounds)) {
    const round = Number(text);
    buckets.set(round, buildBucket(groups, { round }));
    kept = touchRound(kept, { ...emptyPrompt('p'), rounds: buckets }, round, at);
  }
  return kept ?? { state: emptyPrompt('p'), touchedAt: new Map(), usedAt: at };
}

describe('a kept prompt', () => {
  it('asks for attention at the first deadline, end of a grace or end of a retention', () => {
    const done = buildGroup('a', ['4']);
    expect(attentionAt(buildKept({ 0: [openGroup('a', { deadlineAt: 900 })] }), CLOCKS)).toBe(900);
    expect(attentionAt(buildKept({ 0: [done, openGroup('b', { quorumAt: 300 })] }), CLOCKS)).toBe(400);
    expect(attentionAt(buildKept({ 0: [done], 1: [openGroup('a')] }, 700), CLOCKS)).toBe(10_700);
    expect(attentionAt(buildKept({}, 700), CLOCKS)).toBe(50_700);
  });

  it('is left as it is while nothing is due', () => {
    const kept = buildKept({ 0: [openGroup('a', { deadlineAt: 900 })], 1: [buildGroup('a', ['4'])] });
    expect(tendPrompt(kept, CLOCKS, 899)).toEqual({ kept, decisions: [] });
    expect(tendPrompt(kept, CLOCKS, 899).kept).toBe(kept);
  });

  it('has its due groups decided, the longest overdue first, each on top of the one before', () => {
    const kept = buildKept({
      0: [openGroup('a', { deadlineAt: 900 }), openGroup('b', { quorumAt: 200 }), openGroup('c')],
      1: [openGroup('a', { deadlineAt: 950 })],
    });
    const { kept: after, decisions } = tendPrompt(kept, CLOCKS, 1_000);
    expect(decisions.map(({ bucket, decided }) => [bucket.round, decided])).toEqual([
      [0, ['b']],
      [0, ['a']],
      [1, ['a']],
    ]);
    const { rounds } = after?.state ?? emptyPrompt('p');
    expect(rounds.get(0)).toEqual(decisions[1]?.bucket);
    expect([...(rounds.get(0)?.groups.values() ?? [])].map(({ cause }) => cause)).toEqual([
      'deadline',
      'quorum',
      null,
    ]);
    expect(after?.usedAt).toBe(1_000);
  });

  it('loses a decided round when its retention is over, and its labels unless the barrier reads them', () => {
    const done = buildGroup('a', ['4']);
    const kept = buildKept({ 0: [done] }, 500);
    const labels = new Map([['a', { round: 0, group: done }]]);
    const labeled = { ...kept, state: { ...kept.state, labels } };
    expect(tendPrompt(labeled, CLOCKS, 10_499).kept).toBe(labeled);
    const synced = tendPrompt(labeled, CLOCKS, 10_500).kept;
    expect(synced?.state).toMatchObject({ rounds: new Map(), labels: new Map() });
    const lastLabel = { ...CLOCKS, barrier: { ...CLOCKS.barrier, mode: 'last-label' as const } };
    expect(tendPrompt(labeled, lastLabel, 10_500).kept?.state.labels).toEqual(labels);
  });

  it('counts the retention of a round without a time of its own from the last use of the prompt', () => {
    const kept = { ...buildKept({ 0: [buildGroup('a', ['4'])] }, 500), touchedAt: new Map() };
    expect(attentionAt(kept, CLOCKS)).toBe(10_500);
    expect(tendPrompt(kept, CLOCKS, 10_500).kept?.state.rounds.size).toBe(0);
  });

  it('is forgotten once it has no round and was not used for its own retention', () => {
    const kept = buildKept({}, 500);
    expect(tendPrompt(kept, CLOCKS, 50_499).kept).toBe(kept);
    expect(tendPrompt(kept, CLOCKS, 50_500).kept).toBeNull();
  });

  it('is needed until the retention after its last use or its last open deadline, whichever is later', () => {
    expect(neededUntil(buildKept({ 0: [buildGroup('a', ['4'])] }, 500), CLOCKS)).toBe(50_500);
    const late = buildKept({ 0: [openGroup('a', { deadlineAt: 60_000 })] }, 500);
    expect(neededUntil(late, CLOCKS)).toBe(70_000);
  });
});
