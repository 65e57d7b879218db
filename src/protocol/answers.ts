import { z } from 'zod';
import { EXTRACTION_MODES } from '../answers/modes.ts';
import type { Vote } from '../domain/vote.ts';
import type { GradeItem, ReadItem } from '../service/answers.ts';
import { answerFields, answerShape } from './answer-fields.ts';
import { boundedList } from './bounded-list.ts';
import { groundTruthSchema, toGroundTruth } from './ground-truth.ts';
import { choicesSchema, MAX_COMPLETION, wireText } from './text.ts';

const MAX_ITEMS = 10_000;
const MAX_PATTERN = 1_000;

const completionSchema = wireText(MAX_COMPLETION);

const modeSchema = z.enum(EXTRACTION_MODES);

const readingShape = {
  truncated: z.boolean().default(false).meta({ description: 'The length limit cut it off.' }),
  choices: choicesSchema.nullish(),
  pattern: wireText(MAX_PATTERN).min(1).nullish().meta({ description: 'The pattern of mode regex.' }),
  ...answerShape,
};

const readingSchema = z.object({ mode: modeSchema, ...readingShape });

export const extractRequestSchema = z
  .object({
    items: boundedList(
      z.object({
        completion: completionSchema,
        mode: modeSchema.default('auto').meta({ description: 'How the answer is taken from it.' }),
        ...readingShape,
      }),
      { min: 1, max: MAX_ITEMS },
    ),
  })
  .meta({
    id: 'ExtractRequest',
    description: 'Completions whose answers are wanted.',
    examples: [{ items: [{ completion: 'So it is \\boxed{4}.', mode: 'boxed' }] }],
  });

export const extractReplySchema = z
  .object({
    results: z.array(
      z.object({
        answer: z.string().nullable().meta({ description: 'Null: no answer, which never votes or matches.' }),
        key: z.string().nullable().meta({
          description:
            'Two answers are one vote when their keys are equal. A vote also counts a decimal that was rounded with the one exact answer of its group that rounds to it.',
        }),
      }),
    ),
  })
  .meta({ id: 'ExtractReply', examples: [{ results: [{ answer: '4', key: '4' }] }] });

export const gradeRequestSchema = z
  .object({
    items: boundedList(
      z.object({
        prediction: completionSchema,
        truth: groundTruthSchema,
        mode: modeSchema
          .default('raw')
          .meta({ description: 'How the answer is taken from the prediction; raw: it is the answer.' }),
        ...readingShape,
      }),
      { min: 1, max: MAX_ITEMS },
    ),
  })
  .meta({
    id: 'GradeRequest',
    description: 'Predictions to hold against the truth.',
    examples: [{ items: [{ prediction: '0.5', truth: '\\frac12', mode: 'raw' }] }],
  });

export const gradeReplySchema = z
  .object({
    results: z.array(
      z.object({
        equal: z.boolean(),
        status: z.enum(['equal', 'different', 'unparsable_truth', 'unparsable_prediction']),
        reason: z.string(),
        answer: z.string().nullable().meta({ description: 'What was taken from the prediction.' }),
      }),
    ),
  })
  .meta({ id: 'GradeReply' });

export const voteRequestSchema = z
  .object({
    answers: boundedList(z.union([wireText(16_384), z.number(), z.null()]), { min: 1, max: MAX_ITEMS }).meta({
      description: 'Answers in order; null abstains.',
    }),
    mode: modeSchema.default('auto').meta({ description: 'Whose keys the answers get.' }),
    threshold: z.number().min(0).max(1).default(0),
    denominator: z.enum(['parseable', 'all']).default('parseable'),
    min_votes: z.int().min(1).default(1),
    tie: z.enum(['first', 'discard', 'random']).default('first'),
  })
  .meta({
    id: 'VoteRequest',
    description: 'Answers to vote on, by the rules of a cohort.',
    examples: [{ answers: ['4', '4.0', null, '5'], threshold: 0, tie: 'first' }],
  });

export const voteReplySchema = z
  .object({
    label: z.string().nullable().meta({ description: 'Null: unlabeled.' }),
    key: z.string().nullable(),
    share: z.number().meta({ description: 'Share of the top answer, also when it is below the threshold.' }),
    votes: z.int().meta({ description: 'Answers that are none of them null.' }),
    tied: z.boolean(),
    clusters: z.array(z.object({ answer: z.string(), key: z.string(), votes: z.int() })).meta({
      description:
        'Answers that are one vote, under the key and the spelling of one of them. Equal keys are one vote. So are, within these answers only, decimals of three places or more that have no equal: they join the one exact answer that rounds to them (0.333 joins 1/3), none where two exact answers would, and they never join two exact answers with each other.',
    }),
  })
  .meta({ id: 'VoteReply' });

export function toReadItems({ items }: z.output<typeof extractRequestSchema>): ReadItem[] {
  return items.map(({ completion, ...reading }) => ({ text: completion, ...toReading(reading) }));
}

export function toGradeItems({ items }: z.output<typeof gradeRequestSchema>): GradeItem[] {
  return items.map(({ prediction, truth, ...reading }) => ({
    text: prediction,
    ...toGroundTruth(truth),
    ...toReading(reading),
  }));
}

function toReading({
  mode,
  truncated,
  choices,
  pattern,
  ...rest
}: z.output<typeof readingSchema>): Omit<ReadItem, 'text'> {
  return { mode, truncated, choices: choices ?? null, pattern: pattern ?? null, ...answerFields(rest) };
}

/** Answers as texts; a blank one is none. */
export function toAnswers({ answers }: z.output<typeof voteRequestSchema>): (string | null)[] {
  return answers.map((answer) => (answer === null ? null : String(answer).trim() || null));
}

export function toVoteReply({ label, share, votes, tied, clusters }: Vote): z.infer<typeof voteReplySchema> {
  return {
    label: label?.answer ?? null,
    key: label?.key ?? null,
    share,
    votes,
    tied,
    clusters: clusters.map(({ answer, key, votes: count }) => ({ answer, key, votes: count })),
  };
}
