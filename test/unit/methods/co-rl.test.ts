import { describe, expect, it } from 'vitest';
import type { Group } from '../../../src/domain/bucket.ts';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { coRl } from '../../../src/methods/co-rl.ts';
import type { TeacherGroup } from '../../../src/methods/method.ts';
import { agentOf, buildCohort, buildGroup, buildStored } from '../../support/builders.ts';

type Keys = readonly (string | null)[];

function teacher(agent: string, keys: Keys, overrides: Partial<Group> = {}, round = 0): TeacherGroup {
  return { agent, round, group: { ...buildGroup(agent, keys), ...overrides } as TeacherGroup['group'] };
}

const empty = (agent: string, cause: 'skip' | 'finish' | 'deadline') =>
  teacher(agent, [], { state: 'empty', cause });

/** Judges the group `own` of agent `a` in round `round`. */
function judge(cohort: Cohort, teachers: readonly TeacherGroup[], own: Keys = ['4', '5', null], round = 0) {
  const group = buildGroup('a', own);
  const agent = agentOf(cohort, 'a');
  const judgement = coRl.judge({ cohort, agent, promptId: 'p', round, own: group, truth: null, teachers });
  return { ...judgement, rewards: group.rollouts.map(judgement.reward) };
}

const PEERS = ['a', 'b', 'c', 'd'];

describe('co-rl with one teacher', () => {
  it('pays 1 to the answers that the teacher voted for, 0 to the others and to no answer', () => {
    expect(judge(buildCohort(), [teacher('b', ['4', '4', '5'])])).toMatchObject({
      status: 'scored',
      label: { key: '4' },
      share: 2 / 3,
      teachers: ['b'],
      source: 'peer-vote',
      reason: null,
      rewards: [1, 0, 0],
    });
  });

  it.each([
    [{}, [null, null], 'None of the answers of b could be read.'],
    [
      { threshold: 0.75 },
      ['4', '4', '5'],
      'The top answer of b has 66.7 % of the votes, and a label needs 75 %.',
    ],
    [{ minVotes: 2 }, ['4', null], 'Only 1 of the answers of b could be read, and a label needs 2.'],
    [{ tie: 'discard' as const }, ['4', '5'], 'The votes of b are tied.'],
  ])('pays the whole group the same where the teacher has no label (%j)', (vote, keys, reason) => {
    for (const unlabeledReward of [0, null] as const) {
      const judged = judge(buildCohort({ vote, unlabeledReward }), [teacher('b', keys)]);
      expect(judged).toMatchObject({ status: 'unlabeled', label: null, source: 'none', reason });
      expect(judged.rewards).toEqual([unlabeledReward, unlabeledReward, unlabeledReward]);
    }
  });

  it('accepts a share that equals the threshold', () => {
    expect(judge(buildCohort({ vote: { threshold: 0.5 } }), [teacher('b', ['4', '5'])]).label?.key).toBe('4');
  });

  it('leaves late rollouts out of the vote and pays them all the same', () => {
    const late = buildStored('r9', '5', { index: 9, late: true });
    const group = buildGroup('b', ['4']);
    const judged = judge(buildCohort(), [
      teacher('b', [], { rollouts: [...group.rollouts, late, { ...late, id: 'r8' }] }),
    ]);
    expect(judged.label?.key).toBe('4');
  });

  it.each([
    ['deadline', 'expired', 'b sent no rollouts for this prompt before its deadline.'],
    ['skip', 'skipped', 'b skipped this prompt or has finished.'],
    ['finish', 'skipped', 'b skipped this prompt or has finished.'],
  ] as const)('says %s of a teacher without rollouts as %s, never a self-vote', (cause, status, reason) => {
    const judged = judge(buildCohort(), [empty('b', cause)]);
    expect(judged).toMatchObject({ status, label: null, teachers: [], source: 'none', reason });
    expect(judged.rewards).toEqual([0, 0, 0]);
  });

  it('does not take late rollouts of an empty group for a vote', () => {
    const group = teacher('b', [], {
      state: 'empty',
      cause: 'deadline',
      rollouts: [buildStored('r0', '4', { late: true })],
    });
    expect(judge(buildCohort(), [group]).status).toBe('expired');
  });
});

describe('co-rl with several teachers', () => {
  const majority = buildCohort({ agents: PEERS, supervision: { kind: 'peer-majority' } });
  const pooled = buildCohort({ agents: PEERS, supervision: { kind: 'pooled' } });

  it('takes the unique plurality of their labels under peer-majority', () => {
    const judged = judge(majority, [
      teacher('b', ['4', '4', '5']),
      teacher('c', ['5', '5', '5']),
      teacher('d', ['4', '4', '4']),
    ]);
    expect(judged).toMatchObject({ label: { key: '4' }, share: 2 / 3, teachers: ['b', 'c', 'd'] });
  });

  it('leaves tied labels unlabeled and says so', () => {
    expect(judge(majority, [teacher('b', ['4']), teacher('c', ['5'])])).toMatchObject({
      status: 'unlabeled',
      reason: 'The labels of b, c are tied.',
    });
  });

  it('says of peers that all have no label that they have none, not that they cannot be read', () => {
    const strict = buildCohort({
      agents: PEERS,
      supervision: { kind: 'peer-majority' },
      vote: { threshold: 0.9 },
    });
    expect(judge(strict, [teacher('b', ['4', '5']), teacher('c', ['4', '5'])])).toMatchObject({
      status: 'unlabeled',
      share: 0,
      reason: 'None of b, c has a label for this prompt.',
    });
  });

  it('lets a peer without a label abstain', () => {
    expect(judge(majority, [teacher('b', [null]), teacher('c', ['5'])]).label?.key).toBe('5');
  });

  it('counts all their rollouts as one vote when pooled, ties to the first teacher', () => {
    expect(judge(pooled, [teacher('b', ['4']), teacher('c', ['5', '5']), teacher('d', ['4'])])).toMatchObject(
      { label: { key: '4' }, share: 0.5 },
    );
    expect(judge(pooled, [teacher('b', ['4']), teacher('c', ['5', '5'])]).label?.key).toBe('5');
  });

  it('applies the threshold to the pooled vote', () => {
    const strict = buildCohort({
      agents: PEERS,
      supervision: { kind: 'pooled' },
      vote: { threshold: 0.6 },
    });
    expect(judge(strict, [teacher('b', ['4', '5']), teacher('c', ['5', '4'])]).reason).toBe(
      'The top answer of b, c has 50 % of the votes, and a label needs 60 %.',
    );
  });

  it('goes on without those that sent nothing', () => {
    const judged = judge(majority, [empty('b', 'deadline'), empty('c', 'skip'), teacher('d', ['5'])]);
    expect(judged).toMatchObject({ status: 'scored', label: { key: '5' }, teachers: ['d'] });
  });

  it('is expired when nobody sent anything and one simply never came, else skipped', () => {
    expect(judge(majority, [empty('b', 'skip'), empty('c', 'deadline')])).toMatchObject({
      status: 'expired',
      reason: 'c sent no rollouts for this prompt before its deadline.',
    });
    expect(judge(majority, [empty('b', 'skip'), empty('c', 'finish')]).status).toBe('skipped');
  });

  it('aggregates the teachers of a graph as it declares', () => {
    const teachers = [teacher('b', ['4', '4', '4']), teacher('c', ['5', '5']), teacher('d', ['5'])];
    for (const [aggregate, label] of [
      ['peer-majority', '5'],
      ['pooled', '4'],
    ] as const) {
      const supervision = { kind: 'graph' as const, teachers: { a: ['b', 'c', 'd'] }, aggregate };
      expect(judge(buildCohort({ agents: PEERS, supervision }), teachers).label?.key).toBe(label);
    }
  });
});

describe('co-rl from the latest labels', () => {
  const cohort = buildCohort({ barrier: { mode: 'last-label', maxStaleness: 2 } });

  it('says how many rounds old the oldest label is', () => {
    const judged = judge(cohort, [teacher('b', ['4'], {}, 1), teacher('b', ['4'], {}, 3)], ['4'], 3);
    expect(judged.staleness).toBe(2);
  });

  it('calls a label of a later round fresh', () => {
    expect(judge(cohort, [teacher('b', ['4'], {}, 5)], ['4'], 3).staleness).toBe(0);
  });

  it('is unlabeled while there is no recent label', () => {
    expect(judge(cohort, [{ agent: 'b', round: 3, group: null }], ['4'], 3)).toMatchObject({
      status: 'unlabeled',
      reason: 'b has no label for this prompt from the last 2 rounds.',
      rewards: [0],
    });
  });
});

describe('an agent of role teacher', () => {
  it('is paid nothing and waits for nobody', () => {
    const cohort = buildCohort({ agents: [{ name: 'a', role: 'teacher' }, 'b'] });
    expect(coRl.waitsFor(cohort, agentOf(cohort, 'a'), null)).toEqual([]);
    expect(judge(cohort, []).rewards).toEqual([null, null, null]);
  });
});
