/** Examples of the API description: one exchange, from its start to its end. */

export const SUBMISSION = {
  submission_id: 'qwen-step12-rank0',
  incarnation: 'run7-start1',
  step: 12,
  split: 'train' as const,
  groups: [
    {
      prompt_id: 'gsm8k-0017',
      ground_truth: '4',
      rollouts: [
        { id: 'r0', index: 0, completion: 'Two and two are \\boxed{4}.', tokens: 311, truncated: false },
        { id: 'r1', index: 1, completion: 'I get \\boxed{5}.', tokens: 290, truncated: false },
      ],
    },
  ],
};

export const PENDING = {
  submission_id: 'qwen-step12-rank0',
  status: 'pending' as const,
  waiting_for: [{ agent: 'llama', prompt_id: 'gsm8k-0017', round: 0, have: 1, need: 2 }],
  waiting_for_total: 1,
  notices: [],
};

export const DECIDED = {
  submission_id: 'qwen-step12-rank0',
  status: 'decided' as const,
  groups: [
    {
      prompt_id: 'gsm8k-0017',
      round: 0,
      status: 'scored' as const,
      label: '4',
      label_share: 1,
      teachers: ['llama'],
      reward_source: 'peer-vote' as const,
      staleness: 0,
      reason: null,
      reward_weight: 1,
      advantage_offset: 0,
      rewards: [1, 0],
      rollouts: [
        { id: 'r0', reward: 1, reason: null, answer: '4', late: false },
        { id: 'r1', reward: 0, reason: null, answer: '5', late: false },
      ],
    },
  ],
  metrics: {
    reward_mean: 0.5,
    labeled_fraction: 1,
    unlabeled_fraction: 0,
    expired_fraction: 0,
    skipped_fraction: 0,
    answered_fraction: 1,
    label_share_mean: 1,
    agreement: 1,
    label_accuracy: 1,
    answer_accuracy: 0.5,
    staleness_max: 0,
    barrier_wait_s: 41.2,
    ema_coefficient: null,
    'co_labeling/peer_agreement': 1,
    'co_labeling/labeled_fraction_peer': 1,
    'co_labeling/both_labeled_fraction': 1,
    'co_labeling/labeled_fraction_me': 1,
    'co_labeling/oracle_accuracy_me': 1,
    'co_labeling/supervision_fraction': 1,
    'co_labeling/peer_tie_rate': 0,
    'co_labeling/unanimous_rate': 1,
    'co_labeling/supervision_contains_truth': 1,
    'co_labeling/rendezvous_wait_seconds': 41.2,
  },
  notices: [],
};

export const SKIP = {
  incarnation: 'run7-start1',
  step: 12,
  prompts: [{ prompt_id: 'gsm8k-0018' }, { prompt_id: 'gsm8k-0019', round: 1 }],
};
