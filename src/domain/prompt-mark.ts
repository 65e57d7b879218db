/** What a prompt is worth a look for, and what each means, for people. */
export const PROMPT_MARKS = {
  disagreement: 'two agents vote for different answers',
  tie: "an agent's votes are even",
  unlabeled: 'a group is rewarded against no label',
  'label-wrong': 'the ground truth contradicts a label that is paid by',
  waiting: 'rollouts of an agent are not all in',
} as const;

export type PromptMark = keyof typeof PROMPT_MARKS;

/** In the order in which they are told. */
export const PROMPT_MARK_NAMES = Object.keys(PROMPT_MARKS) as [PromptMark, ...PromptMark[]];
