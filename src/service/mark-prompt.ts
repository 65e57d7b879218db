import type { Bucket } from '../domain/bucket.ts';
import type { Cohort } from '../domain/cohort.ts';
import { PROMPT_MARK_NAMES, type PromptMark } from '../domain/prompt-mark.ts';
import { voteOf } from '../methods/ballots.ts';
import { isLabelRight } from '../methods/bucket-truth.ts';
import type { AgentActivity, BucketRef } from '../store/store.ts';
import { judgeGroup } from './judge-groups.ts';

export interface MarkedPrompt extends BucketRef {
  readonly marks: readonly PromptMark[];
  /** The latest step at which an agent sent it; null where trainers tell none. */
  readonly step: number | null;
  /** What each agent votes for so far, in the order of the cohort; null: it has no label. */
  readonly labels: readonly { readonly agent: string; readonly label: string | null }[];
}

/** Prompts that are looked at; of each agent the store remembers 64. */
const MOST_PROMPTS = 256;

/** The prompts that the agents sent last, each once, the latest first. Agents are taken in turn, since nobody knows better. */
export function latestOf(activity: readonly AgentActivity[]): readonly BucketRef[] {
  const lists = activity.map(({ recentPrompts }) => recentPrompts.toReversed());
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const found = new Map<string, BucketRef>();
  for (let at = 0; at < longest; at++) {
    for (const list of lists) {
      const ref = list[at];
      if (ref !== undefined) found.set(JSON.stringify([ref.promptId, ref.round]), ref);
    }
  }
  return [...found.values()].slice(0, MOST_PROMPTS);
}

export function markPrompt(cohort: Cohort, bucket: Bucket): MarkedPrompt {
  const marks = new Set<PromptMark>();
  const labels: { agent: string; label: string | null }[] = [];
  const keys = new Set<string>();
  let step: number | null = null;
  for (const agent of cohort.agents) {
    const group = bucket.groups.get(agent.name);
    if (group === undefined || group.state === 'open') marks.add('waiting');
    if (group === undefined) continue;
    if (group.step !== null) step = Math.max(step ?? 0, group.step);
    const vote = voteOf(group, bucket.settings, bucket);
    labels.push({ agent: agent.name, label: vote.label?.answer ?? null });
    if (vote.label !== null) keys.add(vote.label.key);
    if (vote.tied) marks.add('tie');
    const judgement = judgeGroup(bucket, { cohort, agent });
    if (judgement === null) continue;
    if (judgement.label === null && group.rollouts.length > 0) marks.add('unlabeled');
    if (isLabelRight(judgement.label, bucket) === false) marks.add('label-wrong');
  }
  if (keys.size > 1) marks.add('disagreement');
  const { promptId, round } = bucket;
  return { promptId, round, step, labels, marks: PROMPT_MARK_NAMES.filter((mark) => marks.has(mark)) };
}
