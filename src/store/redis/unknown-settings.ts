import { isDeepStrictEqual } from 'node:util';
import type {
  Agent,
  AnswerSettings,
  BarrierRules,
  Cohort,
  CohortLimits,
  VoteRules,
  WatchdogRules,
} from '../../domain/cohort.ts';
import type { MethodOptions } from '../../domain/method-options.ts';
import type { ReliabilityRules } from '../../domain/plan.ts';
import type { RewardRules } from '../../domain/reward-rules.ts';

/** Every key of a type, which the compiler holds complete: what is not listed came from a newer version. */
type Keys<T> = Readonly<Record<keyof T, true>>;

const PARTS = {
  vote: {
    threshold: true,
    denominator: true,
    minVotes: true,
    tie: true,
    allowEmptyVote: true,
  } satisfies Keys<VoteRules>,
  answers: { mode: true, pattern: true, reasoning: true, fallback: true } satisfies Keys<AnswerSettings>,
  barrier: {
    mode: true,
    maxStaleness: true,
    deadlineMs: true,
    quorum: true,
    graceMs: true,
  } satisfies Keys<BarrierRules>,
  watchdog: { silentAfterMs: true, stalledAfterMs: true } satisfies Keys<WatchdogRules>,
  limits: { openBuckets: true, heldRequests: true } satisfies Keys<CohortLimits>,
  reliability: {
    every: true,
    window: true,
    classes: true,
    prior: true,
    minPosterior: true,
    truthShare: true,
  } satisfies Keys<ReliabilityRules>,
  options: {
    rent: true,
    coRewarding: true,
    comas: true,
    maporl: true,
    judge: true,
    random: true,
    inverted: true,
  } satisfies Keys<MethodOptions>,
  reward: {
    kind: true,
    scale: true,
    fourRegime: true,
    restrain: true,
    weight: true,
    minWeight: true,
    flipGate: true,
    entropyWindow: true,
  } satisfies Keys<RewardRules>,
} as const;

/** Which edition it is tells nothing of what it says. */
const COHORT: Keys<Omit<Cohort, 'edition'>> = {
  name: true,
  agents: true,
  method: true,
  supervision: true,
  weighting: true,
  includeOwn: true,
  unlabeledReward: true,
  reveal: true,
  onFinish: true,
  retentionMs: true,
  promptRetentionMs: true,
  vote: true,
  answers: true,
  barrier: true,
  watchdog: true,
  limits: true,
  reliability: true,
  options: true,
  reward: true,
};

const AGENT: Keys<Agent> = { name: true, k: true, view: true, role: true };

type Loose = Readonly<Record<string, unknown>>;

/** Whether two cohorts are the same in all that this version knows of: a setting of a newer one is no difference to it. */
export function agree(one: Cohort, other: Cohort): boolean {
  return isDeepStrictEqual(onlyKnown(one), onlyKnown(other));
}

/** `next`, with the settings of `before` that only a newer version knows. */
export function keepUnknown(before: Cohort, next: Cohort): Loose {
  const kept: Record<string, unknown> = { ...unknownOf(before, COHORT), ...next };
  for (const [part, keys] of Object.entries(PARTS)) {
    kept[part] = { ...unknownOf(partOf(before, part), keys), ...partOf(next, part) };
  }
  const agents = new Map(before.agents.map((agent) => [agent.name, agent]));
  kept.agents = next.agents.map((agent) => ({ ...unknownOf(agents.get(agent.name) ?? {}, AGENT), ...agent }));
  return kept;
}

function onlyKnown(cohort: Cohort): Loose {
  const known: Record<string, unknown> = pick(cohort, COHORT);
  for (const [part, keys] of Object.entries(PARTS)) known[part] = pick(partOf(cohort, part), keys);
  known.agents = cohort.agents.map((agent) => pick(agent, AGENT));
  return known;
}

function partOf(cohort: object, part: string): Loose {
  return ((cohort as Loose)[part] ?? {}) as Loose;
}

function pick(from: object, keys: Loose): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => Object.hasOwn(keys, key)));
}

function unknownOf(from: object, keys: Loose): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !Object.hasOwn(keys, key)));
}
