/**
 * Where the reasoning before an answer was opened. `in-completion`: by a mark of the completion. `opened-by-prompt`: by
 * the end of the prompt, so that a completion that never closes it holds no answer. `none`: marks are text like any other.
 */
export const REASONING_POLICIES = ['opened-by-prompt', 'in-completion', 'none'] as const;

export type ReasoningPolicy = (typeof REASONING_POLICIES)[number];
