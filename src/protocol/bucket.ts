import { z } from 'zod';
import type { Bucket } from '../domain/bucket.ts';
import type { Sample } from '../domain/sample.ts';
import type { Vote } from '../domain/vote.ts';
import type { Judgement } from '../methods/method.ts';
import { planSchema, toBucketPlan } from './plan.ts';
import { sampleSchema, toSamples } from './sample.ts';

export const bucketSummarySchema = z.object({
  prompt_id: z.string(),
  round: z.int(),
  groups: z.array(z.object({ agent: z.string(), state: z.string(), have: z.int(), need: z.int() })),
});

export const bucketListReplySchema = z
  .object({
    open_buckets: z.int(),
    buckets: z.array(bucketSummarySchema).meta({ description: 'Open ones, oldest first.' }),
  })
  .meta({ id: 'OpenBuckets', description: 'Prompts that wait for an agent.' });

const correct = z
  .boolean()
  .nullable()
  .meta({ description: 'Whether it equals the ground truth; null without either. No reward depends on it.' });

export const bucketReplySchema = z
  .object({
    prompt_id: z.string(),
    problem: z.string().nullable().meta({
      description:
        'The problem, or the end of the prompt, as a trainer sent it with a completion that is kept: 2,000 characters.',
    }),
    rounds: z.array(
      z.object({
        round: z.int(),
        veiled: z.boolean().meta({
          description:
            "The token is that of an agent whose own rollouts are not all in: others' answers, labels and the ground truth are left out.",
        }),
        ground_truth: z.string().nullable(),
        disputed_by: z.string().nullable().meta({
          description: 'Another ground truth that came later and contradicts it; nothing is graded by it.',
        }),
        edition: z.int().meta({
          description:
            'Which of the settings that the cohort has had decide and pay it, fixed by its first rollout; 0: the first.',
        }),
        plan: planSchema.meta({
          description:
            'What labels are weighed by and who teaches in this round, fixed by its first rollout.',
        }),
        groups: z.array(
          z.object({
            agent: z.string(),
            state: z.enum(['open', 'complete', 'partial', 'empty']),
            cause: z.string().nullable().meta({ description: 'What decided it.' }),
            incarnation: z.string().nullable(),
            step: z.int().nullable(),
            need: z.int(),
            own_label: z.string().nullable().meta({ description: 'What its own rollouts voted for.' }),
            own_label_correct: correct,
            clusters: z.array(z.object({ answer: z.string(), key: z.string(), votes: z.int() })),
            reward_status: z.string().nullable().meta({ description: 'Null while a teacher is undecided.' }),
            reward_source: z.string().nullable(),
            rewarded_by: z.array(z.string()),
            label: z.string().nullable().meta({ description: 'What its rollouts are scored against.' }),
            label_correct: correct,
            reason: z.string().nullable(),
            reward_weight: z.number().nullable().meta({ description: 'Factor on all its rewards.' }),
            rollouts: z.array(
              z.object({
                id: z.string(),
                index: z.int().nullable(),
                answer: z.string().nullable(),
                key: z.string().nullable(),
                reward: z.number().nullable(),
                reason: z.string().nullable().meta({ description: 'Why it has none of its own.' }),
                late: z.boolean(),
              }),
            ),
          }),
        ),
      }),
    ),
    samples: z.array(sampleSchema).meta({
      description:
        'Completions that were kept: the first two of a group, of some prompts, for a day at most.',
    }),
  })
  .meta({
    id: 'Bucket',
    description: 'Every answer, vote, label and reward of one prompt, for the question "why?".',
  });

/** One group with what is computed of it. */
export interface ExplainedGroup {
  readonly agent: string;
  readonly vote: Vote;
  readonly judgement: Judgement | null;
  readonly ownLabelCorrect: boolean | null;
  readonly labelCorrect: boolean | null;
}

/** One round; `veiledFor` names the agent that asks and may not see the others in it yet. */
export interface RoundView {
  readonly bucket: Bucket;
  readonly explained: readonly ExplainedGroup[];
  readonly veiledFor: string | null;
}

type BucketReply = z.infer<typeof bucketReplySchema>;

export function toBucketReply(
  promptId: string,
  rounds: readonly RoundView[],
  samples: readonly Sample[],
): BucketReply {
  return {
    prompt_id: promptId,
    problem: samples.findLast((sample) => sample.promptId === promptId && sample.problem)?.problem ?? null,
    rounds: rounds.map(toRound),
    samples: toSamples(promptId, samples),
  };
}

function toRound({ bucket, explained, veiledFor }: RoundView): BucketReply['rounds'][number] {
  const truth = veiledFor === null ? bucket.truth : null;
  return {
    round: bucket.round,
    veiled: veiledFor !== null,
    ground_truth: truth?.text ?? null,
    disputed_by: truth?.disputedBy ?? null,
    edition: bucket.settings.edition,
    plan: toBucketPlan(bucket.plan),
    groups: explained.flatMap(({ agent, vote, judgement, ...correct }) => {
      const group = bucket.groups.get(agent);
      if (group === undefined) return [];
      const shown = veiledFor === null || veiledFor === agent;
      return [
        {
          agent,
          state: group.state,
          cause: group.cause,
          incarnation: group.incarnation,
          step: group.step,
          need: group.k,
          own_label: shown ? (vote.label?.answer ?? null) : null,
          // Whoever may not see the truth may not learn it from this either.
          own_label_correct: veiledFor === null ? correct.ownLabelCorrect : null,
          clusters: shown ? vote.clusters.map(({ answer, key, votes }) => ({ answer, key, votes })) : [],
          reward_status: judgement?.status ?? null,
          reward_source: judgement?.source ?? null,
          rewarded_by: [...(judgement?.teachers ?? [])],
          label: veiledFor === null ? (judgement?.label?.answer ?? null) : null,
          label_correct: veiledFor === null ? correct.labelCorrect : null,
          reason: judgement?.reason ?? null,
          reward_weight: judgement === null ? null : (judgement.weight ?? 1),
          rollouts: (shown ? group.rollouts : []).map((rollout) => ({
            id: rollout.id,
            index: rollout.index,
            answer: rollout.answer,
            key: rollout.key,
            reward: judgement === null ? null : judgement.reward(rollout),
            reason: judgement?.reasonOf?.(rollout) ?? null,
            late: rollout.late,
          })),
        },
      ];
    }),
  };
}

export function toBucketSummary(bucket: Bucket): z.infer<typeof bucketSummarySchema> {
  return {
    prompt_id: bucket.promptId,
    round: bucket.round,
    groups: [...bucket.groups.values()].map(({ agent, state, rollouts, k }) => ({
      agent,
      state,
      have: rollouts.length,
      need: k,
    })),
  };
}
