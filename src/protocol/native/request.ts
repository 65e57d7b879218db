import { z } from 'zod';
import { EXTRACTION_MODES } from '../../answers/modes.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { GroupInput, RolloutInput, SubmissionInput } from '../../service/submission.ts';
import { answerFields, answerShape } from '../answer-fields.ts';
import { boundedList } from '../bounded-list.ts';
import { codeOf, codeTaskShape, readCodeTask } from '../code-task.ts';
import { groundTruthSchema, toGroundTruth } from '../ground-truth.ts';
import { modeOfTask } from '../task-mode.ts';
import { choicesSchema, MAX_COMPLETION, promptIdSchema, wireText } from '../text.ts';
import { SKIP, SUBMISSION } from './examples.ts';
import { signalFields, toSignals } from './signals.ts';

/** Ids made by the server start with `~`, so that no client's id can be taken for one. */
const rolloutIdSchema = wireText(256).min(1).regex(/^[^~]/, 'must not start with "~"').meta({
  description: 'Names one sample of the group, for exact idempotency. Unique within (agent, prompt, round).',
});

const MAX_INDEX = 999_999;
/** Longer than any context, and small enough that sums over a run stay exact. */
const MAX_TOKENS = 1_000_000_000;
const MAX_PROBLEM_LENGTH = 131_072;

const rolloutSchema = z
  .object({
    id: rolloutIdSchema.nullish(),
    index: z.int().min(0).max(MAX_INDEX).nullish().meta({
      description: 'Place in the group; breaks ties (earliest wins). Serves as id where none is sent.',
    }),
    completion: wireText(MAX_COMPLETION)
      .nullish()
      .meta({ description: 'The sampled text, without its prompt. The answer is extracted from it.' }),
    answer: z
      .union([wireText(16_384), z.number(), z.null()])
      .optional()
      .meta({
        description: 'The answer itself, if the trainer extracted it; null abstains. Wins over `completion`.',
      }),
    tokens: z
      .number()
      .min(0)
      .max(MAX_TOKENS)
      .nullish()
      .meta({ description: 'Length of the completion in tokens; for metrics.' }),
    truncated: z
      .boolean()
      .nullish()
      .meta({ description: 'Cut off by the length limit: an incomplete answer does not count.' }),
    ...signalFields,
  })
  .refine(({ completion, answer }) => completion != null || answer !== undefined, {
    message: 'needs "completion" or "answer"',
  })
  .meta({ id: 'Rollout', description: 'One sampled completion.' });

const groupSchema = z
  .object({
    prompt_id: promptIdSchema.meta({ description: 'Names the problem: the same for every agent and view.' }),
    round: z.int().min(0).nullish().meta({
      description: 'Which visit to this prompt. Left out, the server counts the visits of each agent.',
    }),
    task: wireText(64).nullish().meta({ description: 'Kind of problem, such as math or mcq.' }),
    mode: z
      .enum(EXTRACTION_MODES)
      .nullish()
      .meta({ description: "How answers are extracted; overrides the cohort's mode for this prompt." }),
    ...answerShape,
    ground_truth: groundTruthSchema.optional(),
    choices: choicesSchema.nullish(),
    problem: wireText(MAX_PROBLEM_LENGTH).nullish().meta({
      description: 'Text of the problem. Nobody but a judge (method llm-judge) reads it.',
    }),
    prompt: wireText(MAX_PROBLEM_LENGTH).nullish().meta({
      description:
        'The prompt as the model got it, or its end. Where it opens reasoning, as templates that end in <think> do, a completion that never closes it holds no answer. Left out, `problem` is looked at.',
    }),
    ...codeTaskShape,
    code_row: z.record(z.string(), z.unknown()).nullish().meta({
      description:
        'In mode code: a row of HumanEval, MBPP, LiveCodeBench, APPS or TACO as it is, in place of entry_point, inputs, test_code and stdin.',
    }),
    rollouts: boundedList(rolloutSchema, { min: 1, max: 4096 }),
  })
  .meta({ id: 'RolloutGroup', description: "All or part of one agent's rollouts for one prompt." });

export const submissionSchema = z
  .object({
    submission_id: wireText(256).min(1).nullish().meta({
      description: 'Names this submission, for retries and for asking again. Left out, the server makes one.',
    }),
    incarnation: wireText(256).min(1).nullish().meta({
      description: 'Names this start of the trainer. A new one means: restarted from a checkpoint.',
    }),
    step: z.int().min(0).nullish().meta({ description: 'Training step; tells visits to a prompt apart.' }),
    split: z
      .enum(['train', 'eval'])
      .default('train')
      .meta({ description: 'eval is graded against the ground truth at once and waits for nobody.' }),
    groups: boundedList(groupSchema, { min: 1, max: 10_000 }),
  })
  .meta({
    id: 'Submission',
    description: 'Any mix of prompts, and any part of their groups.',
    examples: [SUBMISSION],
  });

export type SubmissionBody = z.output<typeof submissionSchema>;

/** Seconds to wait for the decision before answering 202; longer than the server allows is cut to that. */
export const waitSchema = z.object({
  wait: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .meta({ description: 'Seconds to wait for the decision before 202 is answered; 0 only records.' }),
  heartbeat: z.coerce.number().min(1).max(3_600).optional().meta({
    description:
      'For proxies that cut silent connections: while the request waits, a newline is sent every so many seconds before the JSON body. The status is then 200 whatever comes, so read `status` in the body; an answer that cannot be given any more is a body that breaks off: send the request again.',
  }),
});

export type WaitQuery = z.output<typeof waitSchema>;

export function toSubmissionInput(cohort: string, agent: string, body: SubmissionBody): SubmissionInput {
  return {
    cohort,
    agent,
    submissionId: body.submission_id ?? null,
    incarnation: body.incarnation ?? null,
    step: body.step ?? null,
    groups: body.groups.map(
      (group): GroupInput => ({
        promptId: group.prompt_id,
        round: group.round ?? null,
        ...toGroundTruth(group.ground_truth),
        mode: group.mode ?? modeOfTask(group.task),
        choices: group.choices ?? null,
        problem: group.problem?.trim() || null,
        prompt: group.prompt ?? group.problem ?? null,
        ...answerFields(group),
        ...codeOfGroup(group),
        split: body.split,
        rollouts: group.rollouts.map(toRolloutInput),
      }),
    ),
  };
}

/** Throws `invalid_request` for a row that says nothing of its programs. */
function codeOfGroup(group: SubmissionBody['groups'][number]) {
  const { code_row: row, prompt_id: promptId } = group;
  if (row == null) return codeOf(group);
  const problems: string[] = [];
  const read = readCodeTask(row, problems);
  if (problems.length === 0 && read.code !== undefined) return read;
  const why = problems.map((problem) => problem.replaceAll(' in the label', '')).join(' ');
  throw new ServiceError(
    'invalid_request',
    `The code_row of prompt "${promptId}" says nothing of how its programs are run. ${why || 'Send a row of HumanEval, MBPP, LiveCodeBench, APPS or TACO, or entry_point, inputs, test_code or stdin.'}`,
  );
}

function toRolloutInput(rollout: z.output<typeof rolloutSchema>): RolloutInput {
  const { answer, completion } = rollout;
  return {
    id: rollout.id ?? null,
    index: rollout.index ?? null,
    content:
      answer === undefined
        ? { kind: 'completion', text: completion ?? '' }
        : { kind: 'given', answer: answer === null ? null : String(answer) },
    tokens: rollout.tokens ?? null,
    truncated: rollout.truncated ?? false,
    ...toSignals(rollout),
  };
}

export const skipSchema = z
  .object({
    incarnation: wireText(256).min(1).nullish(),
    step: z.int().min(0).nullish(),
    prompts: boundedList(z.object({ prompt_id: promptIdSchema, round: z.int().min(0).nullish() }), {
      min: 1,
      max: 10_000,
    }),
  })
  .meta({
    id: 'Skip',
    description: 'Prompts for which this agent sends no (more) rollouts.',
    examples: [SKIP],
  });

export const finishSchema = z
  .object({ incarnation: wireText(256).min(1).nullish() })
  .meta({ id: 'Finish', description: 'This agent leaves; a later submission brings it back.' });
