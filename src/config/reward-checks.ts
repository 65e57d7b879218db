import { VOTING_METHODS } from '../domain/reward-rules.ts';
import type { CohortDraft } from './cohort-draft.ts';
import { CONDITIONAL_DEFAULTS, type CohortConfig } from './cohort-schema.ts';
import type { Issue, Path } from './problems.ts';

type Reward = CohortConfig['reward'];
type Check = (reward: Reward, draft: CohortDraft) => readonly Issue[];

const CHECKS: readonly Check[] = [
  checkDependents,
  checkThresholds,
  checkMethod,
  checkLogDistill,
  checkOwnGroup,
  checkFlipGate,
  checkEmptyVote,
  checkPromptWeight,
];

/** What the fields of `reward` ask of each other and of the rest of the cohort. */
export function checkReward(draft: CohortDraft): readonly Issue[] {
  const reward = draft.get('reward');
  const method = draft.get('method');
  if (reward === undefined || !draft.has('reward')) return [];
  if (method !== undefined && !VOTING_METHODS.includes(method)) {
    const message = `only makes sense with a method that votes (${VOTING_METHODS.join(', ')}), and method is ${method}`;
    return [{ path: ['reward'], message }];
  }
  return [...CHECKS.flatMap((check) => check(reward, draft)), ...checkShares(reward, draft)];
}

function checkDependents(reward: Reward): readonly Issue[] {
  const { kind, four_regime, restrain, weight, w_min } = reward;
  const only = (key: string, on: string, wanted: string, actual: string): Issue =>
    issue([key], `only makes sense with reward.${on}: ${wanted}, and reward.${on} is ${actual}`);
  return [
    ...(four_regime !== undefined && kind !== 'four-regime'
      ? [only('four_regime', 'kind', 'four-regime', kind)]
      : []),
    ...(restrain !== undefined && kind !== 'restrain' ? [only('restrain', 'kind', 'restrain', kind)] : []),
    ...(w_min !== undefined && weight === 'none' ? [only('w_min', 'weight', 'top1, tv or jsd', weight)] : []),
  ];
}

/** The weight is that of a frozen model, which has to be there. */
function checkPromptWeight({ restrain }: Reward, draft: CohortDraft): readonly Issue[] {
  const roles = draft.agents?.map(({ role }) => role) ?? ['teacher'];
  if (restrain?.prompt_weight !== true || roles.includes('teacher')) return [];
  return [
    issue(
      ['restrain', 'prompt_weight'],
      'needs a frozen agent among those who teach: one with role: teacher',
    ),
  ];
}

function checkThresholds({ four_regime, entropy_window }: Reward): readonly Issue[] {
  const issues: Issue[] = [];
  if (four_regime !== undefined && four_regime.tau_mid > four_regime.tau_high) {
    const { tau_high, tau_mid } = four_regime;
    issues.push(issue(['four_regime', 'tau_mid'], `must not exceed tau_high (${tau_high}), got ${tau_mid}`));
  }
  const max = entropy_window?.max ?? null;
  if (entropy_window !== null && max !== null && max <= entropy_window.min) {
    issues.push(issue(['entropy_window', 'max'], `must exceed min (${entropy_window.min}), got ${max}`));
  }
  return issues;
}

/** Only the peers of `co-rl` have log-probabilities to send, and under `ttrl` the label is the agent's own. */
function checkMethod({ kind, weight }: Reward, draft: CohortDraft): readonly Issue[] {
  const method = draft.get('method');
  if (method === undefined || method === 'co-rl') return [];
  const distils = `log-distill only makes sense with method: co-rl, and method is ${method}`;
  return [
    ...(kind === 'log-distill' ? [issue(['kind'], distils)] : []),
    ...(method === 'ttrl' && weight !== 'none'
      ? [issue(['weight'], 'makes no sense with method ttrl: the label is the own one, and nobody disagrees')]
      : []),
  ];
}

function checkLogDistill({ kind, flip_gate, entropy_window }: Reward): readonly Issue[] {
  if (kind !== 'log-distill') return [];
  const message = 'makes no sense with reward.kind log-distill, whose rewards need no label';
  return [
    ...(flip_gate === null ? [] : [issue(['flip_gate'], message)]),
    ...(entropy_window === null ? [] : [issue(['entropy_window'], message)]),
  ];
}

/** `last-label` answers before the rest of the group is there. */
function checkOwnGroup({ kind, weight }: Reward, draft: CohortDraft): readonly Issue[] {
  if (draft.get('barrier') !== 'last-label') return [];
  const message = "needs the agent's own group to be complete, and barrier last-label answers before it is";
  return [
    ...(kind === 'novelty' ? [issue(['kind'], `novelty ${message}`)] : []),
    ...(weight === 'none' ? [] : [issue(['weight'], message)]),
  ];
}

function checkFlipGate({ flip_gate }: Reward, draft: CohortDraft): readonly Issue[] {
  if (flip_gate === null) return [];
  const path = ['flip_gate'];
  return [
    ...(draft.get('vote')?.tie === 'random'
      ? [issue(path, 'cannot tell a flip from a tie that was drawn anew: set vote.tie to first or discard')]
      : []),
    ...(draft.get('barrier') === 'last-label'
      ? [
          issue(
            path,
            'compares the labels of two rounds, and barrier last-label may pay by the older one twice',
          ),
        ]
      : []),
  ];
}

function checkEmptyVote({ kind }: Reward, draft: CohortDraft): readonly Issue[] {
  if (kind === 'hard' || draft.get('vote')?.allow_empty_vote !== true) return [];
  return [
    issue(['kind'], `${kind} pays for answers, and vote.allow_empty_vote lets "no answer" be the label`),
  ];
}

/** Shares are of rollouts, each counted once. */
function checkShares(reward: Reward, draft: CohortDraft): readonly Issue[] {
  const readers = shareReaders(reward);
  const weighting = draft.get('vote')?.weighting ?? 'none';
  if (readers.length === 0 || draft.get('method') !== 'co-rl') return [];
  return readers.flatMap(([key, what]): Issue[] => {
    if (votesOverLabels(draft)) {
      return [
        issue(
          [key],
          `${what} needs one vote over rollouts: set supervision to ring or pooled, or aggregate to pooled`,
        ),
      ];
    }
    return weighting === 'none'
      ? []
      : [issue([key], `${what} reads plain shares of rollouts, and vote.weighting is ${weighting}`)];
  });
}

function shareReaders({ kind, weight, entropy_window }: Reward): readonly (readonly [string, string])[] {
  return [
    ...(kind === 'soft' || kind === 'four-regime' || kind === 'restrain' ? [['kind', kind] as const] : []),
    ...(weight !== 'none' && kind !== 'log-distill' ? [['weight', `weight ${weight}`] as const] : []),
    ...(entropy_window === null ? [] : [['entropy_window', 'entropy_window'] as const]),
  ];
}

/** Whether the labels of several teachers are merged, and not their rollouts. */
function votesOverLabels(draft: CohortDraft): boolean {
  const supervision = draft.get('supervision');
  if (supervision === 'peer-majority') return true;
  const aggregate = draft.get('aggregate') ?? CONDITIONAL_DEFAULTS.aggregate;
  return supervision === 'graph' && aggregate === 'peer-majority';
}

function issue(path: Path, message: string): Issue {
  return { path: ['reward', ...path], message };
}
