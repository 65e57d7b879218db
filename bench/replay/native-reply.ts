import { z } from 'zod';
import type { Rewarded } from './messages.ts';
import { idOf, type Submission } from './native-submissions.ts';
import { groupRollouts } from './rollouts.ts';

const replySchema = z.object({
  status: z.literal('decided'),
  groups: z.array(
    z.object({
      prompt_id: z.string(),
      round: z.int(),
      status: z.string(),
      label: z.string().nullable(),
      rewards: z.array(z.number().nullable()),
      rollouts: z.array(z.object({ id: z.string(), reward: z.number().nullable() })),
    }),
  ),
});

/** A reward that a Python client would read as an integer. */
const INTEGER_REWARD = /"reward":-?\d+[,}]|"rewards":\[(?:[^\]]*,)?-?\d+[,\]]/;

/** Reads a reply as a trainer would, by position and by id, and says where the two differ or do not fit. */
export function readSubmissionReply(
  submission: Submission,
  text: string,
): { readonly rewards: readonly Rewarded[]; readonly faults: readonly string[] } {
  const { groups } = replySchema.parse(JSON.parse(text));
  const faults: string[] = INTEGER_REWARD.test(text) ? ['a reward is not written as a float'] : [];
  const rewards: Rewarded[] = [];
  const sent = [...groupRollouts(submission.rollouts).values()];
  if (groups.length !== sent.length) faults.push(`${groups.length} groups came for ${sent.length}`);
  for (const [position, rollouts] of sent.entries()) {
    const group = groups[position];
    const [first] = rollouts;
    if (group === undefined || first === undefined) continue;
    if (group.prompt_id !== first.promptId || group.round !== first.round) {
      faults.push(`group ${position} is of ${group.prompt_id}, round ${group.round}`);
    }
    if (group.status !== 'scored' && group.status !== 'unlabeled') {
      faults.push(`group ${position} has status ${group.status}`);
    }
    for (const [place, { name, index }] of rollouts.entries()) {
      const byId = group.rollouts.filter(({ id }) => id === idOf(index));
      const reward = byId[0]?.reward ?? null;
      if (byId.length !== 1) faults.push(`${name} came ${byId.length} times`);
      if (group.rewards[place] !== reward) faults.push(`${name} has another reward by position`);
      rewards.push({ name, reward, label: group.label });
    }
  }
  return { rewards, faults };
}
