import type { Cohort } from '../domain/cohort.ts';
import type { PairOutcome } from '../service/telemetry.ts';
import type { MetricName } from './metrics-table.ts';

/** One series: a metric with the values of its labels. */
export type Series = readonly [name: MetricName, labels: Readonly<Record<string, string>>];

/** What may end a group in which state. */
const DECISIONS: readonly (readonly [state: string, cause: string])[] = [
  ['complete', 'k'],
  ...['quorum', 'skip', 'finish', 'deadline'].map((cause) => ['partial', cause] as const),
  ...['skip', 'finish', 'deadline'].map((cause) => ['empty', cause] as const),
];
const STATUSES = ['scored', 'unlabeled', 'expired', 'skipped'];
const YES_NO = ['yes', 'no'];
const PAIR_OUTCOMES: readonly PairOutcome[] = [
  'both_right',
  'agent_right',
  'peer_right',
  'both_wrong_same',
  'both_wrong',
];

/**
 * The series that a cohort has from its first moment, at 0. One that begins with its first increment hides that from `increase` and
 * `rate`: a first burst would not count, and what never happens would be missing instead of 0. `hasJudge`: the server has one.
 */
export function firstValues(cohort: Cohort, hasJudge: boolean): Series[] {
  const names = cohort.agents.map(({ name }) => name);
  return [
    ...names.flatMap((agent) => ofAgent(cohort, agent)),
    ...names.flatMap((agent, place) =>
      names.slice(place + 1).flatMap((peer) => ofPair(cohort.name, agent, peer)),
    ),
    ...(hasJudge && cohort.method === 'llm-judge' ? ofJudge(cohort.name) : []),
  ];
}

function ofAgent(cohort: Cohort, agent: string): Series[] {
  const by = { cohort: cohort.name, agent };
  const each = (name: MetricName, label: string, values: readonly string[]): Series[] =>
    values.map((value) => [name, { ...by, [label]: value }]);
  return [
    ...each('peervote_rollouts_received_total', 'split', ['train', 'eval']),
    ...each('peervote_groups_settled_total', 'status', STATUSES),
    ...each('peervote_groups_labeled_total', 'labeled', YES_NO),
    ...each('peervote_labels_graded_total', 'correct', YES_NO),
    ...each('peervote_used_labels_graded_total', 'correct', YES_NO),
    ...each('peervote_eval_answers_graded_total', 'correct', YES_NO),
    ...each('peervote_answers_total', 'answered', YES_NO),
    ...DECISIONS.map(([state, cause]): Series => ['peervote_groups_decided_total', { ...by, state, cause }]),
    ['peervote_unreadable_truths_total', by],
    ['peervote_ground_truth_conflicts_total', by],
    ['peervote_votes_tied_total', by],
    ['peervote_votes_unanimous_total', by],
    ['peervote_completions_truncated_total', by],
    ['peervote_completion_tokens_total', by],
    ['peervote_completions_measured_total', by],
    ['peervote_reward', by],
    ['peervote_commonest_label_share', by],
    ['peervote_distinct_label_share', by],
    ['peervote_reward_std_within', by],
    // The other outcomes are no figure of their own.
    ['peervote_barrier_wait_seconds', { ...by, outcome: 'decided' }],
    ...(cohort.supervision.kind === 'adaptive' ? [['peervote_teacher_changes_total', by] as const] : []),
  ];
}

function ofPair(cohort: string, agent: string, peer: string): Series[] {
  const by = { cohort, agent, peer };
  return [
    ...YES_NO.map((agree): Series => ['peervote_agreement_total', { ...by, agree }]),
    ...YES_NO.map((agree): Series => ['peervote_chance_agreement_total', { ...by, agree }]),
    ...PAIR_OUTCOMES.map((outcome): Series => ['peervote_pairs_graded_total', { ...by, outcome }]),
  ];
}

function ofJudge(cohort: string): Series[] {
  return ['asked', 'joined', 'cache'].flatMap((source) =>
    ['score', 'fault'].map((result): Series => ['peervote_judge_verdicts_total', { cohort, source, result }]),
  );
}
