import { describe, expect, it } from 'vitest';
import { grade } from '../../../../src/answers/grade.ts';
import {
  countPair,
  countRound,
  countTexts,
  countVote,
} from '../../../../src/domain/diagnostics/count-votes.ts';
import { AGENT_RATES, PAIR_RATES } from '../../../../src/domain/diagnostics/rates.ts';
import { countVotes } from '../../../../src/domain/vote.ts';
import { buildCohort } from '../../../support/builders.ts';
import { sumAgents, sumPairs } from '../../../support/figures.ts';

const label = (key: string | null) => (key === null ? null : { key, answer: key });
const isEqual = (answer: string, truth: string) => grade(answer, truth).equal;
const half = { key: 'spelled', isRight: (answer: string) => isEqual(answer, '1/2') };

const votedOf = (group: Parameters<typeof countVote>[0]) => sumAgents(countVote(group));

function vote(keys: readonly (string | null)[], rules = {}) {
  const ballots = keys.map((key, index) => ({ key, answer: key, index }));
  return countVotes(ballots, { ...buildCohort().vote, ...rules }, { promptId: 'p', round: 0 });
}

describe('the vote of a group', () => {
  const rates = (keys: readonly (string | null)[], truth: typeof half | null = half) => {
    const counts = votedOf({ vote: vote(keys), supervision: null, truth });
    const names = ['label_coverage', 'label_accuracy', 'label_accuracy_string', 'vote_tie_rate'] as const;
    return names.map((name) => {
      const { numerator, denominator } = AGENT_RATES[name](counts);
      return `${numerator}/${denominator}`;
    });
  };

  it('counts graded and string hits of labels that have a truth', () => {
    expect(rates(['0.5', '0.5', '3'])).toEqual(['1/1', '1/1', '0/1', '0/1']);
    expect(rates(['spelled', 'spelled'])).toEqual(['1/1', '0/1', '1/1', '0/1']);
    expect(rates(['0.5'], null)).toEqual(['1/1', '0/0', '0/0', '0/1']);
  });

  it('counts a tie among groups that have an answer', () => {
    expect(rates(['1', '2'])).toEqual(['1/1', '0/1', '0/1', '1/1']);
    expect(rates([null, null])).toEqual(['0/1', '0/0', '0/0', '0/0']);
  });

  it('takes shares of the answers and of all rollouts, and calls unanimous only what every rollout says', () => {
    const counts = votedOf({ vote: vote(['4', '4', null, '5']), supervision: null, truth: null });
    expect(AGENT_RATES.top_frequency_mean(counts).value).toBeCloseTo(2 / 3, 9);
    expect(AGENT_RATES.majority_ratio(counts).value).toBe(0.5);
    expect(AGENT_RATES.parseable_fraction(counts).value).toBe(0.75);
    const uniform = (keys: readonly (string | null)[]) =>
      AGENT_RATES.uniform_vote_rate(votedOf({ vote: vote(keys), supervision: null, truth: null })).value;
    expect([uniform(['4', '4']), uniform(['4', null]), uniform([null])]).toEqual([1, 0, null]);
  });

  it('does not call a rollout without answer parseable where no answer may win', () => {
    const counts = votedOf({
      vote: vote([null, null, '4'], { allowEmptyVote: true }),
      supervision: null,
      truth: { key: 'x', isRight: () => true },
    });
    expect(AGENT_RATES.parseable_fraction(counts)).toMatchObject({ numerator: 1, denominator: 3 });
    expect(counts.labelHits).toBe(0);
  });

  it('counts what it is rewarded against, with and without a truth', () => {
    const supervised = votedOf({ vote: vote(['4']), supervision: label('spelled'), truth: half });
    expect(AGENT_RATES.supervision_contains_truth(supervised)).toMatchObject({
      numerator: 1,
      denominator: 1,
    });
    const blind = votedOf({ vote: vote(['4']), supervision: label('spelled'), truth: null });
    expect(AGENT_RATES.supervision_contains_truth(blind).value).toBeNull();
  });
});

describe('two labels', () => {
  const pairs = (rows: readonly (readonly [string | null, string | null, string])[]) => {
    const counts = rows.map(([first, second, gold]) =>
      countPair(label(first), label(second), { key: gold, isRight: (answer) => answer === gold }, isEqual),
    );
    return sumPairs(...counts);
  };

  it('agree by their keys, and more leniently when one is graded against the other', () => {
    const counts = sumPairs(countPair(label('0.5'), label('1/2'), null, isEqual));
    expect(PAIR_RATES.agreement(counts)).toMatchObject({ value: 0, denominator: 1 });
    expect(PAIR_RATES.agreement_graded(counts).value).toBe(1);
    expect(PAIR_RATES.kappa(counts)).toEqual({ value: null, numerator: null, denominator: 0 });
  });

  it('complement each other as in the table of the paper', () => {
    // Both right 3, only the first 2, only the second 1, both wrong 4: of these 1 with the same answer, 1 without any.
    const counts = pairs([
      ['1', '1', '1'],
      ['2', '2', '2'],
      ['3', '3', '3'],
      ['4', 'x', '4'],
      ['5', null, '5'],
      ['x', '6', '6'],
      ['y', 'y', '7'],
      [null, null, '8'],
      ['u', 'v', '9'],
      [null, 'w', '10'],
    ]);
    const value = (name: keyof typeof PAIR_RATES) => PAIR_RATES[name](counts).value;
    expect(value('label_complementarity')).toBe(0.3);
    expect(value('label_oracle')).toBe(0.6);
    expect(value('both_wrong_same')).toBe(0.1);
    expect(value('both_right')).toBe(0.3);
    expect(value('label_match')).toBe(0.4);
    expect([value('accuracy_agent'), value('accuracy_peer')]).toEqual([0.5, 0.4]);
    // (0.7 - 0.5) / (1 - 0.5), chance being 0.5 * 0.4 + 0.5 * 0.6.
    expect(value('kappa')).toBeCloseTo(0.4, 12);
    expect(value('complementarity_bound')).toBe(0.6);
  });

  it('never complement each other more than they disagree', () => {
    const answers = ['1', '2', null];
    const rows = answers.flatMap((first) => answers.map((second) => [first, second, '1'] as const));
    for (const row of rows) {
      const counts = pairs([row]);
      const bound = PAIR_RATES.complementarity_bound(counts).value ?? Number.NaN;
      expect(PAIR_RATES.label_complementarity(counts).value).toBeLessThanOrEqual(bound);
    }
  });

  it('have no kappa where both are always right', () => {
    expect(
      PAIR_RATES.kappa(
        pairs([
          ['1', '1', '1'],
          ['2', '2', '2'],
        ]),
      ),
    ).toMatchObject({
      value: null,
      denominator: 2,
    });
  });
});

describe('all labels of a prompt', () => {
  const rates = (own: string | null, peers: readonly (string | null)[], supervised: boolean) => {
    const counts = sumAgents(countRound(label(own), peers.map(label), supervised));
    const { unanimous_rate, peer_tie_rate } = AGENT_RATES;
    return [unanimous_rate(counts), peer_tie_rate(counts)].map(
      ({ numerator, denominator }) => `${numerator}/${denominator}`,
    );
  };

  it('are unanimous or not where all agents have one, and tied or not where all peers have one', () => {
    expect(rates('4', ['4', '4'], true)).toEqual(['1/1', '0/1']);
    expect(rates('4', ['4', '5'], false)).toEqual(['0/1', '1/1']);
    expect(rates(null, ['4', '5'], false)).toEqual(['0/0', '1/1']);
    expect(rates('4', ['4', null], true)).toEqual(['0/0', '0/0']);
  });

  it('say nothing of an agent that is alone', () => {
    expect(rates('4', [], false)).toEqual(['0/0', '0/0']);
  });
});

describe('the texts of two groups', () => {
  it('are counted by those that both have', () => {
    expect(countTexts(['a', 'b', 'c', 'd'], ['d', 'x', 'a', 'y'])).toEqual({ texts: 4, sameTexts: 2 });
    expect(countTexts(['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd'])).toEqual({ texts: 4, sameTexts: 4 });
  });

  it('are not counted where either has few different ones, as short answers do', () => {
    expect(countTexts(['4', '4', '4', '5'], ['4', '4', '4', '5'])).toEqual({});
    expect(countTexts(['a', 'b', 'c', 'd'], ['4', '4', '4', '4'])).toEqual({});
    expect(countTexts(['a'], ['a'])).toEqual({});
    expect(countTexts([], [])).toEqual({});
  });
});
