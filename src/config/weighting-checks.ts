import { FEWEST_AGENTS } from '../domain/plan.ts';
import type { CohortDraft } from './cohort-draft.ts';
import { CONDITIONAL_DEFAULTS, type CohortConfig } from './cohort-schema.ts';
import type { Issue } from './problems.ts';

type Vote = CohortConfig['vote'];

/** What `vote.weighting`, `vote.include_own` and `reliability` ask of the rest of the cohort. */
export function checkWeighting(draft: CohortDraft): readonly Issue[] {
  const vote = draft.get('vote');
  if (vote === undefined) return [];
  return [...checkVote(vote, draft), ...checkUnread(vote, draft)];
}

function checkUnread({ weighting }: Vote, draft: CohortDraft): readonly Issue[] {
  const reliability = draft.get('reliability');
  if (!draft.has('reliability') || reliability === undefined) return [];
  const { every, window, min_posterior } = reliability;
  const issue = (key: string, message: string): Issue => ({ path: ['reliability', key], message });
  if (draft.get('supervision') === 'adaptive') {
    return [
      { path: ['reliability'], message: 'is for other supervisions: section adaptive has the same settings' },
    ];
  }
  if (weighting !== 'dawid-skene' && min_posterior === 0) {
    const message = `only makes sense with vote.weighting: dawid-skene, or with a min_posterior above 0, and vote.weighting is ${weighting}`;
    return [{ path: ['reliability'], message }];
  }
  return [
    ...(window < every ? [issue('window', `must be at least every (${every}), got ${window}`)] : []),
    ...(min_posterior > 0 ? checkPosterior(draft).map((text) => issue('min_posterior', text)) : []),
  ];
}

/** Labels are judged by those of the peers, of which there have to be two. */
function checkPosterior(draft: CohortDraft): readonly string[] {
  const method = draft.get('method');
  if (method !== undefined && method !== 'co-rl')
    return [`only makes sense with method: co-rl, and method is ${method}`];
  const few = draft.agents !== null && draft.agents.length < FEWEST_AGENTS;
  return [
    ...(few ? [`needs at least ${FEWEST_AGENTS} agents, got ${draft.agents?.length}`] : []),
    ...(draft.get('reward')?.kind === 'log-distill'
      ? ['judges labels, and reward.kind log-distill uses none: leave it at 0']
      : []),
  ];
}

function checkVote(vote: Vote, draft: CohortDraft): readonly Issue[] {
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
    if (weighting === 'dawid-skene' && key === 'weighting') return checkReliability(draft).map(issue);
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

/** Two agents that disagree do not tell which of them is right. */
function checkReliability(draft: CohortDraft): readonly string[] {
  const few = draft.agents !== null && draft.agents.length < 3;
  return [
    ...(few ? [`dawid-skene needs at least 3 agents, got ${draft.agents?.length}`] : []),
    ...(mergesLabels(draft)
      ? []
      : ['dawid-skene weighs labels: set supervision to peer-majority, or aggregate to peer-majority']),
  ];
}

function mergesLabels(draft: CohortDraft): boolean {
  const supervision = draft.get('supervision') ?? CONDITIONAL_DEFAULTS.supervision;
  const aggregate = draft.get('aggregate') ?? CONDITIONAL_DEFAULTS.aggregate;
  return supervision === 'peer-majority' || (supervision === 'graph' && aggregate === 'peer-majority');
}

function poolsRollouts(draft: CohortDraft): boolean {
  const supervision = draft.get('supervision') ?? CONDITIONAL_DEFAULTS.supervision;
  const aggregate = draft.get('aggregate') ?? CONDITIONAL_DEFAULTS.aggregate;
  return supervision === 'pooled' || (supervision === 'graph' && aggregate === 'pooled');
}
