import { DISAGREEMENTS } from '../../src/domain/reward-rules.ts';
import { countVotes } from '../../src/domain/vote.ts';
import { answerEntropy } from '../../src/methods/extensions/answer-entropy.ts';
import { correlatedAgreement } from '../../src/methods/extensions/correlated-agreement.ts';
import { DAWID_SKENE_DEFAULTS, dawidSkene } from '../../src/methods/extensions/dawid-skene.ts';
import { disagreementOf } from '../../src/methods/extensions/disagreement.ts';
import { fourRegime } from '../../src/methods/extensions/four-regime.ts';
import { harmonicScores } from '../../src/methods/extensions/harmonic-vote.ts';
import { logDistill } from '../../src/methods/extensions/log-distill.ts';
import { noveltyRewards } from '../../src/methods/extensions/novelty.ts';
import { restrainWeights } from '../../src/methods/extensions/restrain.ts';
import { selfConsistencyScores } from '../../src/methods/extensions/self-consistency-vote.ts';
import { sharesOf } from '../../src/methods/extensions/shares.ts';
import { softCross } from '../../src/methods/extensions/soft-cross.ts';
import {
  type Agreements,
  triangulateBinary,
  triangulateOpen,
} from '../../src/methods/extensions/triangulate.ts';
import type { Keys, Runners, Vector } from './vector.ts';

const RULES = {
  threshold: 0,
  denominator: 'parseable',
  minVotes: 1,
  tie: 'first',
  allowEmptyVote: false,
} as const;

function countKeys(keys: Keys) {
  const ballots = keys.map((key, index) => ({ key, answer: key, index }));
  return countVotes(ballots, RULES, { promptId: 'p', round: 0 });
}

const sharesOfKeys = (keys: Keys) => sharesOf(countKeys(keys));

/** The highest score; every score of these vectors is its own. */
function argmax(scores: ReadonlyMap<string, number>): string | null {
  const [top] = [...scores].sort(([, a], [, b]) => b - a);
  return top?.[0] ?? null;
}

interface MineAndPeer {
  readonly mine: Keys;
  readonly peer: Keys;
}

type Pairwise = { readonly a12: number; readonly a13: number; readonly a23: number };

const agreementsOf = ({ a12, a13, a23 }: Pairwise): Agreements => [a12, a13, a23];

/** One function of spec §10 each. */
export const runners: Runners = {
  'ext-soft': ({ input }: Vector<{ readonly me: Keys; readonly peer: Keys }>) => ({
    got: { rewards: input.me.map((key) => softCross(key, sharesOfKeys(input.peer))) },
  }),
  'ext-soft-ref': ({
    input,
    expected,
  }: Vector<MineAndPeer, { readonly results: readonly (readonly [number, string])[] }>) => ({
    got: input.mine.map((key) => softCross(key, sharesOfKeys(input.peer))),
    expected: expected.results.map(([reward]) => reward),
  }),
  'ext-4regime': ({
    input,
    config,
  }: Vector<
    MineAndPeer,
    unknown,
    { readonly tau_high: number; readonly tau_mid: number; readonly lambda: number }
  >) => {
    const rules = { tauHigh: config.tau_high, tauMid: config.tau_mid, penalty: config.lambda };
    const peer = sharesOfKeys(input.peer);
    return {
      got: {
        results: input.mine.map((key) => {
          const { reward, regime } = fourRegime(key, peer, rules);
          return [reward, regime.replaceAll('-', '_')];
        }),
      },
    };
  },
  'ext-disagree': ({ input }: Vector<MineAndPeer>) => {
    const [own, peer] = [sharesOfKeys(input.mine), sharesOfKeys(input.peer)];
    const entries = DISAGREEMENTS.map((kind) => [kind, disagreementOf(own, peer, kind)]);
    return { got: Object.fromEntries(entries) };
  },
  'ext-logdistill': ({
    input,
  }: Vector<{
    readonly peer_logprob_sum: readonly (number | null)[];
    readonly lengths: readonly number[];
  }>) => ({
    got: { rewards: input.peer_logprob_sum.map((sum, at) => logDistill(sum, input.lengths[at] ?? null)) },
  }),
  'ext-empo': ({ input }: Vector<{ readonly answers: Keys }>) => {
    const own = sharesOfKeys(input.answers);
    return {
      got: { rewards: input.answers.map((key) => softCross(key, own)), entropy: answerEntropy(own) },
    };
  },
  'ext-sc-weighted-vote': ({ input }: Vector<Readonly<Record<string, Keys>>>) => {
    const votes = Object.entries(input).map(([agent, keys]) => [agent, countKeys(keys)] as const);
    const scores = selfConsistencyScores(votes.map(([, vote]) => vote));
    const pooled = countKeys(Object.values(input).flat());
    return {
      got: {
        sc: Object.fromEntries(votes.map(([agent, vote]) => [agent, sharesOf(vote).topShare])),
        scores: Object.fromEntries(scores),
        label: argmax(scores),
        unweighted_pooled: Object.fromEntries(pooled.clusters.map(({ key, votes }) => [key, votes])),
      },
    };
  },
  'ext-harmonic': ({
    input,
  }: Vector<{
    readonly p_original: Readonly<Record<string, number>>;
    readonly p_rephrased: Readonly<Record<string, number>>;
  }>) => {
    const views = [input.p_original, input.p_rephrased].map((view) => ({
      of: new Map(Object.entries(view)),
    }));
    const scores = harmonicScores(views);
    return { got: { score: Object.fromEntries(scores), label: argmax(scores) } };
  },
  'ext-restrain': ({
    input,
    config,
  }: Vector<
    { readonly freqs: Readonly<Record<string, number>> },
    unknown,
    { readonly k: number; readonly sigma: number }
  >) => {
    const of = new Map(Object.entries(input.freqs));
    const weights = restrainWeights({ of }, { center: config.k, width: config.sigma });
    return { got: { weights: Object.fromEntries(weights) } };
  },
  'ext-evol': ({
    input,
  }: Vector<{
    readonly majority: readonly boolean[];
    readonly numeric_boxed: readonly boolean[];
    readonly novelty: readonly number[];
  }>) => {
    const group = input.novelty.map((novelty, at) => ({
      novelty,
      majority: input.majority[at] ?? false,
      answered: input.numeric_boxed[at] ?? false,
    }));
    return { got: { rewards: group.map(noveltyRewards(group)) } };
  },
  'ext-triangulate-binary': ({ input }: Vector<Pairwise>) => ({
    got: { accuracy: triangulateBinary(agreementsOf(input)) },
  }),
  'ext-triangulate-open': ({ input }: Vector<Pairwise>) => ({
    got: { accuracy: triangulateOpen(agreementsOf(input)) },
  }),
  'ext-ds-onecoin': ({
    input,
    config,
  }: Vector<
    { readonly labels_task_by_agent: readonly Keys[] },
    unknown,
    {
      readonly M: number;
      readonly init: number;
      readonly tol: number;
      readonly max_iter: number;
      readonly prior?: readonly [number, number];
    }
  >) => {
    const { accuracy, posteriors, iterations } = dawidSkene(input.labels_task_by_agent, {
      ...DAWID_SKENE_DEFAULTS,
      classes: config.M,
      start: config.init,
      tolerance: config.tol,
      maxIterations: config.max_iter,
      prior: config.prior ?? null,
    });
    return {
      got: {
        accuracy,
        iterations,
        posterior_task0: Object.fromEntries(posteriors[0] ?? []),
        posterior_task2: Object.fromEntries(posteriors[2] ?? []),
        labels: posteriors.map(argmax),
      },
    };
  },
  'ext-correlated-agreement': runAgreement,
  'ext-ca-constant': runAgreement,
};

function runAgreement({ input }: Vector<{ readonly A: Keys; readonly B: Keys }>) {
  return { got: correlatedAgreement(input.A.map((a, at) => [a, input.B[at] ?? null])) };
}
