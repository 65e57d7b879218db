import { z } from 'zod';
import type { Rates } from '../../domain/diagnostics/rates.ts';
import type { ItemResult } from '../item-result.ts';
import { type Asker, referenceMetrics } from '../reference-metrics.ts';

/**
 * The first keys of every reply; those of the method's reference implementation follow. OpenRLHF logs each as
 * `train/<key>`, a mean over rollouts, and crashes when a key comes and goes.
 */
export const EXTRA_LOG_KEYS = [
  'labeled',
  'unlabeled',
  'expired',
  'skipped',
  'eval',
  'answered',
  'label_share',
  'truth_given',
  'truth_match',
  'barrier_wait_s',
  'staleness',
  'late',
] as const;

type ExtraLogKey = (typeof EXTRA_LOG_KEYS)[number];

const flag = (description: string) =>
  z.array(z.number()).meta({ description: `${description}: 1.0, else 0.0.` });
const values = (description: string) => z.array(z.number()).meta({ description });

const extraLogsSchema = z
  .object({
    labeled: flag('The reward compares with a label'),
    unlabeled: flag(
      'There is no reward to give: the teacher has no label (nothing to read, below the threshold, a tie), or the method none for this rollout',
    ),
    expired: flag("The teacher's answers never came"),
    skipped: flag('The teacher skipped the prompt'),
    eval: flag('Graded against the ground truth, outside every vote'),
    answered: flag('An answer was found in the response'),
    label_share: values("The label's share of the teacher's vote, 0 to 1; 0.0 without a label."),
    truth_given: flag('A ground truth was given'),
    truth_match: values(
      '1.0 where the answer matches the ground truth; its mean over that of truth_given is the accuracy.',
    ),
    barrier_wait_s: values('Seconds that the rollout waited for the teacher.'),
    staleness: values('Age of the label in rounds; 0.0 is the same round.'),
    late: flag('Arrived after its group was decided'),
  } satisfies Record<ExtraLogKey, z.ZodType>)
  .catchall(z.array(z.number()));

/** What OpenRLHF reads: three columns with one entry per rollout, in the order of the request. */
export const openRlhfReplySchema = z
  .object({
    rewards: values('Reward of each rollout; 0.0 where there is none.'),
    scores: values('The same numbers, which OpenRLHF logs and filters prompts by.'),
    extra_logs: extraLogsSchema.meta({
      description:
        'Always the same keys for the same agent; those of the reference implementation of the method are among them. OpenRLHF logs each mean as train/<key>.',
    }),
  })
  .meta({
    id: 'OpenRlhfReply',
    description: 'Rewards as OpenRLHF reads them; every number is written as a float.',
    examples: [
      {
        rewards: [1],
        scores: [1],
        extra_logs: {
          labeled: [1],
          unlabeled: [0],
          expired: [0],
          skipped: [0],
          eval: [0],
          answered: [1],
          label_share: [0.75],
          truth_given: [1],
          truth_match: [1],
          barrier_wait_s: [41.2],
          staleness: [0],
          late: [0],
          'co_labeling/peer_agreement': [1],
          'co_labeling/labeled_fraction_peer': [1],
          'co_labeling/both_labeled_fraction': [1],
          'co_labeling/labeled_fraction_me': [1],
          'co_labeling/oracle_accuracy_me': [1],
          'co_labeling/supervision_fraction': [1],
          'co_labeling/peer_tie_rate': [0],
          'co_labeling/unanimous_rate': [1],
          'co_labeling/supervision_contains_truth': [1],
          'co_labeling/rendezvous_wait_seconds': [41.2],
        },
      },
    ],
  });

export type OpenRlhfReply = z.output<typeof openRlhfReplySchema>;

/**
 * The reply for results in the order of the request. Write it with `stringifyWithFloats`. A rate of the reference is
 * told for each rollout as that of its group so far, 0.0 where that counts nowhere.
 */
export function toReply(asker: Asker, items: readonly ItemResult[]): OpenRlhfReply {
  const rewards = items.map(({ reward }) => reward ?? 0);
  const column = (read: (item: ItemResult) => number | boolean) => items.map((item) => Number(read(item)));
  return {
    rewards,
    scores: rewards,
    extra_logs: {
      labeled: column(({ status }) => status === 'scored'),
      unlabeled: column(({ status }) => status === 'unlabeled'),
      expired: column(({ status }) => status === 'expired'),
      skipped: column(({ status }) => status === 'skipped'),
      eval: column(({ status }) => status === 'eval'),
      answered: column(({ answered }) => answered),
      label_share: column(({ labelShare }) => labelShare ?? 0),
      truth_given: column(({ truth }) => truth !== null),
      truth_match: column(({ truth }) => truth === true),
      barrier_wait_s: column(({ waitMs }) => waitMs / 1000),
      staleness: column(({ staleness }) => staleness),
      late: column(({ late }) => late),
      ...toReferenceColumns(asker, items),
    },
  };
}

function toReferenceColumns(asker: Asker, items: readonly ItemResult[]): Record<string, number[]> {
  const byGroup = new Map<ItemResult['counts'], Rates>();
  for (const { counts } of items) {
    if (!byGroup.has(counts)) byGroup.set(counts, referenceMetrics(asker, [counts]));
  }
  const names = [...referenceMetrics(asker, []).keys()];
  const columns = names.map((name) => [
    name,
    items.map(({ counts }) => byGroup.get(counts)?.get(name)?.value ?? 0),
  ]);
  return Object.fromEntries(columns);
}
