import { ServiceError } from '../../domain/errors.ts';
import type { SubmissionInput } from '../../service/submission.ts';
import type { ItemResult } from '../item-result.ts';
import { identifyPrompt, type KnownPrompts } from '../manifest/identify-prompt.ts';
import { findEndOfText } from '../openrlhf/end-tokens.ts';
import { imageNames } from '../prompt/images.ts';
import { readLabel } from '../prompt/label.ts';
import { problemText } from '../prompt/prompt-text.ts';
import { modeOfTask } from '../task-mode.ts';
import { isCutOff, type TrainerQuery } from '../trainer-query.ts';
import type { SlimeObject, SlimeRequest } from './schema.ts';

/** How long slime's client pauses before its second try, its third and so on; by chance up to a second longer. */
const PAUSES_MS: readonly number[] = [1, 2, 4, 8, 16, 30, 30, 30, 30].map((seconds) => seconds * 1_000);

/**
 * One group of one rollout: slime sends neither ids nor indices. Throws `invalid_request` for a label that cannot be
 * read, `unknown_prompt` for a text that is not in the manifest.
 */
export async function toSlimeInput(
  cohort: string,
  agent: string,
  { prompt, response, label: sent }: SlimeRequest,
  url: TrainerQuery,
  known: KnownPrompts,
): Promise<SubmissionInput> {
  const reading = readLabel(sent);
  if (reading.kind === 'invalid') throw new ServiceError('invalid_request', `label: ${reading.reason}`);
  const { label } = reading;
  const text = promptText(prompt);
  const end = findEndOfText(response, 0);
  const identified = await identifyPrompt(label, text, url, known, imagesOf(prompt));
  const group = {
    ...identified,
    round: label.round ?? url.round,
    mode: modeOfTask(label.task),
    choices: null,
    problem: problemText(text),
    prompt: text,
    ...(label.code !== undefined && { code: label.code }),
    rollouts: [
      {
        id: null,
        index: null,
        content: { kind: 'completion' as const, text: response.slice(0, end) },
        tokens: null,
        truncated: isCutOff(response, end, url),
      },
    ],
  };
  const step = label.step ?? url.step;
  return {
    cohort,
    agent,
    submissionId: null,
    incarnation: url.incarnation,
    step,
    groups: [group],
    carriesSignals: false,
    carriesNull: false,
    recallable: false,
    pausesMs: PAUSES_MS,
  };
}

/** The text of a prompt: that of its last user message where it came as messages. */
function promptText(prompt: SlimeRequest['prompt']): string {
  if (typeof prompt === 'string') return prompt.toWellFormed();
  const message = prompt.findLast(({ role }) => role === 'user') ?? prompt.at(-1);
  return contentText(message?.content).toWellFormed();
}

/** The images that stand in its messages. */
function imagesOf(prompt: SlimeRequest['prompt']): readonly string[] {
  if (typeof prompt === 'string') return [];
  const parts = prompt.flatMap(({ content }): unknown[] => (Array.isArray(content) ? content : []));
  const images = parts.filter(
    (part) => typeof part === 'object' && part !== null && 'type' in part && /^image/.test(String(part.type)),
  );
  return imageNames(images) ?? [];
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : '';
      return typeof text === 'string' ? text : '';
    })
    .join('');
}

export function toSlimeObject(item: ItemResult): SlimeObject {
  return {
    score: item.reward ?? 0,
    status: item.status,
    metrics: {
      answered: Number(item.answered),
      label_share: item.labelShare ?? 0,
      truth_given: Number(item.truth !== null),
      truth_match: Number(item.truth === true),
      barrier_wait_s: item.waitMs / 1000,
      staleness: item.staleness,
      late: Number(item.late),
    },
  };
}
