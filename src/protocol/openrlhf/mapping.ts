import { ServiceError } from '../../domain/errors.ts';
import type { GroupInput, SubmissionInput, SubmissionResult } from '../../service/submission.ts';
import { modeOfTask } from '../task-mode.ts';
import { readLabel } from './label.ts';
import { promptIdOf } from './prompt-text.ts';
import type { ItemResult } from './reply.ts';
import type { OpenRlhfQuery, OpenRlhfRequest } from './schema.ts';
import { stripPrompt } from './strip-prompt.ts';

/**
 * One group of one rollout for each item: OpenRLHF sends neither ids nor indices. What the label says
 * goes before what the URL says. Throws `invalid_request` for a label that cannot be read.
 */
export function toOpenRlhfInput(
  cohort: string,
  agent: string,
  { query, prompts, labels }: OpenRlhfRequest,
  url: OpenRlhfQuery,
): SubmissionInput {
  const steps = new Set<number>();
  const groups = query.map((text, position): GroupInput => {
    const prompt = prompts[position] ?? '';
    const reading = readLabel(labels[position]);
    if (reading.kind === 'invalid') {
      throw new ServiceError('invalid_request', `labels[${position}]: ${reading.reason}`);
    }
    const { label } = reading;
    if (label.step !== null) steps.add(label.step);
    const response = stripPrompt(text, prompt);
    return {
      promptId: label.promptId ?? promptIdOf(prompt),
      round: label.round ?? url.round,
      groundTruth: label.groundTruth,
      mode: modeOfTask(label.task),
      choices: null,
      split: label.split ?? url.split ?? 'train',
      rollouts: [
        {
          id: null,
          index: null,
          content: response === null ? { kind: 'unreadable', text } : { kind: 'completion', text: response },
          tokens: null,
          truncated: false,
        },
      ],
    };
  });
  const [step] = steps.size === 1 ? steps : [url.step];
  return {
    cohort,
    agent,
    submissionId: null,
    incarnation: url.incarnation,
    step: step ?? null,
    groups,
    recallable: false,
  };
}

/** One result per item, in the order of the request. */
export function toItemResults({
  groups,
  waitedMs,
}: Extract<SubmissionResult, { kind: 'decided' }>): ItemResult[] {
  return groups.flatMap((group) =>
    group.rollouts.map((rollout) => ({
      reward: rollout.reward,
      status: group.status,
      answered: rollout.answer !== null,
      labelShare: group.label === null ? null : group.labelShare,
      truth: rollout.correct,
      waitMs: waitedMs,
      staleness: group.staleness,
      late: rollout.late,
    })),
  );
}
