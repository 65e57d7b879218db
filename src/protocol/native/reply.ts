import { z } from 'zod';
import { REWARD_SOURCES } from '../../domain/reward-source.ts';
import type { Finding } from '../../domain/verdict/finding.ts';
import type { GroupResult, SubmissionResult } from '../../service/submission.ts';
import type { Asker } from '../reference-metrics.ts';
import { toNotices } from '../verdict.ts';
import { DECIDED, PENDING } from './examples.ts';
import { summarize } from './metrics.ts';

const rewardSchema = z.number().nullable().meta({
  description:
    'Always written as a float. Null where there is none to give: leave such a rollout out. Groups without a label get what the cohort pays them, 0.0 or null.',
});

const rolloutReplySchema = z
  .object({
    id: z.string(),
    reward: rewardSchema,
    reason: z.string().nullable().meta({
      description: 'Why it has no reward although its group is scored, as a sentence; null where it has one.',
    }),
    answer: z.string().nullable().meta({ description: 'What was extracted; null: no answer.' }),
    late: z.boolean().meta({ description: 'Came after its group was decided: scored, without a vote.' }),
  })
  .meta({ id: 'RolloutReward', description: 'What came of one rollout.' });

const groupReplySchema = z
  .object({
    prompt_id: z.string(),
    round: z.int().nullable().meta({ description: 'The round that the rewards belong to; null for eval.' }),
    status: z.enum(['scored', 'unlabeled', 'expired', 'skipped', 'eval']),
    label: z.string().nullable().meta({
      description:
        'What the rollouts are scored against. Null without one, and until all rollouts of the own group are in (`reveal: complete`).',
    }),
    label_share: z.number().nullable().meta({ description: 'Share of the votes behind the label.' }),
    teachers: z.array(z.string()).meta({ description: 'Agents whose answers made the label.' }),
    reward_source: z.enum(REWARD_SOURCES).meta({ description: 'What the rewards were made from.' }),
    staleness: z
      .int()
      .meta({ description: 'How many rounds older the label is; 0 unless barrier is last-label.' }),
    reason: z.string().nullable().meta({ description: 'Why there is no label, as a sentence.' }),
    reward_weight: z.number().meta({
      description:
        'Factor, 0 to 1, that disagreement or the flip gate put on all rewards of the group. Normalising advantages by their standard deviation takes it out again: multiply the advantages by it instead.',
    }),
    advantage_offset: z
      .number()
      .meta({ description: 'Add it to every advantage of the group; 0 or less (RESTRAIN).' }),
    rewards: z.array(rewardSchema).meta({ description: 'In the order of the rollouts sent.' }),
    rollouts: z.array(rolloutReplySchema).meta({ description: 'The same, by rollout id.' }),
  })
  .meta({ id: 'GroupReward', description: 'What came of one group.' });

const noticesSchema = z.array(z.string()).meta({
  description:
    'What is wrong with the cohort and what to do, in plain words, the worst first, at most 5: show them to the user. Empty where nothing is.',
});

export const decidedReplySchema = z
  .object({
    submission_id: z.string(),
    status: z.literal('decided'),
    groups: z.array(groupReplySchema).meta({ description: 'In the order of the groups sent.' }),
    metrics: z.record(z.string(), z.number().nullable()).meta({
      description:
        'Means over this submission, also under the names of the reference implementation of the method. An agent always gets the same keys, null where nothing was counted.',
    }),
    notices: noticesSchema,
  })
  .meta({ id: 'DecidedSubmission', description: 'All rewards of a submission.', examples: [DECIDED] });

export const pendingReplySchema = z
  .object({
    submission_id: z.string(),
    status: z.literal('pending'),
    waiting_for: z
      .array(
        z.object({
          agent: z.string(),
          prompt_id: z.string(),
          round: z.int(),
          have: z.int().meta({ description: 'Rollouts that this agent has sent.' }),
          need: z.int().meta({ description: 'Its k.' }),
        }),
      )
      .meta({ description: 'Groups that are not decided yet, at most 100 of them.' }),
    waiting_for_total: z.int(),
    notices: noticesSchema,
  })
  .meta({
    id: 'PendingSubmission',
    description: 'The rollouts are stored, and a teacher is not decided yet: ask again.',
    examples: [PENDING],
  });

export type SubmissionReply = z.infer<typeof decidedReplySchema> | z.infer<typeof pendingReplySchema>;

export function toSubmissionReply(
  result: SubmissionResult,
  asker: Asker,
  findings: readonly Finding[],
): SubmissionReply {
  if (result.kind === 'decided') {
    return {
      submission_id: result.submissionId,
      status: 'decided',
      groups: result.groups.map(toGroupReply),
      metrics: summarize(asker, result.groups, result.waitedMs),
      notices: toNotices(findings),
    };
  }
  return {
    submission_id: result.submissionId,
    status: 'pending',
    waiting_for: result.waitingFor.map(({ agent, promptId, round, have, need }) => ({
      agent,
      prompt_id: promptId,
      round,
      have,
      need,
    })),
    waiting_for_total: result.waitingForTotal,
    notices: toNotices(findings),
  };
}

function toGroupReply(group: GroupResult): z.infer<typeof groupReplySchema> {
  return {
    prompt_id: group.promptId,
    round: group.round,
    status: group.status,
    label: group.label,
    label_share: group.labelShare,
    teachers: [...group.teachers],
    reward_source: group.rewardSource,
    staleness: group.staleness,
    reason: group.reason,
    reward_weight: group.rewardWeight ?? 1,
    advantage_offset: group.advantageOffset ?? 0,
    rewards: group.rollouts.map(({ reward }) => reward),
    rollouts: group.rollouts.map(({ id, reward, reason = null, answer, late }) => ({
      id,
      reward,
      reason,
      answer,
      late,
    })),
  };
}

export const skipReplySchema = z
  .object({ skipped: z.array(z.object({ prompt_id: z.string(), round: z.int() })) })
  .meta({ id: 'Skipped', description: 'The round of each prompt that was skipped.' });

export const finishReplySchema = z
  .object({
    status: z.literal('finished'),
    decided_groups: z.int().meta({ description: 'Groups that were open and are decided now.' }),
  })
  .meta({ id: 'Finished', description: 'The agent has left.' });
