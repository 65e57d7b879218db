import type { Dashboard } from './panel.ts';

const OF = '{cohort="$cohort"}';

/** Share of a counter's series that match, by these labels, over the window. */
function share(metric: string, match: string, by: string): string {
  const sum = (extra: string) => `sum by (${by}) (increase(${metric}{cohort="$cohort"${extra}}[$window]))`;
  return `${sum(`, ${match}`)} / ${sum('')}`;
}

function ratio(above: string, below: string): string {
  const sum = (metric: string) => `sum by (agent) (increase(${metric}${OF}[$window]))`;
  return `${sum(above)} / ${sum(below)}`;
}

function quantile(q: number, metric: string, by: string): string {
  return `histogram_quantile(${q}, sum by (le, ${by}) (increase(${metric}_bucket{cohort="$cohort", outcome="decided"}[$window])))`;
}

const AGREEMENT = share('peervote_agreement_total', 'agree="yes"', 'agent, peer');
const CHANCE = share('peervote_chance_agreement_total', 'agree="yes"', 'agent, peer');

/** What a researcher watches while a cohort trains. */
export const COHORT: Dashboard = {
  uid: 'peervote-cohort',
  title: 'PeerVote: cohort',
  about:
    'Agreement, labels, rewards, lengths and waits of one cohort. Figures are over the window before each point.',
  variables: [
    { name: 'cohort', label: 'Cohort', query: 'label_values(peervote_groups_settled_total, cohort)' },
    { name: 'window', label: 'Window', choices: ['15m', '1m', '5m', '1h', '6h'] },
  ],
  panels: [
    {
      title: 'Agreement of each pair',
      about:
        'Prompts on which both have the same label, of those on which both have one. .60 to .75 is usual across model families; near 1 with falling accuracy is collapse.',
      unit: 'percentunit',
      share: true,
      queries: [[share('peervote_agreement_total', 'agree="yes"', 'agent, peer'), '{{agent}} / {{peer}}']],
    },
    {
      title: 'Agreement beyond chance',
      about:
        'Cohen’s kappa, with the chance taken from labels of different prompts: 1 is all that two can agree on, 0 no more than they do across prompts. High agreement with 0 here is a collapse.',
      unit: 'percentunit',
      queries: [[`(${AGREEMENT} - ${CHANCE}) / clamp_min(1 - ${CHANCE}, 0.001)`, '{{agent}} / {{peer}}']],
    },
    {
      title: 'Commonest label',
      about:
        'Share of the commonest answer among the latest 100 labels of an agent, and of different ones. An agent that says the same to everything is at 1 and near 0.',
      unit: 'percentunit',
      share: true,
      queries: [
        [ratio('peervote_commonest_label_share_sum', 'peervote_commonest_label_share_count'), '{{agent}}'],
        [
          ratio('peervote_distinct_label_share_sum', 'peervote_distinct_label_share_count'),
          '{{agent}} different',
        ],
      ],
    },
    {
      title: 'Changes of teachers',
      about: 'Under supervision adaptive: how often each agent got another teacher.',
      unit: 'short',
      queries: [[`sum by (agent) (increase(peervote_teacher_changes_total${OF}[$window]))`, '{{agent}}']],
    },
    {
      title: 'Label accuracy',
      about: "The agent's own labels that equal the ground truth, of those with one. Never used in a reward.",
      unit: 'percentunit',
      share: true,
      queries: [[share('peervote_labels_graded_total', 'correct="yes"', 'agent'), '{{agent}}']],
    },
    {
      title: 'Accuracy of the labels used',
      about:
        'Labels that the rewards of an agent rest on, by vote of its teachers or of the pool, that equal the ground truth. Never used in a reward.',
      unit: 'percentunit',
      share: true,
      queries: [[share('peervote_used_labels_graded_total', 'correct="yes"', 'agent'), '{{agent}}']],
    },
    {
      title: 'Evaluation accuracy',
      about:
        'Rollouts of evaluation that equal the ground truth or pass their tests (figures 2c and 5a of the paper).',
      unit: 'percentunit',
      share: true,
      queries: [[share('peervote_eval_answers_graded_total', 'correct="yes"', 'agent'), '{{agent}}']],
    },
    {
      title: 'Truths that cannot be read',
      about:
        'Groups whose ground truth does not read as an answer: nothing is graded by it, or only its own spelling is right.',
      unit: 'short',
      queries: [
        [`sum by (agent) (increase(peervote_unreadable_truths_total${OF}[$window]))`, '{{agent}} unreadable'],
        [
          `sum by (agent) (increase(peervote_ground_truth_conflicts_total${OF}[$window]))`,
          '{{agent}} contradicted',
        ],
      ],
    },
    {
      title: 'Complementarity of each pair',
      about:
        'Prompts that the label of just one of the two has right, of those with a ground truth; and those on which both give the same wrong answer.',
      unit: 'percentunit',
      share: true,
      queries: [
        [
          share('peervote_pairs_graded_total', 'outcome=~"agent_right|peer_right"', 'agent, peer'),
          '{{agent}} / {{peer}}',
        ],
        [
          share('peervote_pairs_graded_total', 'outcome="both_wrong_same"', 'agent, peer'),
          '{{agent}} / {{peer}} wrong alike',
        ],
      ],
    },
    {
      title: 'Label coverage',
      about: 'Settled groups whose own vote gave a label.',
      unit: 'percentunit',
      share: true,
      queries: [[share('peervote_groups_labeled_total', 'labeled="yes"', 'agent'), '{{agent}}']],
    },
    {
      title: 'Ties and unanimity',
      about:
        'Groups whose top count was shared, and groups that gave one answer only: these teach their students nothing of themselves.',
      unit: 'percentunit',
      share: true,
      queries: [
        [ratio('peervote_votes_tied_total', 'peervote_groups_settled_total'), '{{agent}} tied'],
        [ratio('peervote_votes_unanimous_total', 'peervote_groups_settled_total'), '{{agent}} unanimous'],
      ],
    },
    {
      title: 'Reward, mean',
      about: 'Over all rollouts of settled groups; null rewards are left out.',
      unit: 'short',
      queries: [[ratio('peervote_reward_sum', 'peervote_reward_count'), '{{agent}}']],
    },
    {
      title: 'Reward, deviation within a group',
      about:
        'Mean over groups of the population standard deviation: 0 gives no gradient, 0.5 is the most that rewards of 0 and 1 can have.',
      unit: 'short',
      queries: [[ratio('peervote_reward_std_within_sum', 'peervote_reward_std_within_count'), '{{agent}}']],
    },
    {
      title: 'Groups without a gradient',
      about: 'Groups whose rewards are all the same.',
      unit: 'percentunit',
      share: true,
      queries: [
        [
          `sum by (agent) (increase(peervote_reward_std_within_bucket{cohort="$cohort", le="0"}[$window])) / sum by (agent) (increase(peervote_reward_std_within_count${OF}[$window]))`,
          '{{agent}}',
        ],
      ],
    },
    {
      title: 'Answers found',
      about: 'Rollouts in which an answer was found.',
      unit: 'percentunit',
      share: true,
      queries: [[share('peervote_answers_total', 'answered="yes"', 'agent'), '{{agent}}']],
    },
    {
      title: 'Completion length',
      about: 'Mean tokens of a completion, where the trainer sends them.',
      unit: 'short',
      queries: [
        [ratio('peervote_completion_tokens_total', 'peervote_completions_measured_total'), '{{agent}}'],
      ],
    },
    {
      title: 'Completions cut off',
      about: 'Rollouts that the length limit cut off.',
      unit: 'percentunit',
      share: true,
      queries: [
        [
          `sum by (agent) (increase(peervote_completions_truncated_total${OF}[$window])) / sum by (agent) (increase(peervote_answers_total${OF}[$window]))`,
          '{{agent}}',
        ],
      ],
    },
    {
      title: 'Barrier wait',
      about: 'From recording a submission to its rewards.',
      unit: 's',
      queries: [
        [quantile(0.5, 'peervote_barrier_wait_seconds', 'agent'), '{{agent}} median'],
        [quantile(0.95, 'peervote_barrier_wait_seconds', 'agent'), '{{agent}} 95 %'],
      ],
    },
    {
      title: 'Who is waited for',
      about: 'How long the oldest prompt has been waiting for the rollouts of this agent.',
      unit: 's',
      queries: [[`max by (agent) (peervote_awaited_seconds${OF})`, '{{agent}}']],
    },
    {
      title: 'Prompts that wait',
      about: 'Prompts with an undecided group, and those of them on which others wait for this agent.',
      unit: 'short',
      queries: [
        [`max(peervote_open_buckets${OF})`, 'open'],
        [`max by (agent) (peervote_awaited_prompts${OF})`, 'waiting for {{agent}}'],
      ],
    },
    {
      title: 'Groups by outcome',
      about: 'What became of the groups whose rewards are fixed; expired ones had no teacher in time.',
      unit: 'ops',
      queries: [[`sum by (status) (rate(peervote_groups_settled_total${OF}[$window]))`, '{{status}}']],
    },
    {
      title: 'What decided groups',
      about: 'k: all rollouts came; the others decided with fewer.',
      unit: 'ops',
      queries: [[`sum by (cause) (rate(peervote_groups_decided_total${OF}[$window]))`, '{{cause}}']],
    },
    {
      title: 'Rollouts received',
      about: 'Repeats included, training and evaluation.',
      unit: 'ops',
      queries: [
        [
          `sum by (agent, split) (rate(peervote_rollouts_received_total${OF}[$window]))`,
          '{{agent}} {{split}}',
        ],
      ],
    },
    {
      title: 'Findings',
      about: 'What is wrong, by code and severity; the log and the live page say it in words.',
      unit: 'short',
      queries: [
        [`max by (code, severity) (peervote_findings${OF}) > 0 or on() vector(0)`, '{{severity}} {{code}}'],
      ],
    },
  ],
};
