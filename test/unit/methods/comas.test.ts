import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rollout } from '../../../src/domain/bucket.ts';
import type { Signals } from '../../../src/domain/signals.ts';
import { comas, comasReward } from '../../../src/methods/comas.ts';
import { parseTau } from '../../../src/methods/comas-parser.ts';
import { agentOf, buildCohort, buildGroup, buildStored } from '../../support/builders.ts';

describe("a scorer's verdict", () => {
  const texts = [
    ['good <score>3</score>', 3, 3],
    ['<score> 1 </score>', 1, 1],
    ['<SCORE>2</SCORE>', 2, 2],
    ['<score>5</score>', null, 3],
    ['<score>0</score>', null, 1],
    ['<score>-4</score>', null, 1],
    ['<score>x</score>', null, 2],
    ['I give 2 overall', null, 2],
    ['I give 1 of 3', null, 3],
    ['4 of 10', null, 2],
    ['12 and v2', null, 2],
    ['none', null, 2],
    ['', null, 2],
    ['<score>2</score> then <score>3</score>', 3, 3],
    ['<score>3</score>, as in <score>int</score>', 3, 3],
    ['<score>3</score> no: <score>9</score>', null, 3],
    ['<score>1', null, 1],
  ] as const;

  it.each(texts)('in %j is %s by the strict parser, and %s as MARTI reads it', (text, strict, marti) => {
    expect(parseTau(text, 'strict')).toBe(strict);
    expect(parseTau(text, 'marti')).toBe(marti);
  });

  it('is always found by the MARTI parser, whatever the text', () => {
    const piece = fc.constantFrom('<score>', '</score>', '1', '7', ' ', '\n', 'x', '999999999999999999999');
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          expect([1, 2, 3]).toContain(parseTau(text, 'marti'));
          expect([1, 2, 3, null]).toContain(parseTau(text, 'strict'));
        },
      ),
    );
  });
});

describe('comas', () => {
  it('pays the solver (τ − 1) / 2, the evaluator the rest, the scorer only for being readable', () => {
    const taus = [1, 2, 3, null] as const;
    expect(taus.map((tau) => comasReward('solver', tau))).toEqual([0, 0.5, 1, null]);
    expect(taus.map((tau) => comasReward('evaluator', tau))).toEqual([1, 0.5, 0, null]);
    expect(taus.map((tau) => comasReward('scorer', tau))).toEqual([0, 0, 0, -1]);
  });

  const cohort = buildCohort({ method: 'comas', agents: ['a', 'b', { name: 'frozen', role: 'teacher' }] });

  function rolloutOf(id: string, signals: Signals | null, late = false): Rollout {
    return buildStored(id, null, { signals, late });
  }

  function judge(
    agent: string,
    rollouts: Readonly<Record<string, readonly Rollout[]>>,
    cause: 'k' | 'deadline' | 'skip' = 'k',
  ) {
    const groupOf = (name: string) => {
      const sent = rollouts[name] ?? [];
      const state = sent.length === 0 ? 'empty' : 'complete';
      return buildGroup(name, [], { rollouts: sent, state, cause });
    };
    const teachers = comas
      .waitsFor(cohort, agentOf(cohort, agent), null)
      .map((name) => ({ agent: name, round: 0, group: groupOf(name) }));
    const own = groupOf(agent);
    const input = {
      cohort,
      agent: agentOf(cohort, agent),
      promptId: 'p',
      round: 0,
      own,
      truth: null,
      teachers,
    };
    const judgement = comas.judge(input);
    return {
      ...judgement,
      rewards: own.rollouts.map(judgement.reward),
      reasons: own.rollouts.map((rollout) => judgement.reasonOf?.(rollout) ?? null),
    };
  }

  it('waits for every agent, and links the three parts of a discussion across them', () => {
    expect(comas.waitsFor(cohort, agentOf(cohort, 'a'), null)).toEqual(['a', 'b', 'frozen']);
    const rollouts = {
      a: [
        rolloutOf('s', { part: 'solver', interaction: 'x' }),
        rolloutOf('e', { part: 'evaluator', interaction: 'y' }),
      ],
      b: [
        rolloutOf('e', { part: 'evaluator', interaction: 'x' }),
        rolloutOf('t', { part: 'scorer', interaction: 'y', tau: 2 }),
      ],
      frozen: [rolloutOf('t', { part: 'scorer', interaction: 'x', tau: 3 })],
    };
    expect(judge('a', rollouts)).toMatchObject({
      status: 'scored',
      source: 'scorer',
      teachers: ['b', 'frozen'],
      rewards: [1, 0.5],
      reasons: [null, null],
    });
    expect(judge('b', rollouts).rewards).toEqual([0, 0]);
    expect(judge('frozen', rollouts).rewards).toEqual([null]);
  });

  it('has no reward for whom the verdict is missing, unreadable, or not alone, and says which', () => {
    const solver = (interaction: string) => rolloutOf(interaction, { part: 'solver', interaction });
    const scorer = (interaction: string, tau?: 1 | 3) =>
      rolloutOf(`${interaction}${tau}`, { part: 'scorer', interaction, ...(tau !== undefined && { tau }) });
    const judged = judge('a', {
      a: [solver('alone'), solver('vague'), solver('twice'), solver('fine'), rolloutOf('no', null)],
      b: [scorer('vague'), scorer('twice', 1), scorer('twice', 3), scorer('fine', 3)],
    });
    expect(judged.rewards).toEqual([null, null, null, 1, null]);
    expect(judged.reasons).toEqual([
      'No scorer came for interaction "alone".',
      'The scorer of interaction "vague" gave no verdict that can be read.',
      'Several rollouts came as scorer of interaction "twice": give each triple of solver, evaluator and scorer its own id.',
      null,
      'It came without its part or its interaction id.',
    ]);
  });

  it('gives a verdict to the one text that it was about, not to another with the same id', () => {
    const solver = (id: string, late = false) => rolloutOf(id, { part: 'solver', interaction: 'x' }, late);
    const b = [rolloutOf('t', { part: 'scorer', interaction: 'x', tau: 3 })];
    expect(judge('a', { a: [solver('s'), solver('again')], b }).rewards).toEqual([null, null]);
    // A trainer that restarted, and counts its discussions from 0 again.
    expect(judge('a', { a: [solver('s'), solver('again', true)], b })).toMatchObject({
      rewards: [1, null],
      reasons: [null, 'Another solver of interaction "x" was there before it.'],
    });
    // One that was only slow.
    expect(
      judge('a', { a: [rolloutOf('e', { part: 'evaluator', interaction: 'x' }), solver('s', true)], b })
        .rewards,
    ).toEqual([0, 1]);
  });

  it('does not listen to a scorer that came late, which is judged for its form alone', () => {
    const late = rolloutOf('t', { part: 'scorer', interaction: 'x', tau: 3 }, true);
    const other = rolloutOf('u', { part: 'scorer', interaction: 'z' });
    const judged = judge('b', {
      a: [rolloutOf('s', { part: 'solver', interaction: 'x' })],
      b: [late, other],
    });
    expect(judged.rewards).toEqual([0, -1]);
    expect(
      judge('a', { a: [rolloutOf('s', { part: 'solver', interaction: 'x' })], b: [late, other] }).reasons,
    ).toEqual(['No scorer came for interaction "x".']);
  });

  it.each([
    ['deadline', 'expired'],
    ['skip', 'unlabeled'],
  ] as const)('a prompt that nobody scored, for %s, is %s', (cause, status) => {
    const judged = judge('a', { a: [rolloutOf('s', { part: 'solver', interaction: 'x' })] }, cause);
    expect(judged).toMatchObject({ status, source: 'none', rewards: [0] });
  });
});
