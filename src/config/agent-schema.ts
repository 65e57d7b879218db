import { z } from 'zod';
import { nameSchema, oneOf, strictObject, wholeNumber, withDefault } from './fields.ts';

export const MAX_AGENTS = 64;
export const DEFAULT_VIEW = 'original';
/** Largest group size, in rollouts per prompt. */
export const MAX_K = 4_096;

export const groupSize = wholeNumber(1, MAX_K);

/** One entry of `agents` that is more than a name. */
export const agentConfigSchema = strictObject({
  name: nameSchema.meta({
    description:
      'Name of the agent, as in the URL its trainer posts to; unique in the cohort, case-sensitive. Required.',
  }),
  k: groupSize.optional().meta({
    description: "Rollouts that this agent samples per prompt. Absent: the cohort's `k`.",
  }),
  view: withDefault(
    nameSchema,
    DEFAULT_VIEW,
    "Which of a problem's texts the agent sees (`original`, a rephrased one, …); prompt ids are the same in every view.",
  ),
  role: withDefault(
    oneOf(['learner', 'teacher']),
    'learner',
    '`learner` is rewarded; `teacher` (a frozen or EMA model) only votes. `teacher` only with `method: co-rl`, `co-rewarding-ii` (exactly one) or `comas`.',
  ),
});

const agentEntrySchema = z.union([nameSchema, agentConfigSchema], {
  error: 'expected the name of an agent, or an object with name, k, view, role',
});

const AGENTS_RULE = `expected a list of 1 to ${MAX_AGENTS} agents`;

/** Names or objects, in ring order. */
export const agentsSchema = z
  .array(agentEntrySchema, { error: AGENTS_RULE })
  .min(1, { error: AGENTS_RULE })
  .max(MAX_AGENTS, { error: AGENTS_RULE });

/** The teachers of each learner, for `supervision: graph`. */
export const teachersSchema = z.record(
  nameSchema,
  z.array(nameSchema, { error: 'expected a list of names of agents' }),
  {
    error: 'expected an object that gives each learner the list of its teachers',
  },
);
