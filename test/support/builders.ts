import type { ArrivalContext, ArrivalOutcome, GroupArrival, NewRollout } from '../../src/domain/arrival.ts';
import type { Bucket, DecidedGroup, Group, Rollout, Truth } from '../../src/domain/bucket.ts';
import {
  type AdaptiveRules,
  type Agent,
  type AgentName,
  type Cohort,
  findAgent,
} from '../../src/domain/cohort.ts';
import { DEFAULT_METHOD_OPTIONS } from '../../src/domain/method-options.ts';
import { DEFAULT_RELIABILITY_RULES } from '../../src/domain/plan.ts';
import { DEFAULT_REWARD_RULES } from '../../src/domain/reward-rules.ts';
import { relationsOf } from '../../src/methods/relations.ts';
import type { Refused } from '../../src/store/store.ts';

export interface CohortOverrides
  extends Partial<Omit<Cohort, 'barrier' | 'limits' | 'vote' | 'agents' | 'options'>> {
  readonly agents?: readonly (AgentName | (Partial<Agent> & { readonly name: AgentName }))[];
  readonly barrier?: Partial<Cohort['barrier']>;
  readonly limits?: Partial<Cohort['limits']>;
  readonly vote?: Partial<Cohort['vote']>;
  readonly options?: Partial<Cohort['options']>;
  /** Rollouts per prompt of agents that do not say. */
  readonly k?: number;
}

/** A valid cohort: two learners `a` and `b` in a ring, K = 2, and the paper's vote, unless told otherwise. */
export function buildCohort(overrides: CohortOverrides = {}): Cohort {
  const { agents = ['a', 'b'], k = 2, barrier, limits, vote, options, ...rest } = overrides;
  return {
    name: 'test',
    edition: 0,
    agents: agents.map((agent) =>
      buildAgent(typeof agent === 'string' ? { name: agent, k } : { k, ...agent }),
    ),
    method: 'co-rl',
    options: { ...DEFAULT_METHOD_OPTIONS, ...options },
    supervision: { kind: 'ring', direction: 'predecessor' },
    vote: {
      threshold: 0,
      denominator: 'parseable',
      minVotes: 1,
      tie: 'first',
      allowEmptyVote: false,
      ...vote,
    },
    weighting: 'none',
    reliability: DEFAULT_RELIABILITY_RULES,
    includeOwn: false,
    reward: DEFAULT_REWARD_RULES,
    answers: { mode: 'raw', pattern: null },
    barrier: { mode: 'sync', maxStaleness: 2, deadlineMs: 60_000, quorum: null, graceMs: 5_000, ...barrier },
    unlabeledReward: 0,
    retentionMs: 1_800_000,
    promptRetentionMs: 7_200_000,
    watchdog: { silentAfterMs: 60_000, stalledAfterMs: 120_000 },
    limits: { openBuckets: 1_000, heldRequests: 100, ...limits },
    ...rest,
  };
}

/** Supervision that chooses teachers as soon as two agents share 2 labelled prompts. */
export function buildAdaptive(overrides: Partial<AdaptiveRules> = {}): Cohort['supervision'] {
  return {
    kind: 'adaptive',
    fallback: 'predecessor',
    minPrompts: 2,
    margin: 0,
    minDwell: 0,
    ...overrides,
  };
}

function buildAgent(agent: Partial<Agent> & { readonly name: AgentName }): Agent {
  return { k: 2, view: 'original', role: 'learner', ...agent };
}

export function agentOf(cohort: Cohort, name: AgentName): Agent {
  const agent = findAgent(cohort, name);
  if (agent === undefined) throw new Error(`no agent "${name}" in the cohort of this test`);
  return agent;
}

/** What the service would say of this agent's submission, from the cohort's own method. */
export function buildContext(
  cohort: Cohort,
  agentName: AgentName,
  overrides: Partial<ArrivalContext> = {},
): ArrivalContext {
  const agent = agentOf(cohort, agentName);
  return {
    cohort,
    agent,
    incarnation: null,
    step: null,
    holder: 'connection',
    relationsOf,
    plan: null,
    paysByTruth: () => false,
    finished: new Set(),
    ...overrides,
  };
}

/** A rollout with an id; its text is its answer and its id unless `text` says otherwise. */
export function buildRollout(
  id: string | null,
  answer: string | null,
  overrides: Partial<NewRollout> & { readonly text?: string } = {},
): NewRollout {
  const { text = `${id ?? ''}:${answer ?? ''}`, ...rest } = overrides;
  return {
    id,
    index: null,
    answer,
    key: answer,
    digest: text,
    tokens: null,
    truncated: false,
    signals: null,
    ...rest,
  };
}

/** Rollouts `r0`, `r1`, … with these answers, indices from `from` on. */
export function buildRollouts(answers: readonly (string | null)[], prefix = 'r', from = 0): NewRollout[] {
  return answers.map((answer, place) =>
    buildRollout(`${prefix}${from + place}`, answer, { index: from + place }),
  );
}

/** A rollout that came with neither id nor index. */
export function buildAnonymous(text: string, answer: string | null = text): NewRollout {
  return buildRollout(null, answer, { text });
}

export function buildArrival(
  promptId: string,
  rollouts: readonly NewRollout[],
  overrides: Partial<GroupArrival> = {},
): GroupArrival {
  return { promptId, round: null, truth: null, rollouts, ...overrides };
}

export function buildTruth(text: string, key = text): Truth {
  return { text, key, mode: 'raw' };
}

/** A complete group as a method gets it, its rollouts indexed in the order given. */
export function buildGroup(
  agent: AgentName,
  keys: readonly (string | null)[],
  overrides: Partial<DecidedGroup> = {},
): DecidedGroup {
  return {
    agent,
    k: keys.length,
    state: 'complete',
    cause: 'k',
    incarnation: null,
    step: null,
    openedAt: 0,
    deadlineAt: 60_000,
    quorumAt: null,
    decidedAt: 0,
    rollouts: keys.map((key, index): Rollout => buildStored(`r${index}`, key, { index })),
    basis: null,
    previous: null,
    ...overrides,
  };
}

/** A bucket of these groups, without a truth unless told otherwise. */
export function buildBucket(groups: readonly Group[], overrides: Partial<Bucket> = {}): Bucket {
  return {
    promptId: 'p',
    round: 0,
    truth: null,
    settings: buildCohort(),
    plan: null,
    groups: new Map(groups.map((group) => [group.agent, group])),
    ...overrides,
  };
}

export function buildStored(id: string, key: string | null, overrides: Partial<Rollout> = {}): Rollout {
  return {
    id,
    index: null,
    incarnation: null,
    step: null,
    answer: key,
    key,
    digest: `${id}:${key ?? ''}`,
    tokens: null,
    truncated: false,
    late: false,
    anonymous: false,
    holder: null,
    askedAt: null,
    signals: null,
    ...overrides,
  };
}

/** The bucket of an outcome that must be `stored`. */
export function storedBucket(
  outcome: ArrivalOutcome | { readonly kind: Refused['kind'] } | undefined,
): Bucket {
  if (outcome?.kind !== 'stored') throw new Error(`expected "stored", got ${JSON.stringify(outcome)}`);
  return outcome.bucket;
}
