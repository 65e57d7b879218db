import { z } from 'zod';
import { MAX_COMPLETION, wireText } from '../text.ts';

/** Ids as data sets have them. */
const idSchema = z.union([wireText(512).min(1), z.int()]);

/**
 * What ROLL's RemoteRewardSystemWorker submits for one rollout. Its `priority`, `project_id`, `experiment_id`,
 * `reward_manager` and `timeout` mean nothing here.
 */
export const rollSubmitSchema = z
  .object({
    data_id: idSchema.meta({ description: "Column `id` of the data set: the prompt's id for every agent." }),
    rollout_id: wireText(200)
      .min(1)
      .regex(/^[^~]/, 'must not start with "~"')
      .meta({ description: 'Names the sample: a repeated submit counts once.' }),
    prompt: wireText(MAX_COMPLETION).nullish(),
    response: wireText(MAX_COMPLETION).meta({ description: 'The sampled text, without its prompt.' }),
    reward_info: z.unknown().optional().meta({
      description: 'The ground truth, or an object with any of ground_truth, split, round and task.',
    }),
    global_step: z.unknown().optional().meta({ description: 'Trainer step, if it is a whole number.' }),
  })
  .meta({ id: 'RollSubmit', description: "One rollout as ROLL's remote reward worker submits it." });

export type RollSubmit = z.output<typeof rollSubmitSchema>;

export const rollSubmitReplySchema = z
  .object({ errcode: z.literal(0), reward_request_id: z.string() })
  .meta({ id: 'RollSubmitted' });

export const rollResultQuerySchema = z.object({
  reward_request_id: wireText(1024)
    .min(1)
    .optional()
    .meta({ description: 'What submit returned. ROLL sends it in a JSON body, which counts first.' }),
});

/** The body of ROLL's GET. */
export const rollResultBodySchema = z.object({ reward_request_id: wireText(1024).min(1) });

export const rollResultReplySchema = z
  .object({
    errcode: z.int().meta({ description: '0: here is the score. 1: not decided yet, ask again.' }),
    errmsg: z.string(),
    reward_score: z.number().optional().meta({ description: 'Always written as a float.' }),
    dimention_reward_score: z.object({}).optional().meta({ description: 'Always empty; ROLL spells it so.' }),
  })
  .meta({ id: 'RollResult', description: "The state of one submitted rollout, as ROLL's worker polls it." });

export type RollResult = z.output<typeof rollResultReplySchema>;
