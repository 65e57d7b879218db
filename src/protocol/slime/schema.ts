import { z } from 'zod';
import { boundedList } from '../bounded-list.ts';
import { MAX_COMPLETION, wireText } from '../text.ts';
import { trainerQuerySchema } from '../trainer-query.ts';

/** Of one conversation. */
const MAX_MESSAGES = 10_000;

/** A message as chat templates take them; its content may be text or parts of which some are text. */
const messageSchema = z.looseObject({ role: z.string().optional(), content: z.unknown() });

export const slimeRequestSchema = z
  .object({
    prompt: z.union([wireText(MAX_COMPLETION), boundedList(messageSchema, { max: MAX_MESSAGES })]).meta({
      description: 'The prompt: its text, templated or not, or its messages.',
    }),
    response: wireText(MAX_COMPLETION).meta({ description: 'The sampled text, without its prompt.' }),
    label: z.unknown().optional().meta({
      description:
        'The ground truth, or an object (also as a JSON string) with any of pid, answer, split, round, step and task.',
    }),
  })
  .meta({ id: 'SlimeRequest', description: 'One rollout as slime posts it (--rm-type remote_rm).' });

export type SlimeRequest = z.output<typeof slimeRequestSchema>;

export const slimeQuerySchema = trainerQuerySchema.extend({
  format: z.enum(['number', 'object']).default('number').meta({
    description: 'number: a bare float. object: an object, for slime with --reward-key score.',
  }),
});

const flag = (description: string) => z.number().meta({ description: `${description}: 1.0, else 0.0.` });

const slimeObjectSchema = z.object({
  score: z.number().meta({ description: 'The reward; 0.0 where there is none.' }),
  status: z.enum(['scored', 'unlabeled', 'expired', 'skipped', 'eval']),
  metrics: z.object({
    answered: flag('An answer was found in the response'),
    label_share: z.number(),
    truth_given: flag('A ground truth was given'),
    truth_match: flag('The answer matches it'),
    barrier_wait_s: z.number(),
    staleness: z.number(),
    late: flag('Arrived after its group was decided'),
  }),
});

export type SlimeObject = z.output<typeof slimeObjectSchema>;

export const slimeReplySchema = z
  .union([z.number(), slimeObjectSchema])
  .meta({ id: 'SlimeReply', description: 'A reward as slime reads it, always written as a float.' });
