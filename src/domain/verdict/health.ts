import type { AgentName } from '../cohort.ts';
import type { AgentCounts, PairCounts } from '../diagnostics/counters.ts';
import { PAIR_RATES, rateOf } from '../diagnostics/rates.ts';
import type { AgentEvidence, Evidence, Window } from './evidence.ts';

/** Labels, groups or prompts below which a share says nothing. */
const FEWEST = 16;

/** A figure now, and the lowest and highest that it was in the windows before; null where nothing was counted. */
export interface Course {
  readonly now: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
}

/** How an agent's training goes, by the figures that a collapse shows in. */
export interface Health {
  readonly agent: AgentName;
  /** Own labels that are right; null without truths. */
  readonly accuracy: Course;
  /** Groups whose rewards are all the same. */
  readonly zeroSpread: Course;
  /** Groups whose rollouts all say the same. */
  readonly uniform: Course;
  /** Agreement with the peer that it agrees with most now; null without peers. */
  readonly agreement: Course;
  /** The most that it agrees with any peer beyond chance now; null without peers. */
  readonly beyondChance: number | null;
  /** Share of the commonest among its latest labels. */
  readonly commonest: Course;
  /** Mean length in tokens. */
  readonly length: Course;
  /** Share of the completions that the length limit cuts off. */
  readonly clipped: Course;
  /** Groups in the last window, and its last step. */
  readonly groups: number;
  readonly step: number;
}

/** Agents with figures, in the order of the cohort. */
export function healthOf({ agents, pairs }: Evidence): readonly Health[] {
  return agents.flatMap((agent): Health[] => {
    const recent = agent.windows.at(-1);
    if (recent === undefined) return [];
    return [
      {
        agent: agent.name,
        accuracy: course(agent.windows, (c) => share(c.labelHits, c.truthLabels)),
        zeroSpread: course(agent.windows, (c) => share(c.zeroStds, c.rewardedGroups)),
        uniform: course(agent.windows, (c) => share(c.uniformGroups, c.votedGroups)),
        agreement: agreementOf(agent, pairs),
        beyondChance: beyondChanceOf(agent, pairs),
        commonest: course(agent.windows, (c) => share(c.commonestShares, c.labelLooks)),
        length: course(agent.windows, (c) => (c.lengths < FEWEST ? null : c.lengthSum / c.lengths)),
        clipped: course(agent.windows, (c) => share(c.truncated, c.rollouts)),
        groups: recent.counts.groups,
        step: recent.last,
      },
    ];
  });
}

function agreementOf({ name }: AgentEvidence, pairs: Evidence['pairs']): Course {
  const courses = pairs
    .filter(({ agents }) => agents.includes(name))
    .map(({ windows }) => course(windows, (c: PairCounts) => share(c.same, c.bothLabeled)));
  return courses.reduce((most, next) => ((next.now ?? -1) > (most.now ?? -1) ? next : most), NO_COURSE);
}

function beyondChanceOf({ name }: AgentEvidence, pairs: Evidence['pairs']): number | null {
  const values = pairs
    .filter(({ agents }) => agents.includes(name))
    .flatMap(({ windows }) => {
      const counts = windows.at(-1)?.counts;
      if (counts === undefined || counts.bothLabeled < FEWEST) return [];
      return PAIR_RATES.agreement_beyond_chance(counts).value ?? [];
    });
  return values.length === 0 ? null : Math.max(...values);
}

const NO_COURSE: Course = { now: null, lowest: null, highest: null };

function course<Counts extends AgentCounts | PairCounts>(
  windows: readonly Window<Counts>[],
  read: (counts: Counts) => number | null,
): Course {
  const values = windows.map(({ counts }) => read(counts));
  const before = values.slice(0, -1).filter((value) => value !== null);
  return {
    now: values.at(-1) ?? null,
    lowest: before.length === 0 ? null : Math.min(...before),
    highest: before.length === 0 ? null : Math.max(...before),
  };
}

function share(part: number, whole: number): number | null {
  return whole < FEWEST ? null : rateOf(part, whole).value;
}
