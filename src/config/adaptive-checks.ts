import type { CohortDraft } from './cohort-draft.ts';
import type { Issue } from './problems.ts';

/** What section `adaptive` asks of itself and of the rest of the cohort. */
export function checkAdaptive(draft: CohortDraft): readonly Issue[] {
  const adaptive = draft.get('adaptive');
  if (draft.get('supervision') !== 'adaptive' || adaptive === undefined) return [];
  const { every, window, min_prompts, min_posterior } = adaptive;
  const issue = (key: string, message: string): Issue => ({ path: ['adaptive', key], message });
  const reward = draft.get('reward')?.kind;
  return [
    ...(window < every ? [issue('window', `must be at least every (${every}), got ${window}`)] : []),
    ...(window < min_prompts
      ? [issue('window', `must be at least min_prompts (${min_prompts}), got ${window}`)]
      : []),
    ...(min_posterior > 0 && reward === 'log-distill'
      ? [issue('min_posterior', 'judges labels, and reward.kind log-distill uses none: set it to 0')]
      : []),
  ];
}
