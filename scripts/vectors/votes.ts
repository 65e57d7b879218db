import { canonicalKey } from '../../src/answers/canonical-key.ts';
import { extract } from '../../src/answers/extract.ts';
import type { ExtractionMode } from '../../src/answers/modes.ts';
import type { DecidedGroup } from '../../src/domain/bucket.ts';
import { countLabels, countVotes } from '../../src/domain/vote.ts';
import { voteOf } from '../../src/methods/ballots.ts';
import type { TeacherGroup } from '../../src/methods/method.ts';
import { methodOf } from '../../src/methods/registry.ts';
import {
  agentOf,
  buildCohort,
  buildGroup,
  buildStored,
  type CohortOverrides,
} from '../../test/support/builders.ts';
import type { Keys, Runners, Vector } from './vector.ts';

type Texts = readonly (string | null)[];
type Rewards = readonly (readonly number[])[];

interface Exchange {
  readonly problems: readonly { readonly ground_truth: string | null }[];
  readonly agents: Readonly<Record<string, readonly Texts[]>>;
}

interface Student {
  readonly rewards: Rewards;
  readonly supervision: Keys;
}

const RULES = {
  threshold: 0,
  denominator: 'parseable',
  minVotes: 1,
  tie: 'first',
  allowEmptyVote: false,
} as const;
const SEED = { promptId: 'p', round: 0 };

/** A group of completions as the reference wraps them, read in one of the modes that reproduce it. */
function readGroup(agent: string, texts: Texts, mode: ExtractionMode = 'qwen', boxed = true): DecidedGroup {
  const rollouts = texts.map((text, index) => {
    const completion = text === null ? 'no idea' : boxed ? `So the answer is \\boxed{${text}}.` : text;
    const answer = extract(completion, { mode });
    const key = answer === null ? null : canonicalKey(answer, mode);
    return buildStored(`r${index}`, key, { index, answer: key === null ? null : answer });
  });
  return buildGroup(agent, [], { k: texts.length, rollouts });
}

function judge(
  overrides: CohortOverrides,
  name: string,
  groups: readonly DecidedGroup[],
  truth: string | null,
) {
  const cohort = buildCohort({
    ...overrides,
    agents: groups.map(({ agent }) => agent),
    answers: { mode: 'qwen', pattern: null },
  });
  const method = methodOf(cohort.method);
  const agent = agentOf(cohort, name);
  const groupOf = (of: string) => groups.find((group) => group.agent === of) ?? buildGroup(of, []);
  const own = groupOf(name);
  const teachers = method
    .waitsFor(cohort, agent, null)
    .map((teacher): TeacherGroup => ({ agent: teacher, round: 0, group: groupOf(teacher) }));
  const key = truth === null ? null : canonicalKey(truth, 'qwen');
  const judgement = method.judge({
    cohort,
    agent,
    ...SEED,
    own,
    truth: truth === null || key === null ? null : { text: truth, key, mode: 'qwen' },
    teachers,
  });
  return { label: judgement.label?.key ?? null, rewards: own.rollouts.map(judgement.reward) };
}

/** Every agent of an exchange, problem by problem, from the texts. */
function exchange(overrides: CohortOverrides, { problems, agents }: Exchange) {
  const names = Object.keys(agents);
  return Object.fromEntries(
    names.map((name) => {
      const judged = problems.map(({ ground_truth }, at) =>
        judge(
          overrides,
          name,
          names.map((of) => readGroup(of, agents[of]?.[at] ?? [])),
          ground_truth,
        ),
      );
      return [
        name,
        {
          supervision: judged.map(({ label }) => label),
          rewards: judged.map(({ rewards }) => rewards),
        },
      ];
    }),
  );
}

type CoRlVector = Vector<
  Exchange,
  Readonly<Record<string, Student>>,
  { readonly threshold: number; readonly aggregate?: string; readonly ring?: string }
>;

const coRl =
  (supervision: NonNullable<CohortOverrides['supervision']>) =>
  ({ input, expected, config }: CoRlVector) => ({
    got: exchange({ supervision, vote: { threshold: config.threshold } }, input),
    expected: Object.fromEntries(
      Object.entries(expected).map(([name, { rewards, supervision: labels }]) => [
        name,
        { rewards, supervision: labels },
      ]),
    ),
  });

const predecessor = { kind: 'ring', direction: 'predecessor' } as const;

/** Votes, and the rewards of co-rl, ttrl and ground-truth, from completions read as the reference reads them. */
export const runners: Runners = {
  'vote-1': ({
    input,
  }: Vector<{ readonly cases: readonly { readonly answers: Keys; readonly threshold: number }[] }>) => ({
    got: {
      results: input.cases.map(({ answers, threshold }) => {
        const ballots = answers.map((key, index) => ({ key, answer: key, index }));
        const { label, share } = countVotes(ballots, { ...RULES, threshold }, SEED);
        return { label: label?.key ?? null, top_freq: share };
      }),
    },
  }),
  'peer-vote-1': ({ input }: Vector<{ readonly peer_labels: readonly Keys[] }>) => ({
    got: {
      supervision: input.peer_labels.map((labels) => {
        const { label } = countLabels(labels.map((key) => (key === null ? null : { key, answer: key })));
        return label?.key ?? null;
      }),
    },
  }),
  'corl-': coRl(predecessor),
  'corl-n3-ring-code': coRl({ kind: 'ring', direction: 'successor' }),
  'corl-n3-peer-majority': coRl({ kind: 'peer-majority' }),
  'gt-1': ({ input }: Vector<Exchange>) => ({
    got: { rewards: exchange({ method: 'ground-truth' }, input).A?.rewards },
  }),
  'ttrl-': ({
    input,
    expected,
    config,
  }: Vector<
    Exchange,
    { readonly labels: Keys; readonly rewards: Rewards },
    { readonly threshold: number }
  >) => {
    const judged = exchange({ method: 'ttrl', vote: { threshold: config.threshold } }, input).A;
    return {
      got: { labels: judged?.supervision, rewards: judged?.rewards },
      expected: { labels: expected.labels, rewards: expected.rewards },
    };
  },
  'ttrl-prime-': ({
    input,
    expected,
    config,
  }: Vector<
    { readonly answers: Texts; readonly ground_truth: string },
    { readonly rewards_all: readonly number[]; readonly train_rewards: readonly number[] },
    { readonly n_samples: number }
  >) => {
    const group = buildGroup('A', input.answers);
    const rewards = judge({ method: 'ttrl', vote: { allowEmptyVote: true } }, 'A', [group], null).rewards;
    return {
      got: { rewards_all: rewards, train_rewards: rewards.slice(0, config.n_samples) },
      expected: { rewards_all: expected.rewards_all, train_rewards: expected.train_rewards },
    };
  },
  'vlm-vote': ({ input }: Vector<{ readonly texts: readonly string[] }>) => {
    const group = readGroup('A', input.texts, 'vlm', false);
    const cohort = buildCohort({ agents: ['A'], method: 'ttrl', answers: { mode: 'vlm', pattern: null } });
    const vote = voteOf(group, cohort, SEED);
    const { rewards } = judge({ method: 'ttrl' }, 'A', [group], null);
    return {
      got: {
        vote_keys: group.rollouts.map(({ key }) => key),
        label: vote.label?.key ?? null,
        top_freq: vote.share,
        rewards,
      },
    };
  },
};
