import { z } from 'zod';
import { boundedList } from './bounded-list.ts';
import { readSplit, SPLIT_WORDS, type Split } from './prompt/split.ts';

const incarnation = z.string().min(1).max(128);

/** Digits only: plain coercion would read an empty value as 0. */
const count = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
  z.int().min(0),
);

const endText = z.string().min(1).max(64);

/** The query string of the reward URL. OpenRLHF splits its URL list on commas, so no value may hold one. */
export const trainerQuerySchema = z.object({
  incarnation: incarnation.optional().meta({
    description:
      'A new value for each start of the trainer, so that a restart from a checkpoint is recognised.',
  }),
  inc: incarnation.optional().meta({ description: 'Short for incarnation.' }),
  split: z.enum(SPLIT_WORDS).optional().meta({
    description: 'Split of rollouts whose label does not say it; every word but train means eval.',
  }),
  step: count.optional().meta({ description: 'Trainer step of rollouts whose label does not say it.' }),
  round: count
    .optional()
    .meta({ description: 'Visit to the prompt, where the label does not say it; from 0.' }),
  eos: z
    .union([endText, boundedList(endText, { max: 8 })])
    .optional()
    .meta({
      description:
        'Text that a finished response ends with, such as <|im_end|>; may be repeated. A response that ends otherwise counts as cut off by the length limit, which these trainers do not tell. Only where the trainer sends special tokens.',
    }),
});

export type TrainerQueryString = z.output<typeof trainerQuerySchema>;

/** The query string in our words; null where it says nothing. */
export interface TrainerQuery {
  readonly incarnation: string | null;
  readonly split: Split | null;
  readonly step: number | null;
  readonly round: number | null;
  /** What finished responses end with; empty where nothing says it. */
  readonly eos: readonly string[];
}

export function readTrainerQuery(query: TrainerQueryString): TrainerQuery {
  return {
    incarnation: query.incarnation ?? query.inc ?? null,
    split: query.split === undefined ? null : readSplit(query.split),
    step: query.step ?? null,
    round: query.round ?? null,
    eos: [query.eos ?? []].flat(),
  };
}

/** Whether the length limit cut a response whose text proper ends at `end`: what should stand behind it does not. */
export function isCutOff(response: string, end: number, { eos }: TrainerQuery): boolean {
  if (eos.length === 0) return false;
  const behind = response.slice(end);
  const text = response.trimEnd();
  return !eos.some((mark) => behind.includes(mark) || text.endsWith(mark));
}
