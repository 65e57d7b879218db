import { ServiceError } from '../../domain/errors.ts';
import type { GroupInput, SubmissionInput } from '../../service/submission.ts';
import { identifyPrompt, type KnownPrompts } from '../manifest/identify-prompt.ts';
import { readLabel } from '../prompt/label.ts';
import { problemText } from '../prompt/prompt-text.ts';
import { modeOfTask } from '../task-mode.ts';
import { isCutOff, type TrainerQuery } from '../trainer-query.ts';
import { findEndOfText } from './end-tokens.ts';
import type { OpenRlhfRequest } from './schema.ts';
import { stripPrompt } from './strip-prompt.ts';

/**
 * One group of one rollout for each item: OpenRLHF sends neither ids nor indices. What the label says
 * goes before what the URL says. Throws `invalid_request` for a label that cannot be read, `unknown_prompt` for a text
 * that is not in the manifest.
 */
export async function toOpenRlhfInput(
  cohort: string,
  agent: string,
  { query, prompts, labels }: OpenRlhfRequest,
  url: TrainerQuery,
  known: KnownPrompts,
): Promise<SubmissionInput> {
  const steps = new Set<number>();
  const groups: GroupInput[] = [];
  for (const [position, text] of query.entries()) {
    const prompt = prompts[position] ?? '';
    const reading = readLabel(labels[position]);
    if (reading.kind === 'invalid') {
      throw new ServiceError('invalid_request', `labels[${position}]: ${reading.reason}`);
    }
    const { label } = reading;
    if (label.step !== null) steps.add(label.step);
    const response = stripPrompt(text, prompt);
    groups.push({
      ...(await identifyPrompt(label, prompt, url, known)),
      round: label.round ?? url.round,
      mode: modeOfTask(label.task),
      choices: null,
      problem: problemText(prompt),
      prompt,
      ...(label.code !== undefined && { code: label.code }),
      rollouts: [
        {
          id: null,
          index: null,
          content: response === null ? { kind: 'unreadable', text } : { kind: 'completion', text: response },
          tokens: null,
          truncated: isCutOff(text, findEndOfText(text, 0), url),
        },
      ],
    });
  }
  const [step] = steps.size === 1 ? steps : [url.step];
  return {
    cohort,
    agent,
    submissionId: null,
    incarnation: url.incarnation,
    step: step ?? null,
    groups,
    carriesSignals: false,
    carriesNull: false,
    recallable: false,
  };
}
