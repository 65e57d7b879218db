import { describe, expect, it } from 'vitest';
import { grade } from '../../../../src/answers/grade.ts';
import { compatValue } from '../../../../src/domain/diagnostics/ratios.ts';
import { countTtrl, type TtrlGroup } from '../../../../src/domain/diagnostics/ttrl.ts';
import { countVotes } from '../../../../src/domain/vote.ts';
import { readVectors } from '../../../fixtures/vectors/read-vectors.ts';
import { buildCohort } from '../../../support/builders.ts';

const isEqual = (answer: string, truth: string) => grade(answer, truth).equal;

/**
 * PRIME-RL/TTRL extracts an answer from its bare label before it grades it, which turns a right `\frac{1}{2}`
 * into a wrong "2". This server grades the label itself.
 */
const DEVIATIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'ttrl-prime-frac-label-bug': { label_accuracy: 1 },
};

function buildTtrlGroup(
  answers: readonly (string | null)[],
  rewards: readonly (number | null)[],
  truth: string | null,
): TtrlGroup {
  const ballots = answers.map((key, index) => ({ key, answer: key, index }));
  // TTRL counts "no answer" as an answer: the flag exists to reproduce that.
  const rules = { ...buildCohort().vote, allowEmptyVote: true };
  return {
    vote: countVotes(ballots, rules, { promptId: 'p', round: 0 }),
    truth,
    rollouts: answers.map((answer, at) => ({ answer, reward: rewards[at] ?? null })),
  };
}

describe('countTtrl', () => {
  for (const { id, n_samples, answers, truth, rewards, metrics } of readVectors('ttrl-prime').cases) {
    it(`gives the metrics of the reference: ${id}`, () => {
      const sums = countTtrl(buildTtrlGroup(answers, rewards, truth), n_samples, isEqual);
      const values = Object.fromEntries([...sums].map(([name, ratio]) => [name, compatValue(ratio)]));
      const expected = { ...metrics, ...DEVIATIONS[id] };
      for (const [name, value] of Object.entries(expected)) expect(values[name], name).toBeCloseTo(value, 9);
    });
  }

  it('counts nothing against a truth that was not given', () => {
    const sums = countTtrl(buildTtrlGroup(['4', '4'], [1, 1], null), 1, isEqual);
    for (const name of ['label_accuracy', 'reward_accuracy', 'ground_truth_ratio', 'pass@2', 'post_pass@1']) {
      expect(sums.get(name), name).toEqual({ numerator: 0, denominator: 0 });
    }
    expect(sums.get('majority_voting_reward')).toEqual({ numerator: 2, denominator: 2 });
  });

  it('leaves masked rewards out', () => {
    const sums = countTtrl(buildTtrlGroup(['4', '5'], [null, 0], '4'), 2, isEqual);
    expect(sums.get('reward_accuracy')).toEqual({ numerator: 1, denominator: 1 });
    expect(sums.get('majority_voting_reward')).toEqual({ numerator: 0, denominator: 1 });
  });

  it('counts an empty group as no group', () => {
    const sums = countTtrl(buildTtrlGroup([], [], '4'), 4, isEqual);
    for (const [name, { denominator }] of sums) expect(denominator, name).toBe(0);
  });
});
