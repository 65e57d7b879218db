import type { Evidence } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { judgedOf } from './shares.ts';

const FEWEST_GROUPS = 32;
/** Of the rounds that a label may be old. */
const NEARLY_ALL = 0.8;

/** Labels are about to run out: the teachers fall behind. With a single round there is no "about". */
export function findStaleLabels({ cohort, agents }: Evidence): readonly Finding[] {
  const { mode, maxStaleness } = cohort.barrier;
  if (mode !== 'last-label' || maxStaleness < 2) return [];
  return agents.flatMap(({ name, windows }): Finding[] => {
    const recent = windows.at(-1);
    if (recent === undefined) return [];
    const { staleness } = recent.counts;
    const groups = judgedOf(recent.counts);
    if (groups < FEWEST_GROUPS || staleness < NEARLY_ALL * maxStaleness * groups) return [];
    const mean = staleness / groups;
    const message = `The labels that "${name}" learns from are ${mean.toFixed(1)} rounds old on average, and ${maxStaleness} is the most that max_staleness allows: its teachers fall behind, and soon there will be no label. Is a teacher slower, or gone?`;
    const figures = { staleness: mean, groups, step: recent.last };
    return [findingOf('stale_labels', { agents: [name], since: null, message, figures })];
  });
}
