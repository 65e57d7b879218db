/**
 * Stores keep the counters by their place in these tables: a new one goes to the end of its table.
 */

/** How two values of a counter become one where records merge: merging is exact, in any order and grouping. */
type Merging = 'sum' | 'min' | 'max';

/**
 * What is counted of one agent. A group counts once, when its rewards are fixed; a rollout where it had a vote.
 * Every rate is a quotient of two of these (rates.ts), so that rates of many groups, steps and replicas come from
 * adding. Lengths are in tokens, waits in seconds.
 */
export const AGENT_COUNTERS = {
  groups: 'sum',
  /** Groups of learners, by what their rewards rest on. */
  scored: 'sum',
  unlabeled: 'sum',
  expired: 'sum',
  skipped: 'sum',
  /** Rounds between the labels and the groups. */
  staleness: 'sum',
  rollouts: 'sum',
  /** Rollouts with an answer. */
  answered: 'sum',

  /** Rewards that are not null, their sum and the sum of their squares. */
  rewards: 'sum',
  rewardSum: 'sum',
  rewardSquares: 'sum',
  /** Groups with a reward, their population standard deviations, and how many of these are 0. */
  rewardedGroups: 'sum',
  populationStds: 'sum',
  zeroStds: 'sum',
  /** Groups with two rewards or more, and their unbiased standard deviations. */
  spreadGroups: 'sum',
  unbiasedStds: 'sum',

  /** Rollouts that said how long they are. */
  lengths: 'sum',
  lengthSum: 'sum',
  truncated: 'sum',
  /** The same of those that ended by themselves. */
  endedLengths: 'sum',
  endedLengthSum: 'sum',

  /** Groups with an answer; of these, groups whose top count is shared, and groups whose rollouts all say the same. */
  votedGroups: 'sum',
  tiedGroups: 'sum',
  uniformGroups: 'sum',
  /** The top answer's shares of the answers of its group; its votes. */
  topShares: 'sum',
  topVotes: 'sum',
  labeled: 'sum',

  /** Labels that have a truth to be held against; of these, right by grading, and right by equality of keys. */
  truthLabels: 'sum',
  labelHits: 'sum',
  labelKeyHits: 'sum',
  /** Rollouts of the groups of `labelKeyHits`. */
  labelKeyHitRollouts: 'sum',

  /** Groups that are rewarded against a label, and their rollouts; of these, rollouts with that answer. */
  supervised: 'sum',
  supervisedRollouts: 'sum',
  matches: 'sum',
  /** Groups that are rewarded against a label and have a truth; of these, the label's key is that of the truth. */
  supervisedTruths: 'sum',
  supervisionHits: 'sum',
  supervisionHitRollouts: 'sum',

  /** Groups with a truth, and those with a right answer; their rollouts, and the right ones. */
  truthGroups: 'sum',
  passedGroups: 'sum',
  truthRollouts: 'sum',
  rightRollouts: 'sum',
  /** Rewards of 0 or 1 where there is a truth; of these, what the truth would have paid. */
  truthRewards: 'sum',
  rewardHits: 'sum',

  /** Prompts where all peers have a label; of these, those where the agent is rewarded against none. */
  peersLabeled: 'sum',
  peerTies: 'sum',
  /** Prompts where all agents have a label; of these, those where it is the same. */
  allLabeled: 'sum',
  unanimous: 'sum',

  /** Groups that were decided and then waited for their teachers. */
  waits: 'sum',
  waitSum: 'sum',
  waitMax: 'max',
  lengthMin: 'min',
  lengthMax: 'max',
  endedLengthMin: 'min',
  endedLengthMax: 'max',

  /** Of `supervisedTruths`, labels that are right by grading. */
  supervisionRight: 'sum',
  /** Rollouts of evaluation with a truth; the right ones. One that is sent again counts again. */
  evalRollouts: 'sum',
  evalRight: 'sum',
  /** Looks at the agent's latest labels; the shares of the commonest one, and of different ones, at each. */
  labelLooks: 'sum',
  commonestShares: 'sum',
  distinctShares: 'sum',
} as const satisfies Readonly<Record<string, Merging>>;

/**
 * What is counted of two agents, of which `first` is first in the cohort. A prompt counts once, when both groups are
 * decided and one of them is not empty.
 */
export const PAIR_COUNTERS = {
  compared: 'sum',
  firstLabeled: 'sum',
  secondLabeled: 'sum',
  bothLabeled: 'sum',
  /** Both have a label: with the same key, or equal when one is graded against the other. */
  same: 'sum',
  equivalent: 'sum',
  /** Prompts with a truth, by whose label is right; no label is wrong. */
  truths: 'sum',
  bothRight: 'sum',
  firstRight: 'sum',
  secondRight: 'sum',
  bothWrong: 'sum',
  /** Both are wrong and say the same; two agents without a label do not. */
  wrongSame: 'sum',
  /** Different texts of groups that have many, the fewer of both; of these, texts that both agents sent. */
  texts: 'sum',
  sameTexts: 'sum',
  /** Labels of different prompts that were compared, one of each agent; of these, the same. */
  chanceCompared: 'sum',
  chanceSame: 'sum',
} as const satisfies Readonly<Record<string, Merging>>;

export type AgentCounts = Readonly<Record<keyof typeof AGENT_COUNTERS, number>>;
export type PairCounts = Readonly<Record<keyof typeof PAIR_COUNTERS, number>>;

export const AGENT_COUNTER_NAMES = namesOf(AGENT_COUNTERS);
export const PAIR_COUNTER_NAMES = namesOf(PAIR_COUNTERS);

const STARTS: Readonly<Record<Merging, number>> = {
  sum: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
};

/** Nothing counted: merging it changes nothing. */
export const NO_AGENT_COUNTS: AgentCounts = startOf(AGENT_COUNTERS, AGENT_COUNTER_NAMES);
export const NO_PAIR_COUNTS: PairCounts = startOf(PAIR_COUNTERS, PAIR_COUNTER_NAMES);

/** Merges `more` into `counts`; what `more` leaves out counts nothing. */
export function addAgentCounts(counts: Mutable<AgentCounts>, more: Partial<AgentCounts>): void {
  add(AGENT_COUNTERS, counts, more);
}

/** Merges `more` into `counts`; what `more` leaves out counts nothing. */
export function addPairCounts(counts: Mutable<PairCounts>, more: Partial<PairCounts>): void {
  add(PAIR_COUNTERS, counts, more);
}

/** The same counts seen from the second agent. */
export function swapPair(counts: PairCounts): PairCounts {
  return {
    ...counts,
    firstLabeled: counts.secondLabeled,
    secondLabeled: counts.firstLabeled,
    firstRight: counts.secondRight,
    secondRight: counts.firstRight,
  };
}

const GRID = 2 ** 40;
const LARGEST = 1e100;

/**
 * A summand rounded to a multiple of 2^-40, about 1e-12. Sums of such numbers are exact up to 8192, and so do not
 * depend on the order in which replicas add them. Cut off at 1e100, so that no sum leaves the finite numbers.
 */
export function toSummand(value: number): number {
  // Zero has one sign.
  return Math.round(Math.max(-LARGEST, Math.min(LARGEST, value)) * GRID) / GRID + 0;
}

export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

type Kinds<Name extends string> = Readonly<Record<Name, Merging>>;
type Counts<Name extends string> = Readonly<Record<Name, number>>;

function startOf<Name extends string>(kinds: Kinds<Name>, names: readonly Name[]): Counts<Name> {
  return Object.fromEntries(names.map((name) => [name, STARTS[kinds[name]]])) as Counts<Name>;
}

function add<Name extends string>(
  kinds: Kinds<Name>,
  counts: Record<Name, number>,
  more: Partial<Counts<Name>>,
): void {
  // Runs for every group: over what is there, which is less than there could be.
  for (const name in more) {
    const value = more[name];
    if (value === undefined) continue;
    const kind = kinds[name];
    if (kind === 'sum') counts[name] += value;
    else counts[name] = kind === 'min' ? Math.min(counts[name], value) : Math.max(counts[name], value);
  }
}

function namesOf<Name extends string>(kinds: Kinds<Name>): readonly Name[] {
  return Object.keys(kinds) as Name[];
}
