import { ServiceError } from '../../domain/errors.ts';
import { readOr } from '../../domain/fallible-read.ts';
import type { SubmissionInput, SubmissionResult } from '../../service/submission.ts';
import { findEndOfText } from '../openrlhf/end-tokens.ts';
import { readLabel } from '../prompt/label.ts';
import { problemText } from '../prompt/prompt-text.ts';
import { modeOfTask } from '../task-mode.ts';
import { isCutOff, type TrainerQuery } from '../trainer-query.ts';
import { type RollResult, type RollSubmit, rollResultBodySchema } from './schema.ts';

/**
 * A submission of one rollout, named by its own id, so that it is found again by it. Throws `invalid_request` for a
 * `reward_info` that cannot be read.
 */
export function toRollInput(
  cohort: string,
  agent: string,
  body: RollSubmit,
  url: TrainerQuery,
): SubmissionInput {
  const reading = readLabel(body.reward_info);
  if (reading.kind === 'invalid') {
    throw new ServiceError('invalid_request', `reward_info: ${reading.reason}`);
  }
  const { label } = reading;
  const { rollout_id: id, data_id, response, global_step } = body;
  return {
    cohort,
    agent,
    submissionId: submissionIdOf(data_id, id),
    incarnation: url.incarnation,
    step: label.step ?? readStep(global_step) ?? url.step,
    groups: [
      {
        promptId: String(data_id),
        round: label.round ?? url.round,
        groundTruth: label.groundTruth,
        ...(label.truthFault !== undefined && { truthFault: label.truthFault }),
        mode: modeOfTask(label.task),
        choices: null,
        problem: problemText(body.prompt),
        prompt: body.prompt ?? null,
        ...(label.code !== undefined && { code: label.code }),
        split: label.split ?? url.split ?? 'train',
        rollouts: [
          {
            id,
            index: null,
            content: { kind: 'completion', text: response },
            tokens: null,
            truncated: isCutOff(response, findEndOfText(response, 0), url),
          },
        ],
      },
    ],
    carriesSignals: false,
    recallable: true,
  };
}

function submissionIdOf(dataId: string | number, rolloutId: string): string {
  return JSON.stringify(['roll', dataId, rolloutId]);
}

function readStep(step: unknown): number | null {
  return typeof step === 'number' && Number.isSafeInteger(step) && step >= 0 ? step : null;
}

const GRADED = 'graded:';

/** The id that ROLL polls. An eval rollout is graded at once and not remembered, so its id carries the score. */
export function toRequestId(result: SubmissionResult): string {
  const [group] = result.kind === 'decided' ? result.groups : [];
  if (group?.status !== 'eval') return result.submissionId;
  return `${GRADED}${group.rollouts[0]?.reward ?? 0}`;
}

/** The score that an id of `toRequestId` carries; null when it names a submission. */
export function scoreOfRequestId(id: string): number | null {
  if (!id.startsWith(GRADED)) return null;
  const score = Number(id.slice(GRADED.length));
  return Number.isFinite(score) ? score : 0;
}

export function toRollResult(result: SubmissionResult): RollResult {
  if (result.kind === 'pending') {
    const [first] = result.waitingFor;
    return {
      errcode: 1,
      errmsg: `waits for ${first?.agent ?? 'a peer'}, which has sent ${first?.have ?? 0} of ${first?.need ?? 0} rollouts`,
    };
  }
  const [rollout] = result.groups[0]?.rollouts ?? [];
  return toScored(rollout?.reward ?? rollout?.standIn ?? 0);
}

export function toScored(score: number): RollResult {
  return { errcode: 0, errmsg: '', reward_score: score, dimention_reward_score: {} };
}

/** The request id that the body of a GET names; undefined where there is none. */
export function readRequestId(body: unknown): string | undefined {
  return readOr(
    () => rollResultBodySchema.safeParse(body).data?.reward_request_id,
    () => undefined,
  );
}
