import { z } from 'zod';
import { PARTS, type Signals } from '../../domain/signals.ts';
import type { Measure, RolloutInput } from '../../service/submission.ts';
import { wireText } from '../text.ts';

/** Tokens of one completion that values may come for. */
const MAX_TOKENS = 1_048_576;
/** Beyond this a number is no score and no entropy, and sums of it would leave the range of JSON. */
const LARGEST = 1e9;

/** Checked by one loop: a schema per entry would take longer than all the rest of a request with a million of them. */
function listOf<T>(type: object, rule: string, isEntry: (value: unknown) => value is T) {
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length <= MAX_TOKENS && value.every(isEntry);
  return z
    .custom<readonly T[]>(isList, { error: `expected a list of at most ${MAX_TOKENS} ${rule}` })
    .meta({ type: 'array', items: type, maxItems: MAX_TOKENS });
}

const tokenValues = listOf({ type: 'number' }, 'numbers', (value) => typeof value === 'number').nullish();
const tokenMask = listOf(
  { enum: [0, 1, true, false] },
  'entries, each 1 or 0',
  (value): value is number | boolean => value === 0 || value === 1 || typeof value === 'boolean',
).nullish();
const mean = z.number().min(-LARGEST).max(LARGEST).nullish();

/** What a rollout may come with beside its answer. Each method says what it needs: docs/methods.md. */
export const signalFields = {
  mean_entropy: mean.meta({
    description:
      'Mean entropy of its tokens in nats, over the whole vocabulary. null: it has no tokens. For method rent.',
  }),
  token_entropies: tokenValues.meta({
    description: 'The entropy of each token, in place of `mean_entropy`.',
  }),
  mean_kl_u_p: mean.meta({
    description: 'Mean KL(U‖p) of its tokens in nats. null: it has no tokens. For method intuitor.',
  }),
  token_kl_u_p: tokenValues.meta({ description: 'KL(U‖p) of each token, in place of `mean_kl_u_p`.' }),
  token_mask: tokenMask.meta({
    description: 'Which of the token values count: one entry per token. Left out, all do.',
  }),
  peer_logprob_sum: z.number().min(-LARGEST).max(LARGEST).nullish().meta({
    description: "Sum of the peer's log-probabilities of its tokens.",
  }),
  score: z.number().min(-LARGEST).max(LARGEST).nullish().meta({
    description: "A verifier's or judge's score, which the trainer knows already. For maporl and llm-judge.",
  }),
  interaction_id: wireText(200).min(1).nullish().meta({
    description:
      'Links the rollouts of one discussion, across agents, within one prompt and round. For comas and maporl.',
  }),
  part: z.enum(PARTS).nullish().meta({ description: 'What it does in the discussion. For comas.' }),
  tau: z.literal([1, 2, 3]).nullish().meta({
    description: "A scorer's verdict. Left out, it is read from the completion. For comas.",
  }),
  turn: z.int().min(0).max(9_999).nullish().meta({ description: 'Turn of the conversation. For maporl.' }),
  novelty: z.number().min(0).max(1).nullish().meta({
    description: "How unlike the group's other answers its reasoning is, as the trainer computed it.",
  }),
};

type SignalFields = z.output<z.ZodObject<typeof signalFields>>;

/** The signals of one rollout. A value that is given wins over one that would be computed. */
export function toSignals(sent: SignalFields): Pick<RolloutInput, 'signals' | 'measures'> {
  const entropy = toMeasure(sent.mean_entropy, sent.token_entropies, sent.token_mask);
  const selfCertainty = toMeasure(sent.mean_kl_u_p, sent.token_kl_u_p, sent.token_mask);
  const signals: Signals = {
    ...(sent.peer_logprob_sum != null && { peerLogprob: sent.peer_logprob_sum }),
    ...(sent.score != null && { score: sent.score }),
    ...(sent.interaction_id != null && { interaction: sent.interaction_id }),
    ...(sent.part != null && { part: sent.part }),
    ...(sent.tau != null && { tau: sent.tau }),
    ...(sent.turn != null && { turn: sent.turn }),
    ...(sent.novelty != null && { novelty: sent.novelty }),
  };
  return {
    ...(Object.keys(signals).length > 0 && { signals }),
    ...((entropy !== null || selfCertainty !== null) && {
      measures: { ...(entropy !== null && { entropy }), ...(selfCertainty !== null && { selfCertainty }) },
    }),
  };
}

/** Null when nothing was said of it. */
function toMeasure(
  given: number | null | undefined,
  values: readonly number[] | null | undefined,
  mask: readonly (number | boolean)[] | null | undefined,
): Measure | null {
  if (typeof given === 'number') return { kind: 'mean', mean: given };
  if (values != null) return { kind: 'tokens', values, mask: mask ?? null };
  return given === null ? { kind: 'none' } : null;
}
