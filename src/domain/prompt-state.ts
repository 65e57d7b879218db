import { type Bucket, type Group, isOpen } from './bucket.ts';
import type { AgentName } from './cohort.ts';

/** The latest visit of one agent to one prompt: where its next rollouts go when it sends no round. */
export interface Visit {
  readonly round: number;
  readonly incarnation: string | null;
  readonly step: number | null;
}

/** Everything kept of one (cohort, prompt). Immutable. It is the unit of atomic change in every store. */
export interface PromptState {
  readonly promptId: string;
  readonly rounds: ReadonlyMap<number, Bucket>;
  readonly visits: ReadonlyMap<AgentName, Visit>;
  /** Latest decided, non-empty group of each agent, for barrier `last-label`. */
  readonly labels: ReadonlyMap<AgentName, { readonly round: number; readonly group: Group }>;
}

export function emptyPrompt(promptId: string): PromptState {
  return { promptId, rounds: new Map(), visits: new Map(), labels: new Map() };
}

/**
 * Rounds that are kept of one prompt: a problem is visited a few times within the retention. Trainers that give all
 * problems one id would otherwise make each arrival cost more than the one before.
 */
export const MOST_ROUNDS = 256;

/**
 * The prompt with a place for this round: the lowest decided ones go where there are too many. Null: those that are kept
 * are all open, or this one is so old that it has gone itself.
 */
export function withRoomFor(prompt: PromptState, round: number): PromptState | null {
  const { rounds } = prompt;
  if (rounds.has(round) || rounds.size < MOST_ROUNDS) return prompt;
  let lowest = Number.POSITIVE_INFINITY;
  for (const [known, bucket] of rounds) if (known < lowest && !isOpen(bucket)) lowest = known;
  if (lowest > round) return null;
  const kept = new Map(rounds);
  kept.delete(lowest);
  return { ...prompt, rounds: kept };
}

/** Replaces the bucket of its round and remembers the group as latest label where that applies. */
export function withBucket(prompt: PromptState, bucket: Bucket, decided: readonly AgentName[]): PromptState {
  let labels = prompt.labels;
  for (const agent of decided) {
    const group = bucket.groups.get(agent);
    if (group === undefined || group.state === 'empty') continue;
    const known = labels.get(agent);
    if (known !== undefined && known.round > bucket.round) continue;
    labels = new Map(labels).set(agent, { round: bucket.round, group });
  }
  return { ...prompt, rounds: new Map(prompt.rounds).set(bucket.round, bucket), labels };
}

/**
 * Notes a visit; an earlier round of the same incarnation does not take the agent back. A null incarnation
 * speaks for the one that is known.
 */
export function withVisit(prompt: PromptState, agent: AgentName, visit: Visit): PromptState {
  const known = prompt.visits.get(agent);
  const incarnation = visit.incarnation ?? known?.incarnation ?? null;
  if (known !== undefined && known.round > visit.round && known.incarnation === incarnation) return prompt;
  return { ...prompt, visits: new Map(prompt.visits).set(agent, { ...visit, incarnation }) };
}
