import { DEFAULT_METHOD_OPTIONS, type MethodOptions } from '../../src/domain/method-options.ts';
import { comasReward } from '../../src/methods/comas.ts';
import { parseTau } from '../../src/methods/comas-parser.ts';
import { emaCoefficient } from '../../src/methods/ema-schedule.ts';
import { meanOverTokens } from '../../src/methods/intrinsic.ts';
import { intuitorReward } from '../../src/methods/intuitor.ts';
import { turnBonus } from '../../src/methods/maporl-bonus.ts';
import { type TurnScores, turnReturn } from '../../src/methods/maporl-returns.ts';
import type { TeacherGroup } from '../../src/methods/method.ts';
import { methodOf } from '../../src/methods/registry.ts';
import { rentReward } from '../../src/methods/rent.ts';
import { agentOf, buildCohort, buildGroup } from '../../test/support/builders.ts';
import type { Keys, Runners, Vector } from './vector.ts';

/** The reference compares the texts of boxes. */
const EXACT: MethodOptions = {
  ...DEFAULT_METHOD_OPTIONS,
  coRewarding: { ...DEFAULT_METHOD_OPTIONS.coRewarding, match: 'exact' },
};

/** Labels and rewards of `mine`, problem by problem, by the answers of `theirs`. */
function learn(method: 'co-rewarding-i' | 'co-rewarding-ii', mine: readonly Keys[], theirs: readonly Keys[]) {
  const other =
    method === 'co-rewarding-i' ? ({ view: 'rephrased' } as const) : ({ role: 'teacher' } as const);
  const cohort = buildCohort({ method, options: EXACT, agents: ['me', { name: 'other', ...other }] });
  const agent = agentOf(cohort, 'me');
  const judged = mine.map((answers, at) => {
    const own = buildGroup('me', answers);
    const teacher: TeacherGroup = { agent: 'other', round: 0, group: buildGroup('other', theirs[at] ?? []) };
    const judgement = methodOf(method).judge({
      cohort,
      agent,
      promptId: 'p',
      round: 0,
      own,
      truth: null,
      teachers: [teacher],
    });
    return { label: judgement.label?.answer ?? null, rewards: own.rollouts.map(judgement.reward) };
  });
  return { labels: judged.map(({ label }) => label), rewards: judged.map(({ rewards }) => rewards) };
}

/** What a trainer measures of one token: entropy and KL(U‖p), in nats. */
function measure(probabilities: readonly number[]) {
  const size = probabilities.length;
  const logs = probabilities.map(Math.log);
  return {
    entropy: -probabilities.reduce((sum, p, at) => sum + p * (logs[at] ?? 0), 0),
    divergence: -Math.log(size) - logs.reduce((sum, log) => sum + log, 0) / size,
  };
}

function rewardTokens(tokens: readonly (readonly number[])[], mask: readonly number[] | null) {
  const measured = tokens.map(measure);
  const mean = (values: readonly number[]) => {
    const reduced = meanOverTokens(values, mask);
    return reduced.kind === 'mean' ? reduced.mean : null;
  };
  const entropy = mean(measured.map((token) => token.entropy));
  return {
    entropy_per_token: measured.map((token) => token.entropy),
    kl_u_p_per_token: measured.map(({ divergence }) => divergence),
    rent: rentReward(entropy, true, DEFAULT_METHOD_OPTIONS.rent).reward,
    intuitor: intuitorReward(mean(measured.map(({ divergence }) => divergence))).reward,
  };
}

function softmax(logits: readonly number[], temperature: number): readonly number[] {
  const powers = logits.map((logit) => Math.exp(logit / temperature));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** A function of every answer of a conversation, by turn and agent. */
function eachAnswer<T>(scores: TurnScores, finish: number, value: (turn: number, agent: number) => T) {
  return scores.slice(0, finish + 1).map((row, turn) => row.map((_, agent) => value(turn, agent)));
}

type Rules = MethodOptions['maporl'];

function returnsOf(scores: TurnScores, finish: number, rules: Partial<Rules>) {
  const all = { ...DEFAULT_METHOD_OPTIONS.maporl, ...rules };
  return eachAnswer(scores, finish, (turn, agent) => turnReturn(scores, { turn, agent, finish }, all));
}

type ReturnVector = Vector<
  { readonly scores_turn_agent: TurnScores },
  unknown,
  { readonly gamma?: number; readonly horizon: string; readonly share: Rules['share'] }
>;

type Tokens = Vector<{
  readonly token_probs: readonly (readonly number[])[];
  readonly mask: readonly number[];
}>;

export const runners: Runners = {
  'corew1-': ({
    input: { original, rephrased },
  }: Vector<{ readonly original: readonly Keys[]; readonly rephrased: readonly Keys[] }>) => {
    const [first, second] = [
      learn('co-rewarding-i', original, rephrased),
      learn('co-rewarding-i', rephrased, original),
    ];
    return {
      got: {
        label_for_original: first.labels,
        label_for_rephrased: second.labels,
        rewards_original: first.rewards,
        rewards_rephrased: second.rewards,
      },
    };
  },
  'corew2-': ({
    input,
    expected: { metrics: _, ...expected },
  }: Vector<
    { readonly policy: readonly Keys[]; readonly teacher: readonly Keys[] },
    { readonly metrics: unknown; readonly rewards: unknown }
  >) => ({ got: learn('co-rewarding-ii', input.policy, input.teacher), expected }),
  'corew2-ema': ({
    input,
    config,
  }: Vector<
    { readonly steps: readonly number[] },
    unknown,
    { readonly alpha_start: number; readonly alpha_end: number; readonly T: number }
  >) => {
    const schedule = { start: config.alpha_start, end: config.alpha_end, steps: config.T, interval: 1 };
    const alpha = input.steps.map((step) => emaCoefficient(schedule, step) ?? Number.NaN);
    return { got: { alpha, teacher_weight: alpha.map((a) => 1 - a) } };
  },
  'maporl-score-': ({ input: { scores_turn_agent: scores }, config }: ReturnVector) => {
    const horizon = config.horizon === 'last' ? 'last' : 'discounted';
    const { gamma = 0.3, share } = config;
    return { got: { returns_turn_agent: returnsOf(scores, scores.length - 1, { gamma, horizon, share }) } };
  },
  'maporl-early-finish': ({
    input,
    expected,
    config,
  }: Vector<
    {
      readonly questions: readonly {
        readonly scores_turn_agent: TurnScores;
        readonly finish_turn: number | null;
      }[];
    },
    { readonly returns: unknown; readonly q1_turn0: unknown },
    { readonly gamma: number }
  >) => {
    const [early, late] = input.questions.map(({ scores_turn_agent: scores, finish_turn }) =>
      returnsOf(scores, finish_turn ?? scores.length - 1, { gamma: config.gamma }),
    );
    return {
      got: { returns: early, q1_turn0: late?.[0] },
      expected: { returns: expected.returns, q1_turn0: expected.q1_turn0 },
    };
  },
  'maporl-bonus-': ({
    input: { correct_turn_agent: scores },
    config: { alpha },
  }: Vector<{ readonly correct_turn_agent: TurnScores }, unknown, { readonly alpha: Rules['alpha'] }>) => {
    const finish = scores.length - 1;
    const rules = { alpha, convention: 'code' } as const;
    return {
      got: {
        bonus_turn_agent: eachAnswer(scores, finish, (turn, agent) =>
          turnBonus(scores, { turn, agent, finish }, rules),
        ),
      },
    };
  },
  'intrinsic-1': ({ input }: Tokens) => ({ got: rewardTokens(input.token_probs, input.mask) }),
  'intrinsic-mask': ({ input }: Tokens) => ({ got: rewardTokens(input.token_probs, input.mask) }),
  'intrinsic-empty': ({ input }: Tokens) => ({
    got: rewardTokens(input.token_probs, input.mask),
    expected: { rent: null, intuitor: null },
    deviation: 'an empty completion has no reward, where the reference pays it 0, the best that RENT knows',
  }),
  'intrinsic-temp': ({
    input,
    expected,
  }: Vector<
    { readonly logits: readonly number[] },
    Readonly<Record<string, { readonly entropy: number; readonly kl_u_p: number }>>
  >) => ({
    got: Object.fromEntries(
      Object.keys(expected).map((temperature) => {
        const { rent, intuitor } = rewardTokens([softmax(input.logits, Number(temperature))], null);
        return [temperature, { entropy: -(rent ?? Number.NaN), kl_u_p: intuitor }];
      }),
    ),
    expected: Object.fromEntries(
      Object.entries(expected).map(([temperature, { entropy, kl_u_p }]) => [
        temperature,
        { entropy, kl_u_p },
      ]),
    ),
  }),
  'intrinsic-not-affine': ({
    input: { a, b },
  }: Vector<{ readonly a: readonly number[]; readonly b: readonly number[] }>) => {
    const [first, second] = [rewardTokens([a], null), rewardTokens([b], null)];
    const rank = (one: number | null, other: number | null) => ((one ?? 0) > (other ?? 0) ? 'a>b' : 'b>a');
    return {
      got: {
        rent: [first.rent, second.rent],
        intuitor: [first.intuitor, second.intuitor],
        rank_rent: rank(first.rent, second.rent),
        rank_intuitor: rank(first.intuitor, second.intuitor),
      },
    };
  },
  'rent-base-format': ({
    input,
    config,
  }: Vector<
    { readonly entropies: readonly number[]; readonly parseable: readonly boolean[] },
    unknown,
    { readonly entropy_base: number }
  >) => {
    const rules = { baseFormat: true, unparseableReward: -config.entropy_base };
    return {
      got: {
        rewards: input.entropies.map(
          (entropy, at) => rentReward(entropy, input.parseable[at] === true, rules).reward,
        ),
      },
    };
  },
  'comas-1': ({ input }: Vector<{ readonly scores: readonly (1 | 2 | 3 | null)[] }>) => ({
    got: Object.fromEntries(
      (['solver', 'evaluator', 'scorer'] as const).map((part) => [
        part,
        input.scores.map((tau) => comasReward(part, tau)),
      ]),
    ),
  }),
  'comas-parse': ({ input }: Vector<{ readonly texts: readonly string[] }>) => ({
    got: { tau: input.texts.map((text) => parseTau(text, 'strict')) },
  }),
};
