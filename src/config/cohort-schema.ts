import { z } from 'zod';
import { EXTRACTION_MODES, FALLBACKS } from '../answers/modes.ts';
import { REASONING_POLICIES } from '../answers/reasoning-policy.ts';
import { METHOD_NAMES } from '../domain/cohort.ts';
import { VOTE_WEIGHTINGS } from '../domain/vote-weighting.ts';
import { adaptiveSchema } from './adaptive-schema.ts';
import { agentsSchema, groupSize, MAX_AGENTS, MAX_K, teachersSchema } from './agent-schema.ts';
import {
  conditional,
  duration,
  flag,
  LONGEST_MS,
  oneOf,
  share,
  strictObject,
  wholeNumber,
  withDefault,
} from './fields.ts';
import { methodOptionsSchema } from './method-options-schema.ts';
import { patternSchema } from './pattern-schema.ts';
import { reliabilitySchema } from './reliability-schema.ts';
import { rewardSchema } from './reward-schema.ts';

/** Defaults of the settings that may only be given together with another one. */
export const CONDITIONAL_DEFAULTS = {
  supervision: 'ring',
  ring: 'predecessor',
  aggregate: 'peer-majority',
  maxStaleness: 1,
  graceMs: 30_000,
} as const;

/** Decisions have to stay readable for at least 30 minutes: that long a stock trainer retries. */
const MIN_RETENTION_MS = 1_800_000;

const voteSchema = strictObject({
  threshold: withDefault(
    share(),
    0,
    'Share of the votes that a label needs, 0 to 1; exactly this share is enough. 0 accepts any plurality.',
  ),
  denominator: withDefault(
    oneOf(['parseable', 'all']),
    'parseable',
    'What the share is taken of: `parseable` rollouts, those that have an answer, or `all` rollouts of the group.',
  ),
  min_votes: withDefault(
    wholeNumber(1, 1_000_000),
    1,
    'Rollouts with an answer that a group needs; a group with fewer stays unlabeled.',
  ),
  tie: withDefault(
    oneOf(['first', 'discard', 'random']),
    'first',
    'What a tie does: `first` takes the answer with the lowest rollout index, `discard` leaves the group unlabeled, `random` draws, seeded by prompt and round.',
  ),
  allow_empty_vote: withDefault(
    flag(),
    false,
    'Lets "no answer" stand for election, as PRIME-RL/TTRL does; only to reproduce its runs.',
  ),
  weighting: withDefault(
    oneOf(VOTE_WEIGHTINGS),
    'none',
    "How the answers of several agents count in one label. Rollouts: `self-consistency` by the share of their agent's top answer, `harmonic` by the harmonic mean of the agents' shares, so that only what all of them gave can win; both with pooled rollouts. Merged labels: `dawid-skene` by how reliable their agents have been, with at least 3 agents and `peer-majority`.",
  ),
  include_own: withDefault(
    flag(),
    false,
    "Pools the agent's own rollouts with those of its peers, so that all agents learn from one label. Only with pooled rollouts. The agent's own group is waited for.",
  ),
});

/**
 * A cohort as it is written in YAML, in JSON and in the body of PUT /v1/cohorts/{cohort}. Strict at every
 * level. The rules between fields are in `cohort-rules.ts`; `parseCohort` applies both.
 */
export const cohortConfigSchema = strictObject({
  agents: agentsSchema.meta({
    description: `The agents, 1 to ${MAX_AGENTS} (\`co-rl\`: at least 2), in ring order: names, or objects with name, k, view and role. Required.`,
  }),
  k: withDefault(groupSize, 8, 'Rollouts per prompt of every agent that has no `k` of its own.'),
  method: withDefault(
    oneOf(METHOD_NAMES),
    'co-rl',
    "How rewards are made; docs/methods.md describes each. `co-rl`: peers' votes; `ttrl`: the agent's own majority; `ground-truth`: the truth that the trainer sends; `rent`, `intuitor`: entropy, self-certainty; `co-rewarding-i`, `co-rewarding-ii`: the other view's vote, a slow copy's vote; `comas`: a scorer's verdict; `maporl`: scores of several turns; `llm-judge`: a language model; `random`, `format`, `inverted`: controls.",
  ),
  options: methodOptionsSchema.prefault({}).meta({ description: 'Settings of single methods.' }),
  supervision: conditional(
    oneOf(['ring', 'peer-majority', 'pooled', 'graph', 'adaptive']),
    CONDITIONAL_DEFAULTS.supervision,
    "Who teaches whom: `ring` one neighbour, `peer-majority` the plurality of all peers' labels, `pooled` one vote over all peers' rollouts, `graph` as in `teachers`, `adaptive` the agent whose labels are probably better than its own, chosen anew now and then. Only with `method: co-rl`.",
  ),
  ring: conditional(
    oneOf(['predecessor', 'successor']),
    CONDITIONAL_DEFAULTS.ring,
    "Direction of the ring: an agent learns from the one before it (the paper) or after it (the paper's code). Only with `supervision: ring`.",
  ),
  teachers: teachersSchema.optional().meta({
    description:
      'Teachers of every learner, as lists of names of agents. Required with `supervision: graph`, and only allowed there.',
  }),
  aggregate: conditional(
    oneOf(['peer-majority', 'pooled']),
    CONDITIONAL_DEFAULTS.aggregate,
    'How the answers of several teachers become one label. Only with `supervision: graph`.',
  ),
  adaptive: adaptiveSchema.meta({
    description: 'How teachers are chosen (docs/adaptive.md). Only with `supervision: adaptive`.',
  }),
  vote: voteSchema.prefault({}).meta({ description: 'When the top answer of a group becomes its label.' }),
  reward: rewardSchema.meta({
    description:
      'How a label becomes rewards. Only with a method that votes. docs/methods-options.md has the formulas.',
  }),
  reliability: reliabilitySchema.meta({
    description: 'How reliabilities are estimated. Only with `vote.weighting: dawid-skene`.',
  }),
  answers: strictObject({
    mode: withDefault(
      oneOf(EXTRACTION_MODES),
      'auto',
      'How an answer is taken from a completion; a submission can override it per prompt. docs/answers.md describes each mode.',
    ),
    pattern: patternSchema.optional().meta({
      description:
        'The pattern whose last match (its first group, if it has one) is the answer. Required with `mode: regex`, and only allowed there. Look-around and back-references are refused, so that every match takes linear time.',
    }),
    reasoning: oneOf(REASONING_POLICIES).optional().meta({
      description:
        'Where the reasoning before an answer is opened: `in-completion` by the completion; `opened-by-prompt` by the end of the prompt, as templates that end in `<think>` do, so that a completion which never closes it holds no answer; `none`: there is no reasoning, and its marks are text. Left out, it is seen from the prompt where the trainer sends it, and is `in-completion` elsewhere.',
    }),
    fallback: withDefault(
      oneOf(FALLBACKS),
      'none',
      'What mode `auto` takes from a completion that announces no answer: `none`, its last `formula`, or the `last` formula or number. For evaluation, not for rewards: whatever is mentioned last would be paid.',
    ),
  })
    .prefault({})
    .meta({ description: 'How answers are read.' }),
  reveal: withDefault(
    oneOf(['complete', 'always']),
    'complete',
    'When an agent is shown its label, and with its token what the others answered: `complete`, once all of its own rollouts of the round are in, so that none of them can be made from it; `always`, as soon as they are known.',
  ),
  on_finish: withDefault(
    oneOf(['close-ring', 'expire']),
    'close-ring',
    'What becomes of the students of an agent that has finished, in the prompts after it: `close-ring`, they learn from the next of the ring; `expire`, from nobody, and their groups are paid `unlabeled_reward` at once. Only with `supervision: ring` or `adaptive`.',
  ),
  barrier: withDefault(
    oneOf(['sync', 'last-label']),
    'sync',
    "`sync` waits for the teachers' answers of the same round (the paper); `last-label` answers at once from their latest label of the prompt, for asynchronous trainers.",
  ),
  max_staleness: conditional(
    wholeNumber(0, 1_000_000),
    CONDITIONAL_DEFAULTS.maxStaleness,
    'How many rounds old a label may be. Only with `barrier: last-label`.',
  ),
  deadline_ms: duration(
    1_000,
    3_600_000,
    840_000,
    'Milliseconds after a group was opened at which it is decided with what it has. Stay below what the trainers wait: OpenRLHF as it comes gives up after 15 minutes.',
  ),
  quorum: withDefault(
    wholeNumber(1, MAX_K).nullable(),
    null,
    "Rollouts that suffice to decide a group early, after `grace_ms`; at most the smallest agent's k. null: only a full group is decided before its deadline.",
  ),
  grace_ms: conditional(
    wholeNumber(0, 3_600_000),
    CONDITIONAL_DEFAULTS.graceMs,
    'Milliseconds that a group which has its quorum still waits for the rest; below `deadline_ms`. Only with `quorum`.',
    'ms',
  ),
  unlabeled_reward: z.literal([0, null], { error: 'expected 0 or null' }).default(0).meta({
    description:
      'Reward of every rollout of a group that got no label (unlabeled, expired, skipped). null where the trainer can leave samples out; protocols that cannot carry null send 0. Default: 0.',
  }),
  retention_ms: duration(
    MIN_RETENTION_MS,
    LONGEST_MS,
    3_600_000,
    'Milliseconds that a decided bucket stays readable, so that a retry gets the same rewards; at least 30 minutes.',
  ),
  prompt_retention_ms: duration(
    MIN_RETENTION_MS,
    LONGEST_MS,
    604_800_000,
    'Milliseconds that the visit counters and latest labels of a prompt outlive its last submission; at least `retention_ms`. Longer than an epoch.',
  ),
  watchdog: strictObject({
    silent_after_ms: duration(
      1_000,
      LONGEST_MS,
      45_000,
      'Milliseconds without a word of an agent that others wait for, after which it is reported as silent: more for one that takes longer between its rewards and its next rollouts, three times as long as that.',
    ),
    stalled_after_ms: duration(
      1_000,
      LONGEST_MS,
      30_000,
      'Milliseconds that somebody waits, while nothing arrives, before it is asked why.',
    ),
  })
    .prefault({})
    .meta({ description: 'When a wait is reported as a finding.' }),
  limits: strictObject({
    open_buckets: withDefault(
      wholeNumber(1, 10_000_000),
      100_000,
      'Buckets with an undecided group; submissions that would open more are refused with 503.',
    ),
    held_requests: withDefault(
      wholeNumber(1, 1_000_000),
      10_000,
      'Requests held at the barrier; more are answered at once with what is known.',
    ),
  })
    .prefault({})
    .meta({ description: 'What the cohort may hold in memory.' }),
}).meta({
  id: 'CohortConfig',
  description: 'One training run: agents, method, supervision, voting, waiting.',
  examples: [
    { agents: ['qwen', 'llama'], k: 8 },
    {
      agents: [
        { name: 'qwen', k: 8 },
        { name: 'llama', k: 4, view: 'rephrased' },
        { name: 'judge', role: 'teacher' },
      ],
      supervision: 'graph',
      teachers: { qwen: ['llama', 'judge'], llama: ['qwen', 'judge'] },
      answers: { mode: 'boxed' },
      quorum: 3,
      grace_ms: 20_000,
    },
  ],
});

/** A checked cohort with its defaults, snake_case; settings tied to another one may still be absent. */
export type CohortConfig = z.output<typeof cohortConfigSchema>;

/** A cohort as someone writes it: only `agents` is required. */
export type CohortConfigSource = z.input<typeof cohortConfigSchema>;
