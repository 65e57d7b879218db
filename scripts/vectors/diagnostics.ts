import { canonicalKey } from '../../src/answers/canonical-key.ts';
import type { Bucket, DecidedGroup } from '../../src/domain/bucket.ts';
import { countLengths, countRewards } from '../../src/domain/diagnostics/count-rollouts.ts';
import { countPair } from '../../src/domain/diagnostics/count-votes.ts';
import type { AgentCounts, PairCounts } from '../../src/domain/diagnostics/counters.ts';
import { referenceRates } from '../../src/domain/diagnostics/figures.ts';
import { AGENT_RATES, PAIR_RATES } from '../../src/domain/diagnostics/rates.ts';
import { momentsOf, populationStd, unbiasedStd } from '../../src/domain/statistics.ts';
import { countVoters, readVotes } from '../../src/service/count-group.ts';
import { judgeGroup } from '../../src/service/judge-groups.ts';
import {
  agentOf,
  buildBucket,
  buildCohort,
  buildGroup,
  type CohortOverrides,
} from '../../test/support/builders.ts';
import { figureOf, sumAgents, sumPairs, tallyBuckets } from '../../test/support/figures.ts';
import type { Keys, Runners, Vector } from './vector.ts';

/** What GRPO's advantage of TRL adds to the deviation. */
const TRL_EPSILON = 1e-4;

function countPaid(rewards: readonly number[]): AgentCounts {
  const rollouts = rewards.map((reward) => ({
    answer: null,
    reward,
    tokens: null,
    truncated: false,
    matches: false,
  }));
  return sumAgents(countRewards(rollouts));
}

function rewardStd({ input }: { readonly input: { readonly groups: readonly (readonly number[])[] } }) {
  const counts = sumAgents(...input.groups.map(countPaid));
  return {
    got: {
      within_group_std_pop_mean: AGENT_RATES.reward_std_within_pop(counts).value,
      within_group_std_unbiased_mean: AGENT_RATES.reward_std_within_unbiased(counts).value,
      batch_std_unbiased: AGENT_RATES.reward_std_batch(counts).value,
      frac_reward_zero_std: AGENT_RATES.frac_reward_zero_std(counts).value,
      reward_mean: AGENT_RATES.reward_mean(counts).value,
    },
  };
}

function advantages({ input }: { readonly input: { readonly rewards: readonly number[] } }) {
  const moments = momentsOf(input.rewards);
  const population = populationStd(moments) ?? Number.NaN;
  const unbiased = unbiasedStd(moments) ?? Number.NaN;
  return {
    got: {
      mean: moments.mean,
      std_pop: population,
      std_unbiased: unbiased,
      adv_paper: input.rewards.map((reward) => (reward - moments.mean) / population),
      adv_trl: input.rewards.map((reward) => (reward - moments.mean) / (unbiased + TRL_EPSILON)),
    },
  };
}

function lengths({
  input,
}: {
  readonly input: { readonly lengths: readonly number[]; readonly truncated: readonly number[] };
}) {
  const rollouts = input.lengths.map((tokens, at) => ({
    answer: null,
    reward: null,
    tokens,
    truncated: input.truncated[at] === 1,
    matches: false,
  }));
  const counts = sumAgents(countLengths(rollouts), { rollouts: rollouts.length });
  const rates = Object.entries(AGENT_RATES).map(([name, rate]) => [name, rate(counts).value]);
  return { got: Object.fromEntries(rates) };
}

interface Answers {
  readonly input: {
    readonly gold: readonly string[];
    readonly a: readonly string[];
    readonly b: readonly string[];
  };
}

function complementarity({ input }: Answers) {
  const labelOf = (key: string | undefined) => (key === undefined ? null : { key, answer: key });
  const counts = input.gold.map((gold, at) =>
    countPair(
      labelOf(input.a[at]),
      labelOf(input.b[at]),
      { key: gold, isRight: (answer) => answer === gold },
      () => false,
    ),
  );
  return { got: tellPair(sumPairs(...counts)) };
}

/** Rates of the appendix, turned into a table of 1,000 problems. */
function identity({
  input,
}: {
  readonly input: { readonly c: number; readonly u: number; readonly w: number };
}) {
  const truths = 1_000;
  const bothRight = Math.round((input.u - input.c) * truths);
  const counts = sumPairs({
    compared: truths,
    bothLabeled: truths,
    truths,
    bothRight,
    // Who is right alone says nothing of the identities.
    firstRight: bothRight + Math.round(input.c * truths),
    secondRight: bothRight,
    bothWrong: Math.round((1 - input.u) * truths),
    wrongSame: Math.round(input.w * truths),
    same: bothRight + Math.round(input.w * truths),
  });
  return { got: tellPair(counts) };
}

function tellPair(counts: PairCounts) {
  const value = (name: keyof typeof PAIR_RATES) => PAIR_RATES[name](counts).value;
  const accuracies = [value('accuracy_agent') ?? 0, value('accuracy_peer') ?? 0] as const;
  return {
    n11: counts.bothRight,
    n10: counts.firstRight - counts.bothRight,
    n01: counts.secondRight - counts.bothRight,
    n00: counts.bothWrong,
    complementarity: value('label_complementarity'),
    oracle: value('label_oracle'),
    wrong_agreement: value('both_wrong_same'),
    kappa: value('kappa'),
    acc_a: accuracies[0],
    acc_b: accuracies[1],
    acc_sum: accuracies[0] + accuracies[1],
    both_correct: value('both_right'),
    both_wrong: value('both_wrong'),
    answer_agreement: value('label_match'),
    answer_disagreement: value('complementarity_bound'),
  };
}

interface Exchange {
  readonly problems: readonly { readonly ground_truth: string | null }[];
  readonly vote_keys: Readonly<Record<string, readonly Keys[]>>;
}

type Metrics = Readonly<Record<string, number>>;

/** What the reference implementation logs for each agent, with and without its prefix: 0 where nothing is counted. */
function logReference(overrides: CohortOverrides, { problems, vote_keys }: Exchange) {
  const names = Object.keys(vote_keys);
  const cohort = buildCohort({ ...overrides, agents: names, answers: { mode: 'qwen', pattern: null } });
  const buckets = problems.map(({ ground_truth }, at) =>
    toBucket(
      names.map((name) => buildGroup(name, vote_keys[name]?.[at] ?? [])),
      ground_truth,
    ),
  );
  const tally = tallyBuckets(cohort, buckets);
  const logged = names.map((name) => {
    const rates = [...referenceRates(cohort, name, tally)].flatMap(([metric, { value }]) => [
      [metric, value ?? 0],
      [metric.replace(/^.*?\//, ''), value ?? 0],
    ]);
    return [name, { metrics: Object.fromEntries(rates) }];
  });
  return Object.fromEntries(logged);
}

type CoRlVector = Vector<
  Exchange,
  Readonly<Record<string, { readonly metrics: Metrics }>>,
  { readonly threshold: number }
>;

const coRl =
  (supervision: NonNullable<CohortOverrides['supervision']>) =>
  ({ input, expected, config }: CoRlVector) => ({
    got: logReference({ supervision, vote: { threshold: config.threshold } }, input),
    expected: Object.fromEntries(Object.entries(expected).map(([name, { metrics }]) => [name, { metrics }])),
  });

function ttrl({
  input,
  expected,
  config,
}: Vector<Exchange, { readonly metrics: Metrics }, { readonly threshold: number }>) {
  const logged = logReference({ method: 'ttrl', vote: { threshold: config.threshold } }, input);
  return { got: logged.A, expected: { metrics: expected.metrics } };
}

/** PRIME-RL extracts an answer from its bare label again, which turns a right `\\frac{1}{2}` into a wrong 2. */
const FRACTION_LABEL = /frac-label/;

function ttrlPrime({
  id,
  input,
  expected,
  config,
}: Vector<
  { readonly answers: Keys; readonly ground_truth: string },
  { readonly metrics: Metrics; readonly post_metrics: Metrics },
  { readonly n_samples: number }
>) {
  const differs = FRACTION_LABEL.test(id);
  return {
    got: logTtrl(buildGroup('A', input.answers), input.ground_truth, config.n_samples),
    expected: {
      metrics: { ...expected.metrics, ...(differs && { label_accuracy: 1 }) },
      post_metrics: expected.post_metrics,
    },
    ...(differs && {
      deviation: 'a label is graded as it is, where PRIME-RL extracts an answer from it again',
    }),
  };
}

/** What PRIME-RL logs of one group: all of it votes, and its first `trained` rollouts are trained on. */
function logTtrl(group: DecidedGroup, truth: string, trained: number) {
  const cohort = buildCohort({
    agents: [group.agent],
    method: 'ttrl',
    vote: { allowEmptyVote: true },
    answers: { mode: 'qwen', pattern: null },
  });
  const bucket = { ...toBucket([group], truth), settings: cohort };
  const tally = tallyBuckets(cohort, [bucket]);
  const value = (name: string) => figureOf(cohort, tally, group.agent, name).value ?? 0;
  const judgement = judgeGroup(bucket, { cohort, agent: agentOf(cohort, group.agent) });
  if (judgement === null) throw new Error('the group cannot be judged');
  const subset = { ...group, rollouts: group.rollouts.slice(0, trained) };
  const post = sumAgents(...countVoters(readVotes(bucket), subset, judgement));
  return {
    metrics: {
      label_accuracy: value('label_accuracy'),
      reward_accuracy: value('reward_accuracy'),
      majority_ratio: value('majority_ratio'),
      ground_truth_ratio: value('ground_truth_ratio'),
      majority_voting_reward: value('reward_mean'),
      [`pass@${group.rollouts.length}`]: value('pass_at_k'),
    },
    post_metrics: {
      post_reward_accuracy: AGENT_RATES.reward_accuracy(post).value,
      post_ground_truth_ratio: AGENT_RATES.ground_truth_ratio(post).value,
      [`post_pass@${trained}`]: AGENT_RATES.pass_at_k(post).value,
    },
  };
}

function toBucket(groups: readonly DecidedGroup[], truth: string | null): Bucket {
  const key = truth === null ? null : canonicalKey(truth, 'qwen');
  return buildBucket(groups, {
    truth: truth === null || key === null ? null : { text: truth, key, mode: 'qwen' },
  });
}

/** The statistics of rewards and lengths, what the reference implementations log, and how two agents complement each other. */
export const runners: Runners = {
  'reward-std-1': rewardStd,
  'grpo-adv-1': advantages,
  'length-1': lengths,
  'complementarity-1': complementarity,
  'complementarity-kappa-degenerate': complementarity,
  'complementarity-identity': identity,
  'corl-': coRl({ kind: 'ring', direction: 'predecessor' }),
  'corl-n3-ring-code': coRl({ kind: 'ring', direction: 'successor' }),
  'corl-n3-peer-majority': coRl({ kind: 'peer-majority' }),
  'ttrl-': ttrl,
  'ttrl-prime-': ttrlPrime,
};
