import { type Bucket, type Rollout, withGroup } from './bucket.ts';
import type { AgentName } from './cohort.ts';
import { isHeldBy } from './find-stored.ts';
import { type PromptState, withBucket } from './prompt-state.ts';

/** Marks a connection as gone: its anonymous rollouts can be taken up again by an identical text. */
export function releaseHolder(
  prompt: PromptState,
  round: number,
  agent: AgentName,
  connection: string,
): PromptState {
  return changeRollouts(prompt, round, agent, (rollout) =>
    isHeldBy(rollout, connection) ? { ...rollout, holder: null } : rollout,
  );
}

/** Holds rollouts whose reward was written to its caller. It names no connection and no replica, so nobody gives them back. */
const ANSWERED = '=';

/**
 * Marks a connection as answered: what it held is nobody's to take up again, though an identical text comes at the next
 * visit and the replica that held the connection is gone by then.
 */
export function answerHolder(
  prompt: PromptState,
  round: number,
  agent: AgentName,
  connection: string,
): PromptState {
  return changeRollouts(prompt, round, agent, (rollout) =>
    isHeldBy(rollout, connection) ? { ...rollout, holder: ANSWERED } : rollout,
  );
}

/**
 * Somebody asks again for rollouts that came without id: they are held once more, so that an identical text
 * of the next visit is not taken for theirs. Rollouts that another connection holds stay with it.
 */
export function holdRollouts(
  prompt: PromptState,
  round: number,
  agent: AgentName,
  ids: ReadonlySet<string>,
  holder: string,
): PromptState {
  return changeRollouts(prompt, round, agent, (rollout) =>
    rollout.anonymous && rollout.holder === null && ids.has(rollout.id) ? { ...rollout, holder } : rollout,
  );
}

/** The same state where nothing changed. */
function changeRollouts(
  prompt: PromptState,
  round: number,
  agent: AgentName,
  change: (rollout: Rollout) => Rollout,
): PromptState {
  const bucket: Bucket | undefined = prompt.rounds.get(round);
  const group = bucket?.groups.get(agent);
  if (bucket === undefined || group === undefined) return prompt;
  const rollouts = group.rollouts.map(change);
  if (rollouts.every((rollout, at) => rollout === group.rollouts[at])) return prompt;
  return withBucket(prompt, withGroup(bucket, { ...group, rollouts }), []);
}
