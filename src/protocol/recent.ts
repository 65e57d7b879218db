import { z } from 'zod';
import { PROMPT_MARK_NAMES, PROMPT_MARKS } from '../domain/prompt-mark.ts';
import type { MarkedPrompt } from '../service/mark-prompt.ts';

export const recentPromptsReplySchema = z
  .object({
    prompts: z.array(
      z.object({
        prompt_id: z.string(),
        round: z.int(),
        step: z.int().nullable(),
        marks: z.array(z.enum(PROMPT_MARK_NAMES)).meta({
          description: PROMPT_MARK_NAMES.map((mark) => `\`${mark}\`: ${PROMPT_MARKS[mark]}.`).join(' '),
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
      labels: [...labels],
    })),
  };
}
