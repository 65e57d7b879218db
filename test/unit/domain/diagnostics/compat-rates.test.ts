import { describe, expect, it } from 'vitest';
import type { Cohort } from '../../../../src/domain/cohort.ts';
import { compatRates } from '../../../../src/domain/diagnostics/compat-rates.ts';
import { NO_AGENT_COUNTS } from '../../../../src/domain/diagnostics/counters.ts';
import { referenceRates } from '../../../../src/domain/diagnostics/figures.ts';
import { Tally } from '../../../../src/domain/diagnostics/tally.ts';
import { readVectors } from '../../../fixtures/vectors/read-vectors.ts';
import { buildBucket, buildCohort, buildGroup } from '../../../support/builders.ts';
import { figureOf, tallyBuckets } from '../../../support/figures.ts';

type Keys = readonly (string | null)[];

interface Problem {
  readonly keys: Readonly<Record<string, Keys>>;
  readonly truth: string | null;
  readonly truthKey: string | null;
}

function tallyOf(cohort: Cohort, problems: readonly Problem[], mode: string) {
  const buckets = problems.map(({ keys, truth, truthKey }, round) =>
    buildBucket(
      Object.entries(keys).map(([agent, list]) => buildGroup(agent, list)),
      { round, truth: truth === null || truthKey === null ? null : { text: truth, key: truthKey, mode } },
    ),
  );
  return tallyBuckets(cohort, buckets);
}

/** As the reference implementations log it: a rate of nothing is 0. */
const logged = (value: number | null) => value ?? 0;

describe('co_labeling', () => {
  for (const vector of readVectors('co-rl').cases) {
    const cohort = buildCohort({
      agents: Object.keys(vector.vote_keys),
      supervision: vector.supervision,
      vote: { threshold: vector.threshold },
    });
    const problems = vector.truths.map((truth, at): Problem => {
      const keys = Object.entries(vector.vote_keys).map(([agent, list]) => [agent, list[at] ?? []]);
      return { keys: Object.fromEntries(keys), truth, truthKey: vector.truth_keys[at] ?? null };
    });
    const tally = tallyOf(cohort, problems, 'raw');
    for (const [agent, { metrics }] of Object.entries(vector.expected)) {
      it(`is what the reference logs: ${vector.id}, agent ${agent}`, () => {
        for (const [name, value] of Object.entries(metrics)) {
          expect(logged(figureOf(cohort, tally, agent, name).value), name).toBeCloseTo(value, 9);
        }
      });
    }

    if (vector.id === 'corl-missing-gt') {
      it('counts a label without a truth as wrong, which label_accuracy leaves out', () => {
        const rate = (name: string) => figureOf(cohort, tally, 'A', name);
        expect(rate('label_accuracy')).toMatchObject({ numerator: 1, denominator: 1 });
        expect(rate('co_labeling/oracle_accuracy_me')).toMatchObject({ numerator: 1, denominator: 2 });
      });
    }
    if (vector.id === 'corl-n2-all-unlabelled') {
      it('has no agreement where nothing is labeled', () => {
        expect(figureOf(cohort, tally, 'A', 'co_labeling/peer_agreement').value).toBeNull();
      });
    }
  }

  it('has names that depend on the agents alone', () => {
    const cohort = buildCohort({ agents: ['a', 'b', 'c'] });
    const tally = new Tally();
    const names = () => [...referenceRates(cohort, 'a', tally).keys()];
    const before = names();
    tally.add({ kind: 'pair', first: 'a', second: 'c', counts: { compared: 1 } });
    expect(names()).toEqual(before);
    expect(before).toContain('co_labeling/peer_agreement/c');
    const two = [...referenceRates(buildCohort(), 'a', new Tally()).keys()];
    expect(two).toContain('co_labeling/peer_agreement');
    expect(two).toContain('co_labeling/both_labeled_fraction');
  });
});

describe('self_labeling', () => {
  for (const { id, threshold, truths, vote_keys, metrics } of readVectors('ttrl').cases) {
    it(`is what the reference logs: ${id}`, () => {
      const cohort = buildCohort({ agents: ['a'], method: 'ttrl', vote: { threshold } });
      const problems = vote_keys.map((keys, at): Problem => {
        const truth = truths[at] ?? null;
        return { keys: { a: keys }, truth, truthKey: truth };
      });
      const tally = tallyOf(cohort, problems, 'auto');
      const found = [...referenceRates(cohort, 'a', new Tally()).keys()];
      expect(found.sort()).toEqual(Object.keys(metrics).sort());
      for (const [name, value] of Object.entries(metrics)) {
        expect(logged(figureOf(cohort, tally, 'a', name).value), name).toBeCloseTo(value, 9);
      }
    });
  }
});

describe('TTRL as PRIME-RL runs it', () => {
  /**
   * PRIME-RL extracts an answer from its bare label before it grades it, which turns a right `\frac{1}{2}` into a
   * wrong "2". This server grades the label itself.
   */
  const DEVIATIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'ttrl-prime-frac-label-bug': { label_accuracy: 1 },
  };
  const OURS: Readonly<Record<string, string>> = {
    majority_voting_reward: 'reward_mean',
    'pass@8': 'pass_at_k',
  };

  for (const { id, answers, truth, metrics } of readVectors('ttrl-prime').cases) {
    it(`is told by our names: ${id}`, () => {
      const cohort = buildCohort({ agents: ['a'], method: 'ttrl', vote: { allowEmptyVote: true } });
      const tally = tallyOf(cohort, [{ keys: { a: answers }, truth, truthKey: truth }], 'auto');
      for (const [name, value] of Object.entries({ ...metrics, ...DEVIATIONS[id] })) {
        if (name.startsWith('post_')) continue;
        const { value: found } = figureOf(cohort, tally, 'a', OURS[name] ?? name);
        expect(logged(found), name).toBeCloseTo(value, 9);
      }
    });
  }
});

describe('compatRates', () => {
  it('are none for a method without a reference of its own', () => {
    expect(compatRates('ground-truth', NO_AGENT_COUNTS, []).size).toBe(0);
  });
});
