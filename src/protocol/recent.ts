import { z } from 'zod';
import { PROMPT_MARKS, type PromptMark } from '../domain/prompt-mark.ts';
import type { MarkedPrompt } from '../service/mark-prompt.ts';

const MEANINGS: Readonly<Record<PromptMark, string>> = {
  disagreement: 'two agents vote for different answers',
  tie: "an agent's votes are even",
  unlabeled: 'a group is rewarded against no label',
  'label-wrong': 'the ground truth contradicts a label that is paid by',
  waiting: 'rollouts of an agent are not all in',
};

export const recentPromptsReplySchema = z
  .object({
    prompts: z.array(
      z.object({
        prompt_id: z.string(),
        round: z.int(),
        step: z.int().nullable(),
        marks: z.array(z.enum(PROMPT_MARKS)).meta({
          description: PROMPT_MARKS.map((mark) => `\`${mark}\`: ${MEANINGS[mark]}.`).join(' '),
        }),
        labels: z.array(z.object({ agent: z.string(), label: z.string().nullable() })),
      }),
    ),
  })
  .meta({
    id: 'RecentPrompts',
    description:
      'The latest prompts, the latest first, at most 64 of each agent, with what each is worth a look for.',
  });

export function toRecentPrompts(prompts: readonly MarkedPrompt[]): z.infer<typeof recentPromptsReplySchema> {
  return {
    prompts: prompts.map(({ promptId, round, step, marks, labels }) => ({
      prompt_id: promptId,
      round,
      step,
      marks: [...marks],
      labels: labels.map(({ agent, label }) => ({ agent, label })),
    })),
  };
}
