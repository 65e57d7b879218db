import { describe, expect, it } from 'vitest';
import { grade } from '../../../../src/answers/grade.ts';
import { countLabelQuality } from '../../../../src/domain/diagnostics/label-quality.ts';
import { addRatios, compatValue, type Ratios } from '../../../../src/domain/diagnostics/ratios.ts';
import { countSelfLabeling } from '../../../../src/domain/diagnostics/self-labeling.ts';
import { countVotes } from '../../../../src/domain/vote.ts';
import { readVectors } from '../../../fixtures/vectors/read-vectors.ts';
import { buildCohort } from '../../../support/builders.ts';

const isEqual = (answer: string, truth: string) => grade(answer, truth).equal;

function vote(keys: readonly (string | null)[], rules = {}) {
  const ballots = keys.map((key, index) => ({ key, answer: key, index }));
  return countVotes(ballots, { ...buildCohort().vote, ...rules }, { promptId: 'p', round: 0 });
}

describe('countSelfLabeling', () => {
  for (const { id, threshold, truths, vote_keys, metrics } of readVectors('ttrl').cases) {
    it(`gives the metrics of the reference: ${id}`, () => {
      const sums = vote_keys.reduce<Ratios>((sum, keys, at) => {
        const truth = truths[at] ?? null;
        return addRatios(sum, countSelfLabeling(vote(keys, { threshold }), truth, isEqual));
      }, new Map());
      const values = Object.fromEntries([...sums].map(([name, ratio]) => [name, compatValue(ratio)]));
      expect(Object.keys(values).sort()).toEqual(Object.keys(metrics).sort());
      for (const [name, value] of Object.entries(metrics)) expect(values[name]).toBeCloseTo(value, 9);
    });
  }

  it('counts a label without a truth as wrong, and no label not at all', () => {
    const metric = 'self_labeling/pseudo_label_matches_gt';
    const labeled = countSelfLabeling(vote(['4']), null, isEqual);
    expect(labeled.get(metric)).toEqual({ numerator: 0, denominator: 1 });
    const unlabeled = countSelfLabeling(vote([null]), '4', isEqual);
    expect(unlabeled.get(metric)).toEqual({ numerator: 0, denominator: 0 });
  });

  it('does not call a rollout without answer parseable where no answer may win', () => {
    const sums = countSelfLabeling(vote([null, null, '4'], { allowEmptyVote: true }), null, isEqual);
    expect(sums.get('self_labeling/parseable_fraction')).toEqual({ numerator: 1, denominator: 3 });
  });
});

describe('countLabelQuality', () => {
  const truth = { text: '1/2', key: 'half' };
  const quality = (keys: readonly (string | null)[], known: typeof truth | null = truth) =>
    Object.fromEntries(
      [...countLabelQuality(vote(keys), known, isEqual)].map(([name, { numerator, denominator }]) => [
        name,
        `${numerator}/${denominator}`,
      ]),
    );

  it('counts graded and string hits of labels that have a truth', () => {
    expect(quality(['0.5', '0.5', '3'])).toEqual({
      label_coverage: '1/1',
      label_accuracy: '1/1',
      label_accuracy_string: '0/1',
      vote_tie_rate: '0/1',
    });
    expect(quality(['0.5'], null)).toMatchObject({ label_accuracy: '0/0', label_accuracy_string: '0/0' });
    expect(quality(['half'])).toMatchObject({ label_accuracy_string: '1/1' });
  });

  it('counts a tie among groups that have an answer', () => {
    expect(quality(['1', '2'])).toMatchObject({ label_coverage: '1/1', vote_tie_rate: '1/1' });
    expect(quality([null, null])).toMatchObject({
      label_coverage: '0/1',
      label_accuracy: '0/0',
      vote_tie_rate: '0/0',
    });
  });
});
