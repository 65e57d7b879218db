import { z } from 'zod';
import { boundedList } from '../bounded-list.ts';
import { MAX_COMPLETION, wireText } from '../text.ts';

/** Of one request; OpenRLHF sends one, or a micro batch. */
const MAX_ROLLOUTS = 10_000;

function wrapSingles(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { query, prompts, labels }: { query?: unknown; prompts?: unknown; labels?: unknown } = body;
  return {
    query: typeof query === 'string' ? [query] : query,
    prompts: typeof prompts === 'string' ? [prompts] : prompts,
    labels: labels === undefined || labels === null || Array.isArray(labels) ? labels : [labels],
  };
}

/**
 * What OpenRLHF posts: one entry per rollout, usually one. Read into equally long lists, strings well-formed,
 * a missing label as null. With several reward URLs, OpenRLHF sends empty lists to all but one of them.
 */
export const openRlhfRequestSchema = z
  .preprocess(
    wrapSingles,
    z.object({
      query: boundedList(wireText(MAX_COMPLETION), { max: MAX_ROLLOUTS }).meta({
        description:
          'Prompt and response of each rollout, decoded together with special tokens. A single string counts as a list of one.',
      }),
      prompts: boundedList(wireText(MAX_COMPLETION), { max: MAX_ROLLOUTS }).meta({
        description:
          'The prompt of each rollout as the trainer templated it. A single string counts as a list of one.',
      }),
      labels: boundedList(z.unknown(), { max: MAX_ROLLOUTS }).nullish().meta({
        description:
          'The label of each rollout: the ground truth, or an object (also as a JSON string) with any of pid, answer, split, round, step and task. May be left out.',
      }),
    }),
  )
  .superRefine(({ query, prompts, labels }, context) => {
    for (const [key, list] of [
      ['prompts', prompts],
      ['labels', labels ?? query],
    ] as const) {
      if (list.length === query.length) continue;
      const message = `${key} has length ${list.length} but query has length ${query.length}: send one entry per rollout in each list.`;
      context.addIssue({ code: 'custom', path: [key], message });
    }
  })
  .transform(({ query, prompts, labels }) => ({
    query,
    prompts,
    labels: labels ?? query.map(() => null),
  }))
  .meta({
    id: 'OpenRlhfRequest',
    description: 'Rollouts as OpenRLHF posts them to a remote reward URL.',
    examples: [
      {
        query: ['What is 2 + 2? Put your answer in \\boxed{}.\nIt is \\boxed{4}.</s>'],
        prompts: ['What is 2 + 2? Put your answer in \\boxed{}.\n'],
        labels: ['{"pid": "gsm8k-0017", "answer": "4"}'],
      },
    ],
  });

export type OpenRlhfRequest = z.output<typeof openRlhfRequestSchema>;
