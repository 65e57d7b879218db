import type { AgentName } from '../cohort.ts';
import type { AgentCounts } from '../diagnostics/counters.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { formatShare } from './words.ts';

const FEWEST_GROUPS = 16;
const MANY_UNLABELED = 0.5;
const FEWEST_EXPIRED = 2;
const MANY_EXPIRED = 0.05;

/** Groups of a learner: what its rewards rest on. */
export function judgedOf({ scored, unlabeled, expired, skipped }: AgentCounts): number {
  return scored + unlabeled + expired + skipped;
}

/** Most groups have no label to be rewarded against, though their teachers sent answers. */
export function findUnlabeledShare({ cohort, agents }: Evidence): readonly Finding[] {
  return agents.flatMap(({ name, windows }): Finding[] => {
    const recent = windows.at(-1);
    if (recent === undefined) return [];
    const judged = judgedOf(recent.counts);
    const { unlabeled } = recent.counts;
    if (judged < FEWEST_GROUPS || unlabeled < MANY_UNLABELED * judged) return [];
    const { threshold, minVotes, tie } = cohort.vote;
    const rules = `a label needs ${formatShare(threshold)} of the votes and ${minVotes} of them, and ties are settled by ${tie}`;
    const why =
      cohort.barrier.mode === 'last-label'
        ? `its teachers have no label of these prompts from the last ${cohort.barrier.maxStaleness} rounds, or none at all`
        : rules;
    const message = `${formatShare(unlabeled / judged)} of the latest ${judged} groups of "${name}" got no label and are paid ${cohort.unlabeledReward ?? 'nothing'}: ${why}. The reason of each is in its reply. Are the rules too strict for what the teachers answer?`;
    const figures = { unlabeled, groups: judged, step: recent.last };
    return [findingOf('unlabeled_share', { agents: [name], since: null, message, figures })];
  });
}

/** Teachers did not come before the deadline. `explained`: whoever waits for known reasons. */
export function findExpiredShare(
  { cohort, agents }: Evidence,
  explained: ReadonlySet<AgentName>,
): readonly Finding[] {
  return agents.flatMap(({ name, windows }): Finding[] => {
    const recent = windows.at(-1);
    if (recent === undefined || explained.has(name)) return [];
    const judged = judgedOf(recent.counts);
    const { expired } = recent.counts;
    if (expired < FEWEST_EXPIRED || expired < MANY_EXPIRED * judged) return [];
    const message = `${formatShare(expired / judged)} of the latest ${judged} groups of "${name}" found no teacher within ${Math.round(cohort.barrier.deadlineMs / 1000)} s and are paid ${cohort.unlabeledReward ?? 'nothing'}: it trains on them all the same. Is a teacher slower than deadline_ms, or does it not send these prompts?`;
    const figures = { expired, groups: judged, step: recent.last };
    return [findingOf('expired_share', { agents: [name], since: null, message, figures })];
  });
}
