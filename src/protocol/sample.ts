import { z } from 'zod';
import type { Sample } from '../domain/sample.ts';

const place = z.int();

export const sampleSchema = z
  .object({
    round: z.int(),
    agent: z.string(),
    rollout_id: z.string(),
    incarnation: z.string().nullable(),
    answer: z.string().nullable(),
    key: z.string().nullable().meta({ description: 'The canonical form that votes are compared by.' }),
    text: z.string().meta({ description: 'The completion, or its head and its tail: 4,000 characters.' }),
    cut: z
      .object({ at: place, characters: z.int() })
      .nullable()
      .meta({ description: 'What was left out, and where in `text`.' }),
    span: z
      .object({ start: place, end: place })
      .nullable()
      .meta({ description: 'Where the answer stands in `text`, in UTF-16 code units.' }),
    note: z.string().nullable().meta({ description: 'Why there is no span.' }),
  })
  .meta({ description: 'A completion that was kept.' });

export const sampledPromptsReplySchema = z
  .object({
    prompts: z.array(
      z.object({ prompt_id: z.string(), round: z.int(), agents: z.array(z.string()), completions: z.int() }),
    ),
  })
  .meta({ id: 'SampledPrompts', description: 'Prompts of which completions are kept, the latest first.' });

type SampleReply = z.infer<typeof sampleSchema>;

/** The completions of one prompt; of those that were kept twice the later. */
export function toSamples(promptId: string, samples: readonly Sample[]): SampleReply[] {
  const own = samples.filter((sample) => sample.promptId === promptId);
  const latest = new Map(
    own.map((sample) => [JSON.stringify([sample.round, sample.agent, sample.rolloutId]), sample]),
  );
  return [...latest.values()].map(({ round, agent, rolloutId, incarnation, answer, key, ...shown }) => ({
    round,
    agent,
    rollout_id: rolloutId,
    incarnation,
    answer,
    key,
    text: shown.text,
    cut: shown.cut,
    span: shown.span,
    note: shown.note,
  }));
}

export function toSampledPrompts(samples: readonly Sample[]): z.infer<typeof sampledPromptsReplySchema> {
  const prompts = new Map<string, Sample[]>();
  for (const sample of samples) {
    const name = JSON.stringify([sample.promptId, sample.round]);
    const known = prompts.get(name) ?? [];
    // Whatever came last goes last.
    prompts.delete(name);
    prompts.set(name, [...known, sample]);
  }
  return {
    prompts: [...prompts.values()].reverse().flatMap((kept) => {
      const [first] = kept;
      if (first === undefined) return [];
      const agents = [...new Set(kept.map(({ agent }) => agent))];
      const completions = new Set(kept.map(({ agent, rolloutId }) => JSON.stringify([agent, rolloutId])))
        .size;
      return [{ prompt_id: first.promptId, round: first.round, agents, completions }];
    }),
  };
}
