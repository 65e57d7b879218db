import { describe, expect, it } from 'vitest';
import { correlatedAgreement } from '../../../../src/methods/extensions/correlated-agreement.ts';
import { DAWID_SKENE_DEFAULTS, dawidSkene } from '../../../../src/methods/extensions/dawid-skene.ts';
import { harmonicScores } from '../../../../src/methods/extensions/harmonic-vote.ts';
import { labelPosteriors, logOddsWeight, posteriorOf } from '../../../../src/methods/extensions/log-odds.ts';
import { selfConsistencyScores } from '../../../../src/methods/extensions/self-consistency-vote.ts';
import { triangulateBinary, triangulateOpen } from '../../../../src/methods/extensions/triangulate.ts';
import { countKeys, sharesOfKeys } from './shares-of-keys.ts';

/** Eight prompts, three agents: the first agrees with one of the others everywhere. */
const LABELS = [
  ['1', '1', '2'],
  ['3', '3', '3'],
  ['4', '5', '4'],
  ['6', '6', '6'],
  ['7', '7', '8'],
  ['9', '0', '9'],
  ['a', 'a', 'a'],
  ['b', 'b', 'c'],
];

describe('one-coin Dawid-Skene', () => {
  it('collapses onto one agent without a prior', () => {
    const { accuracy, iterations } = dawidSkene(LABELS, { ...DAWID_SKENE_DEFAULTS, prior: null });
    expect(accuracy[0]).toBe(1 - 1e-6);
    expect(accuracy[1]).toBeCloseTo(0.7500000268518889, 9);
    expect(iterations).toBe(7);
  });

  it('keeps all agents fallible under the default prior', () => {
    const { accuracy, posteriors } = dawidSkene(LABELS, DAWID_SKENE_DEFAULTS);
    expect(accuracy[0]).toBeCloseTo(0.9122612374385156, 9);
    expect(accuracy[1]).toBeCloseTo(0.7508994440361021, 9);
    expect(accuracy[2]).toBeCloseTo(0.6657672226305644, 9);
    expect(posteriors[0]?.get('1')).toBeCloseTo(0.9929880296159025, 9);
    expect(posteriors[2]?.get('5')).toBeCloseTo(0.015914619792759304, 9);
  });

  it('gives an agent without labels the mode of the prior, and a prompt without labels no posterior', () => {
    const { accuracy, posteriors } = dawidSkene(
      [
        ['1', '1', null],
        [null, null, null],
      ],
      DAWID_SKENE_DEFAULTS,
    );
    expect(accuracy[2]).toBe(0.75);
    expect(posteriors[1]?.size).toBe(0);
  });

  it('stays finite where an agent is always or never right', () => {
    const rows = Array.from({ length: 200 }, (_, at) => [`${at}`, `${at}`, 'x']);
    const { accuracy } = dawidSkene(rows, { ...DAWID_SKENE_DEFAULTS, prior: null });
    expect(accuracy).toEqual([1 - 1e-6, 1 - 1e-6, 1e-6]);
    expect(dawidSkene([], DAWID_SKENE_DEFAULTS).accuracy).toEqual([]);
  });
});

describe('triangulation', () => {
  it('recovers accuracies of 0.9, 0.8 and 0.65 from the agreement of independent agents', () => {
    const binary = triangulateBinary([0.74, 0.62, 0.59]);
    const open = triangulateOpen([0.72, 0.585, 0.52]);
    for (const accuracies of [binary, open]) {
      expect(accuracies?.map((accuracy) => Number(accuracy.toFixed(12)))).toEqual([0.9, 0.8, 0.65]);
    }
  });

  it('says nothing where two agents agree no more than chance', () => {
    expect(triangulateBinary([0.5, 0.9, 0.9])).toBeNull();
    expect(triangulateOpen([0, 0.9, 0.9])).toBeNull();
  });

  it('claims no accuracy above 1', () => {
    expect(triangulateOpen([0.9, 0.9, 0.5])?.[0]).toBe(1);
  });
});

describe('weighted votes', () => {
  it('count each rollout by the self-consistency of its agent', () => {
    const votes = [
      ['4', '4', '4', '5'],
      ['5', '5', '6', '7'],
      ['5', '5', '5', '5'],
    ].map(countKeys);
    expect(Object.fromEntries(selfConsistencyScores(votes))).toEqual({ 4: 2.25, 5: 5.75, 6: 0.5, 7: 0.5 });
  });

  it('take the harmonic mean of the shares, which is 0 for what one view never gave', () => {
    const scores = harmonicScores([sharesOfKeys(['4', '4', '4', '5']), sharesOfKeys(['4', '5', '5', '6'])]);
    expect(scores.get('4')).toBeCloseTo(0.375);
    expect(scores.get('5')).toBeCloseTo(1 / 3);
    expect(scores.get('6')).toBe(0);
  });

  it('weigh a label by the log-odds of its agent: nothing for one that guesses, less for one that is worse', () => {
    expect(logOddsWeight(0.5, 2)).toBe(0);
    expect(logOddsWeight(0.1, 10)).toBeCloseTo(0);
    expect(logOddsWeight(0.9, 10)).toBeCloseTo(Math.log(81));
    expect(logOddsWeight(0.05, 10)).toBeLessThan(0);
    expect(Number.isFinite(logOddsWeight(1, 10))).toBe(true);
  });

  it('let one reliable agent outweigh two poor ones that agree', () => {
    const scores = labelPosteriors(
      [
        { key: '4', reliability: 0.95 },
        { key: '5', reliability: 0.3 },
        { key: '5', reliability: 0.3 },
        { key: null, reliability: 0.99 },
      ],
      10,
    );
    expect(scores.get('4') ?? 0).toBeGreaterThan(scores.get('5') ?? 0);
    expect(scores.size).toBe(2);
    expect([...scores.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(1);
    expect(labelPosteriors([{ key: null, reliability: 0.9 }], 10).size).toBe(0);
  });
});

describe('correlated agreement', () => {
  const of = (a: readonly (string | null)[], b: readonly (string | null)[]) =>
    correlatedAgreement(a.map((one, at) => [one, b[at] ?? null]));

  it('takes what chance explains off the agreement', () => {
    const result = of(['x', 'y', 'x', 'y'], ['x', 'y', 'x', 'x']);
    expect(result?.agreement).toBe(0.75);
    expect(result?.chance).toBeCloseTo(5 / 12);
    expect(result?.score).toBeCloseTo(1 / 3);
    expect((result?.scores ?? []).reduce((a, b) => a + b, 0) / 4).toBeCloseTo(1 / 3);
  });

  it('is 0 for two agents that answer everything alike', () => {
    expect(of(['5', '5', '5'], ['5', '5', '5'])).toMatchObject({ agreement: 1, chance: 1, score: 0 });
  });

  it('drops prompts that either left unanswered, and needs two', () => {
    expect(of(['x', null, 'y'], ['x', 'x', 'y'])?.scores).toHaveLength(2);
    expect(of(['x', null], ['x', 'x'])).toBeNull();
  });
});

describe('the posterior of one label among M answers', () => {
  const of = (...labels: readonly [string | null, number][]) =>
    labels.map(([key, reliability]) => ({ key, reliability }));

  it('is the reliability of its agent where nobody else has a label', () => {
    expect(posteriorOf('x', of(['x', 0.8]), 10)).toBeCloseTo(0.8, 12);
    expect(posteriorOf('x', of(['x', 0.8], [null, 0.9]), 2)).toBeCloseTo(0.8, 12);
  });

  it('multiplies odds: agreement raises it, contradiction lowers it', () => {
    // Odds against each other answer: 9 · 0.8 / 0.2 = 36 and 9 · 0.5 / 0.5 = 9.
    expect(posteriorOf('x', of(['x', 0.8], ['x', 0.5]), 10)).toBeCloseTo(324 / (324 + 9), 12);
    expect(posteriorOf('x', of(['x', 0.8], ['y', 0.5]), 10)).toBeCloseTo(36 / (36 + 9 + 8), 12);
    expect(posteriorOf('y', of(['x', 0.8], ['y', 0.5]), 10)).toBeCloseTo(9 / (36 + 9 + 8), 12);
  });

  it('is 1/M without labels, and a probability at the ends', () => {
    expect(posteriorOf('x', [], 4)).toBeCloseTo(0.25, 12);
    expect(posteriorOf('x', of(['x', 1], ['y', 1]), 2)).toBeCloseTo(0.5, 9);
    expect(posteriorOf('x', of(['x', 0]), 2)).toBeCloseTo(0, 5);
  });

  it('agrees with the posteriors over the labels given where those are all M answers', () => {
    const labels = of(['x', 0.9], ['y', 0.6], ['x', 0.3]);
    expect(posteriorOf('x', labels, 2)).toBeCloseTo(labelPosteriors(labels, 2).get('x') ?? 0, 12);
  });
});
