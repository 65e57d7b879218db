import type { AgentName } from '../cohort.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';

/** Enough where the agents agree on what they call right, and enough where they do not: the problems may be hard. */
const FEWEST_GROUPS = 32;
const FEWEST_HARD_GROUPS = 256;
const AGREED = 0.3;
/** Share of the completions in which an answer is found. */
const READABLE = 0.5;
/** Share of answers that may equal a truth in another form, as where it begins with a number. */
const BY_CHANCE = 0.01;

/**
 * Answers are found, and next to none of any agent was ever right: the truths are in a form that no answer has. `blind`: agents
 * without answers, which say nothing of the truths.
 */
export function findUnreadableTruths(
  { agents, pairs }: Evidence,
  blind: ReadonlySet<AgentName>,
): readonly Finding[] {
  let [groups, rollouts, answered, right, graded] = [0, 0, 0, 0, 0];
  const named: AgentName[] = [];
  for (const { name, windows } of agents) {
    for (const { counts } of windows) {
      right += counts.rightRollouts;
      graded += counts.truthRollouts;
    }
    const recent = windows.at(-1)?.counts;
    if (recent === undefined || recent.truthRollouts === 0 || blind.has(name)) continue;
    named.push(name);
    groups += recent.truthGroups;
    rollouts += recent.truthRollouts;
    answered += recent.rollouts === 0 ? 0 : (recent.answered / recent.rollouts) * recent.truthRollouts;
  }
  if (right > BY_CHANCE * graded) return [];
  if (groups < (agreementOf(pairs) >= AGREED ? FEWEST_GROUPS : FEWEST_HARD_GROUPS)) return [];
  if (answered < READABLE * rollouts) return [];
  const message = `Next to none of the latest ${rollouts} answers of ${named.join(', ')} equals the ground truth of its prompt, so no accuracy can be told (rewards of co-rl do not use it). Send the bare answer as ground_truth, not a worked solution; check one pair with POST /v1/grade.`;
  const figures = { rollouts, groups, right };
  return [findingOf('unreadable_truths', { agents: named, since: null, message, figures })];
}

/** Of the pair that agrees most. */
function agreementOf(pairs: Evidence['pairs']): number {
  const shares = pairs.map(({ windows }) => {
    const counts = windows.at(-1)?.counts;
    return counts === undefined || counts.bothLabeled === 0 ? 0 : counts.same / counts.bothLabeled;
  });
  return Math.max(0, ...shares);
}
