import type { AgentName } from '../cohort.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { judgedOf } from './shares.ts';
import { formatShare } from './words.ts';

const FEWEST_GROUPS = 64;
const NEXT_TO_ALL = 0.97;
/** Groups that are paid for want of a label have no spread either, and are told of otherwise. */
const MOST_UNPAID = 0.25;

/** All rollouts of a group get the same reward, group after group. `explained`: agents of which is known why. */
export function findNoSpread(
  { cohort, agents }: Evidence,
  explained: ReadonlySet<AgentName>,
): readonly Finding[] {
  return agents.flatMap(({ name, windows }): Finding[] => {
    const recent = windows.at(-1);
    const k = cohort.agents.find((agent) => agent.name === name)?.k ?? 1;
    if (recent === undefined || k < 2 || explained.has(name)) return [];
    const { zeroStds, rewardedGroups, scored } = recent.counts;
    const judged = judgedOf(recent.counts);
    if (rewardedGroups < FEWEST_GROUPS || zeroStds < NEXT_TO_ALL * rewardedGroups) return [];
    if (judged - scored > MOST_UNPAID * judged) return [];
    const message = `${formatShare(zeroStds / rewardedGroups)} of the latest ${rewardedGroups} groups of "${name}" have the same reward for every rollout: there is nothing to learn from. Are the prompts too easy or far too hard, is the sampling temperature 0, or does the method pay all alike?`;
    const figures = { zero_std_groups: zeroStds, groups: rewardedGroups, step: recent.last };
    return [findingOf('no_spread', { agents: [name], since: null, message, figures })];
  });
}
