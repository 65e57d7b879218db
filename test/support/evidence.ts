import {
  type AgentCounts,
  NO_AGENT_COUNTS,
  NO_PAIR_COUNTS,
  type PairCounts,
} from '../../src/domain/diagnostics/counters.ts';
import { NO_TRAIL } from '../../src/domain/step-trail.ts';
import type { AgentEvidence, Evidence, PairEvidence, Window } from '../../src/domain/verdict/evidence.ts';
import { buildCohort, type CohortOverrides } from './builders.ts';

/** Milliseconds at which all evidence is looked at. */
export const NOW = 1_000_000;

/** A learner's groups that all went well: K = 4, a label each, right in `accuracy` of them, and some spread. */
export function goodCounts(groups: number, overrides: Partial<AgentCounts> = {}): AgentCounts {
  return {
    ...NO_AGENT_COUNTS,
    groups,
    scored: groups,
    rollouts: 4 * groups,
    answered: 4 * groups,
    rewards: 4 * groups,
    rewardedGroups: groups,
    zeroStds: Math.floor(groups / 4),
    votedGroups: groups,
    uniformGroups: Math.floor(groups / 4),
    labeled: groups,
    truthLabels: groups,
    labelHits: Math.floor(0.7 * groups),
    truthGroups: groups,
    truthRollouts: 4 * groups,
    rightRollouts: 2 * groups,
    lengths: 4 * groups,
    lengthSum: 4 * groups * 300,
    ...overrides,
  };
}

export function pairCounts(prompts: number, overrides: Partial<PairCounts> = {}): PairCounts {
  return {
    ...NO_PAIR_COUNTS,
    compared: prompts,
    firstLabeled: prompts,
    secondLabeled: prompts,
    bothLabeled: prompts,
    same: Math.floor(0.6 * prompts),
    texts: 4 * prompts,
    ...overrides,
  };
}

/** One window for each, steps 0 to 9, 10 to 19, … */
export function windowsOf<Counts>(...counts: readonly Counts[]): readonly Window<Counts>[] {
  return counts.map((each, at) => ({ first: 10 * at, last: 10 * at + 9, counts: each }));
}

export function agentEvidence(name: string, overrides: Partial<AgentEvidence> = {}): AgentEvidence {
  return {
    name,
    finished: false,
    parked: false,
    heardAt: NOW - 1_000,
    lastArrivalAt: NOW - 1_000,
    trail: NO_TRAIL,
    visits: [],
    windows: windowsOf(goodCounts(64), goodCounts(64)),
    stepSizes: [],
    ...overrides,
  };
}

export function pairEvidence(first: string, second: string, ...counts: readonly PairCounts[]): PairEvidence {
  return { agents: [first, second], windows: windowsOf(...counts) };
}

/** Two agents that do well, unless told otherwise. */
export function evidenceOf(
  overrides: Partial<Omit<Evidence, 'cohort'>> = {},
  cohort: CohortOverrides = {},
): Evidence {
  return {
    cohort: buildCohort({ k: 4, watchdog: { silentAfterMs: 45_000, stalledAfterMs: 30_000 }, ...cohort }),
    now: NOW,
    agents: [agentEvidence('a'), agentEvidence('b')],
    waits: [],
    pairs: [pairEvidence('a', 'b', pairCounts(64), pairCounts(64))],
    ...overrides,
  };
}
