import type { CohortDraft } from './cohort-draft.ts';
import { CONDITIONAL_DEFAULTS } from './cohort-schema.ts';
import type { Issue } from './problems.ts';

/** What `vote.weighting` and `vote.include_own` ask of the rest of the cohort. */
export function checkWeighting(draft: CohortDraft): readonly Issue[] {
  const vote = draft.get('vote');
  if (vote === undefined) return [];
  const { weighting, include_own, denominator } = vote;
  const given = [
    ...(weighting === 'none' ? [] : [['weighting', weighting] as const]),
    ...(include_own ? [['include_own', 'include_own'] as const] : []),
  ];
  const method = draft.get('method');
  return given.flatMap(([key, what]): Issue[] => {
    const issue = (message: string): Issue => ({ path: ['vote', key], message });
    if (method !== undefined && method !== 'co-rl') {
      return [issue(`${what} only makes sense with method: co-rl, and method is ${method}`)];
    }
    if (!poolsRollouts(draft)) {
      return [
        issue(
          `${what} needs the rollouts of several agents in one vote: set supervision to pooled, or aggregate`,
        ),
      ];
    }
    if (key === 'include_own') {
      return draft.get('barrier') === 'last-label'
        ? [issue('needs the own group to be complete, and barrier last-label answers before it is')]
        : [];
    }
    return [
      ...(denominator === 'all'
        ? [issue(`${what} makes a share of scores, to which vote.denominator all does not apply`)]
        : []),
      ...(!include_own && draft.get('supervision') === 'pooled' && draft.agents?.length === 2
        ? [issue(`${what} weighs several agents, and with two there is one peer: set vote.include_own`)]
        : []),
    ];
  });
}

function poolsRollouts(draft: CohortDraft): boolean {
  const supervision = draft.get('supervision') ?? CONDITIONAL_DEFAULTS.supervision;
  const aggregate = draft.get('aggregate') ?? CONDITIONAL_DEFAULTS.aggregate;
  return supervision === 'pooled' || (supervision === 'graph' && aggregate === 'pooled');
}
