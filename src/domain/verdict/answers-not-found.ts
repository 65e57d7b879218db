import type { AgentEvidence, Evidence } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';

const FEWEST_ROLLOUTS = 32;
const FEWEST_GROUPS = 4;
const NEXT_TO_NONE = 0.02;

/** Completions come, and no answer is found in them. */
export function findAnswersNotFound({ cohort, agents }: Evidence): readonly Finding[] {
  return agents.flatMap((agent): Finding[] => {
    const { rollouts, answered, groups } = latestOf(agent);
    if (rollouts < FEWEST_ROLLOUTS || groups < FEWEST_GROUPS || answered > NEXT_TO_NONE * rollouts) return [];
    const message = `No answer is found in ${rollouts - answered} of the latest ${rollouts} completions of "${agent.name}", read in mode ${cohort.answers.mode}: they have no vote and no reward. Does its prompt ask for the answer in that form? Try a completion with POST /v1/extract, and set answers.mode to what the model writes.`;
    return [
      findingOf('answers_not_found', {
        agents: [agent.name],
        since: null,
        message,
        figures: { rollouts, answered },
      }),
    ];
  });
}

/** What was counted of its groups, or, where none is decided yet, what stands in those that are waited for. */
function latestOf({ windows, visits }: AgentEvidence) {
  const recent = windows.at(-1)?.counts;
  if (recent !== undefined && recent.rollouts >= FEWEST_ROLLOUTS) return recent;
  let [rollouts, answered] = [0, 0];
  for (const visit of visits) {
    rollouts += visit.size;
    answered += visit.answered;
  }
  return { rollouts, answered, groups: visits.length };
}
