/**
 * What a prompt is worth a look for. `disagreement`: two agents vote for different answers. `tie`: the votes of an agent are
 * even. `unlabeled`: a decided group is rewarded against no label. `label-wrong`: the ground truth contradicts a label that is
 * paid by. `waiting`: an agent's rollouts are not all in.
 */
export const PROMPT_MARKS = ['disagreement', 'tie', 'unlabeled', 'label-wrong', 'waiting'] as const;
export type PromptMark = (typeof PROMPT_MARKS)[number];
