import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VoteRules } from '../../../src/domain/cohort.ts';
import { hashKey } from '../../../src/domain/hash.ts';
import { type Ballot, countLabels, countVotes } from '../../../src/domain/vote.ts';
import { readVectors } from '../../fixtures/vectors/read-vectors.ts';
import { buildCohort } from '../../support/builders.ts';

const SEED = { promptId: 'p', round: 0 };

function rulesWith(overrides: Partial<VoteRules> = {}): VoteRules {
  return { ...buildCohort().vote, ...overrides };
}

function ballotsOf(keys: readonly (string | null)[]): Ballot[] {
  return keys.map((key, index) => ({ key, answer: key, index }));
}

function vote(keys: readonly (string | null)[], overrides: Partial<VoteRules> = {}, seed = SEED) {
  return countVotes(ballotsOf(keys), rulesWith(overrides), seed);
}

describe('countVotes', () => {
  for (const { id, keys, threshold, label, share } of readVectors('vote').cases) {
    it(`votes as the reference does: ${id}`, () => {
      const counted = vote(keys, { threshold });
      expect(counted.label?.key ?? null).toBe(label);
      expect(counted.share).toBeCloseTo(share, 12);
    });
  }

  it('counts ballots, votes and clusters, most votes first', () => {
    expect(vote(['5', '4', null, '4', '6'])).toEqual({
      clusters: [
        { key: '4', answer: '4', votes: 2 },
        { key: '5', answer: '5', votes: 1 },
        { key: '6', answer: '6', votes: 1 },
      ],
      label: { key: '4', answer: '4' },
      share: 0.5,
      votes: 4,
      ballots: 5,
      tied: false,
    });
  });

  it('gives no label to no ballots', () => {
    const nothing = { clusters: [], label: null, share: 0, votes: 0, ballots: 0, tied: false };
    expect(vote([])).toEqual(nothing);
    expect(vote([null, null])).toEqual({ ...nothing, ballots: 2 });
  });

  it('gives a tie to the earliest rollout, whatever numbers the answers are', () => {
    expect(vote(['7', '6', '6', '7']).label?.key).toBe('7');
    expect(vote(['10', '2', '2', '10', '1']).label?.key).toBe('10');
    expect(vote(['7', '6', '6', '7']).tied).toBe(true);
  });

  it('goes by index where some rollouts have one, and by key where none has', () => {
    const known: Ballot[] = [
      { key: 'x', answer: 'x', index: null },
      { key: 'y', answer: 'y', index: 3 },
    ];
    expect(countVotes(known, rulesWith(), SEED).label?.key).toBe('y');
    const unknown = ['a', 'b', 'c', 'd'].map((key) => ({ key, answer: key, index: null }));
    const winner = countVotes(unknown, rulesWith(), SEED).label?.key;
    expect(countVotes(unknown.toReversed(), rulesWith(), SEED).label?.key).toBe(winner);
    expect(winner).toBe('a');
  });

  it('orders tied answers whose hashes collide too', () => {
    const colliding = ['7yzx', 'e6ad'].map((key) => ({ key, answer: key, index: null }));
    expect(hashKey('7yzx')).toBe(hashKey('e6ad'));
    for (const ballots of [colliding, colliding.toReversed()]) {
      expect(countVotes(ballots, rulesWith(), SEED).label?.key).toBe('7yzx');
    }
  });

  it('writes a label as the earliest of its rollouts did, else as the first by text', () => {
    const spelled = (spellings: readonly (readonly [string, number | null])[]) =>
      countVotes(
        spellings.map(([answer, index]) => ({ key: 'half', answer, index })),
        rulesWith(),
        SEED,
      ).label?.answer;
    expect(
      spelled([
        ['1/2', 5],
        ['0.5', 2],
        ['.5', null],
      ]),
    ).toBe('0.5');
    expect(
      spelled([
        ['1/2', null],
        ['0.5', null],
        ['0.5', null],
      ]),
    ).toBe('0.5');
  });

  it('keeps answers that are names of object properties apart', () => {
    const counted = vote(['__proto__', 'constructor', '__proto__', 'toString']);
    expect(counted.label?.key).toBe('__proto__');
    expect(counted.clusters).toHaveLength(3);
  });

  it('discards a tie where asked, also one of more than two', () => {
    expect(vote(['1', '2'], { tie: 'discard' })).toMatchObject({ label: null, share: 0.5, tied: true });
    expect(vote(['1', '2', '3'], { tie: 'discard' }).label).toBeNull();
    expect(vote(['1', '2', '2'], { tie: 'discard' }).label?.key).toBe('2');
  });

  it('draws a random tie by prompt and round: the same for every replica, another for other prompts', () => {
    const draw = (promptId: string, round: number) =>
      vote(['1', '2', '3', '4'], { tie: 'random' }, { promptId, round }).label?.key;
    const draws = Array.from({ length: 400 }, (_, round) => draw('p', round));
    expect(Array.from({ length: 400 }, (_, round) => draw('p', round))).toEqual(draws);
    for (const key of ['1', '2', '3', '4']) {
      const drawn = draws.filter((one) => one === key).length;
      expect(drawn).toBeGreaterThan(60);
      expect(drawn).toBeLessThan(140);
    }
    expect(Array.from({ length: 400 }, (_, round) => draw('q', round))).not.toEqual(draws);
  });

  it('takes a share equal to the threshold, and none below it', () => {
    expect(vote(['1', '1', '2', '2'], { threshold: 0.5 }).label?.key).toBe('1');
    expect(vote(['1', '1', '1', '2', '2', '2', '3', '3', '3', '3'], { threshold: 0.4 }).label?.key).toBe('3');
    expect(vote(['1', '1', '2', '3'], { threshold: 0.51 })).toMatchObject({ label: null, share: 0.5 });
  });

  it('takes the share of all rollouts where asked', () => {
    expect(vote(['1', null, null, null], { denominator: 'all' }).share).toBe(0.25);
    expect(vote(['1', null, null, null], { denominator: 'all', threshold: 0.5 }).label).toBeNull();
  });

  it('asks for enough answers', () => {
    expect(vote(['1', null, null], { minVotes: 2 }).label).toBeNull();
    expect(vote(['1', '2', null], { minVotes: 2 }).label?.key).toBe('1');
  });

  it('lets no answer win only where that is allowed, to reproduce PRIME-RL/TTRL', () => {
    expect(vote([null, null, '4']).label?.key).toBe('4');
    const counted = vote([null, null, '4'], { allowEmptyVote: true });
    expect(counted).toMatchObject({ label: { key: '', answer: '' }, votes: 3, share: 2 / 3 });
  });

  it('gives the identical vote for every order of the ballots', () => {
    const ballot = fc.record({
      key: fc.constantFrom('1', '2', '10', '__proto__', 'x', null),
      answer: fc.constantFrom('one', 'uno', '1'),
      index: fc.option(fc.nat({ max: 6 })),
    });
    const rules = fc.record({
      threshold: fc.constantFrom(0, 0.3, 0.5, 1),
      denominator: fc.constantFrom('parseable' as const, 'all' as const),
      minVotes: fc.constantFrom(1, 2),
      tie: fc.constantFrom('first' as const, 'discard' as const, 'random' as const),
      allowEmptyVote: fc.boolean(),
    });
    const shuffled = fc
      .array(ballot, { maxLength: 10 })
      .chain((ballots) =>
        fc.tuple(
          fc.constant(ballots),
          fc.shuffledSubarray(ballots, { minLength: ballots.length, maxLength: ballots.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, rules, fc.nat({ max: 3 }), ([ballots, permuted], voteRules, round) => {
        const seed = { promptId: 'p', round };
        const expected = JSON.stringify(countVotes(ballots, voteRules, seed));
        expect(JSON.stringify(countVotes(permuted, voteRules, seed))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('countLabels', () => {
  for (const { id, labels, label } of readVectors('peer-vote').cases) {
    it(`agrees on a label as the reference does: ${id}`, () => {
      const counted = countLabels(labels.map((key) => (key === null ? null : { key, answer: key })));
      expect(counted.label?.key ?? null).toBe(label);
    });
  }

  it('tells the share of the labels that exist, and a tie', () => {
    const label = (key: string) => ({ key, answer: key });
    expect(countLabels([label('4'), label('5'), null])).toEqual({ label: null, share: 0.5, tied: true });
    expect(countLabels([label('4'), label('4'), null])).toMatchObject({ share: 1, tied: false });
  });

  it('writes the label as a peer did', () => {
    const half = { key: 'half', answer: '1/2' };
    expect(countLabels([half, null]).label).toEqual(half);
  });
});
