import { z } from 'zod';
import { FALLBACKS, type Fallback } from '../answers/modes.ts';
import { REASONING_POLICIES, type ReasoningPolicy } from '../answers/reasoning-policy.ts';

/** How an answer is read, beside its mode: the fields of a request, which go before what a cohort says. */
export const answerShape = {
  reasoning: z.enum(REASONING_POLICIES).nullish().meta({
    description:
      'Where the reasoning before an answer is opened: in-completion by the completion; opened-by-prompt by the end of the prompt, so that a completion which never closes it holds no answer; none: its marks are text.',
  }),
  fallback: z.enum(FALLBACKS).nullish().meta({
    description:
      'What mode auto takes from a text that announces no answer: its last formula, or the last formula or number. For evaluation, not for rewards: whatever is mentioned last would be paid.',
  }),
};

/** What was said of it, to be spread into a group or an item. */
export function answerFields({ reasoning, fallback }: z.output<z.ZodObject<typeof answerShape>>): {
  readonly reasoning?: ReasoningPolicy;
  readonly fallback?: Fallback;
} {
  return { ...(reasoning != null && { reasoning }), ...(fallback != null && { fallback }) };
}
