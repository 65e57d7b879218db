import { describe, expect, it } from 'vitest';
import { type CoLabelingCase, countCoLabeling } from '../../../../src/domain/diagnostics/co-labeling.ts';
import { countLabelQuality } from '../../../../src/domain/diagnostics/label-quality.ts';
import { addRatios, compatValue, type Ratios, toRate } from '../../../../src/domain/diagnostics/ratios.ts';
import { teachersOf } from '../../../../src/domain/supervision.ts';
import { countLabels, countVotes, type Vote } from '../../../../src/domain/vote.ts';
import { type CoRlVector, readVectors } from '../../../fixtures/vectors/read-vectors.ts';
import { agentOf, buildCohort } from '../../../support/builders.ts';

const label = (key: string | null) => (key === null ? null : { key, answer: key });

/** Votes and supervision of every agent for one problem, from the domain alone. */
function viewProblem(vector: CoRlVector, at: number) {
  const names = Object.keys(vector.vote_keys);
  const cohort = buildCohort({
    agents: names,
    supervision: vector.supervision,
    vote: { threshold: vector.threshold },
  });
  const votes = new Map<string, Vote>();
  for (const name of names) {
    const keys = vector.vote_keys[name]?.[at] ?? [];
    const ballots = keys.map((key, index) => ({ key, answer: key, index }));
    votes.set(name, countVotes(ballots, cohort.vote, { promptId: 'p', round: at }));
  }
  const labelOf = (name: string) => votes.get(name)?.label ?? null;
  return (name: string): CoLabelingCase & { readonly vote: Vote | undefined } => ({
    own: labelOf(name),
    vote: votes.get(name),
    peers: names
      .filter((peer) => peer !== name)
      .map((agent) => ({ agent, decided: true, label: labelOf(agent) })),
    supervision: countLabels(teachersOf(cohort, agentOf(cohort, name), null).map(labelOf)).label,
    truthKey: vector.truth_keys[at] ?? null,
  });
}

function sumProblems(vector: CoRlVector, name: string): Ratios {
  return vector.truths.reduce<Ratios>(
    (sum, _, at) => addRatios(sum, countCoLabeling(viewProblem(vector, at)(name))),
    new Map(),
  );
}

describe('countCoLabeling', () => {
  for (const vector of readVectors('co-rl').cases) {
    for (const [name, expected] of Object.entries(vector.expected)) {
      it(`gives the metrics of the reference: ${vector.id}, agent ${name}`, () => {
        const sums = sumProblems(vector, name);
        for (const [metric, value] of Object.entries(expected.metrics)) {
          const ratio = sums.get(metric);
          if (ratio === undefined) throw new Error(`no metric ${metric}`);
          expect(compatValue(ratio), metric).toBeCloseTo(value, 9);
        }
        const supervision = vector.truths.map(
          (_, at) => viewProblem(vector, at)(name).supervision?.key ?? null,
        );
        expect(supervision).toEqual(expected.supervision);
      });
    }
  }

  it('calls right every right label that has a truth, where the reference counts those without as wrong', () => {
    const vector = readVectors('co-rl').cases.find(({ id }) => id === 'corl-missing-gt');
    if (vector === undefined) throw new Error('no such vector');
    const quality = vector.truths.reduce<Ratios>((sum, truth, at) => {
      const { vote } = viewProblem(vector, at)('A');
      const key = vector.truth_keys[at];
      if (vote === undefined) throw new Error('no vote');
      const known = truth === null || key == null ? null : { text: truth, key };
      return addRatios(
        sum,
        countLabelQuality(vote, known, (answer, text) => answer === text),
      );
    }, new Map());
    expect(quality.get('label_accuracy')).toEqual({ numerator: 1, denominator: 1 });
    expect(sumProblems(vector, 'A').get('co_labeling/oracle_accuracy_me')).toEqual({
      numerator: 1,
      denominator: 2,
    });
  });

  it('has no rate where nothing is labeled', () => {
    const vector = readVectors('co-rl').cases.find(({ id }) => id === 'corl-n2-all-unlabelled');
    if (vector === undefined) throw new Error('no such vector');
    const agreement = sumProblems(vector, 'A').get('co_labeling/peer_agreement');
    expect(agreement && toRate(agreement).value).toBeNull();
  });

  it('keeps its names while a peer is undecided, and counts that peer nowhere', () => {
    const peers = (decided: boolean) => [
      { agent: 'b', decided, label: decided ? label('4') : null },
      { agent: 'c', decided: true, label: label('4') },
    ];
    const view = { own: label('4'), supervision: label('4'), truthKey: null };
    const open = countCoLabeling({ ...view, peers: peers(false) });
    const closed = countCoLabeling({ ...view, peers: peers(true) });
    expect([...open.keys()]).toEqual([...closed.keys()]);
    const nothing = { numerator: 0, denominator: 0 };
    for (const metric of ['peer_agreement/b', 'labeled_fraction_peer/b', 'unanimous_rate', 'peer_tie_rate']) {
      expect(open.get(`co_labeling/${metric}`)).toEqual(nothing);
      expect(closed.get(`co_labeling/${metric}`)?.denominator).toBe(1);
    }
    const one = countCoLabeling({ ...view, peers: [{ agent: 'b', decided: false, label: null }] });
    expect(one.get('co_labeling/both_labeled_fraction')).toEqual(nothing);
  });

  it('counts no tie and no unanimity of an agent that is alone', () => {
    const alone = countCoLabeling({ own: label('4'), peers: [], supervision: null, truthKey: '4' });
    const nothing = { numerator: 0, denominator: 0 };
    expect(alone.get('co_labeling/unanimous_rate')).toEqual(nothing);
    expect(alone.get('co_labeling/peer_tie_rate')).toEqual(nothing);
    expect(alone.get('co_labeling/oracle_accuracy_me')).toEqual({ numerator: 1, denominator: 1 });
  });
});
