import type { GroundTruth } from '../../domain/bucket.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ManifestEntry } from '../../domain/manifest.ts';
import { showsImage } from '../prompt/images.ts';
import type { DatasetLabel } from '../prompt/label.ts';
import { promptIdOf, userText } from '../prompt/prompt-text.ts';
import type { Split } from '../prompt/split.ts';
import type { TrainerQuery } from '../trainer-query.ts';
import type { PromptIndex } from './prompt-index.ts';

export interface IdentifiedPrompt {
  readonly promptId: string;
  readonly groundTruth: GroundTruth | null;
  readonly truthFault?: string;
  readonly split: Split;
}

/** The manifest of the cohort, if it has one. Asked only where a label names no prompt. */
export type KnownPrompts = () => Promise<PromptIndex | null>;

/**
 * Which problem a rollout of a text-only trainer belongs to: what its label says goes before the manifest, and that
 * before the URL. Without a prompt id and without a manifest, a hash of the text and of the names of its images names the
 * problem; `shown` are those that came with the prompt itself. Throws `unknown_prompt` when there is a manifest and the text is
 * not in it, and for a text that shows images which nothing names: many problems have the same question.
 */
export async function identifyPrompt(
  label: DatasetLabel,
  prompt: string,
  url: TrainerQuery,
  known: KnownPrompts,
  shown: readonly string[] = [],
): Promise<IdentifiedPrompt> {
  const index = label.promptId === null ? await known() : null;
  const entry = index === null ? null : findEntry(index, prompt);
  const images = label.images ?? shown;
  if (label.promptId === null && entry === null && images.length === 0 && showsImage(prompt))
    throw unseen(prompt);
  return {
    promptId: label.promptId ?? entry?.promptId ?? promptIdOf(prompt, images),
    groundTruth: label.groundTruth ?? entry?.groundTruth ?? null,
    ...(label.truthFault !== undefined && !entry?.groundTruth && { truthFault: label.truthFault }),
    split: label.split ?? entry?.split ?? url.split ?? 'train',
  };
}

function unseen(prompt: string): ServiceError {
  return new ServiceError(
    'unknown_prompt',
    `The prompt "${shorten(userText(prompt))}" shows an image, and its text does not tell it from other problems with the same question. Put the prompt id into the label ({"pid": …}), or what names its images ({"images": ["…"]}): ids, hashes or paths.`,
  );
}

function findEntry(index: PromptIndex, prompt: string): ManifestEntry {
  const finding = index.find(prompt);
  switch (finding.kind) {
    case 'found':
      return finding.entry;
    case 'ambiguous': {
      const ids = finding.entries.map(({ promptId }) => promptId);
      throw new ServiceError(
        'unknown_prompt',
        `The prompt "${shorten(userText(prompt))}" holds the texts of several prompts of the manifest: ${ids.map((id) => `"${id}"`).join(', ')}. Put the prompt id in the label, or the whole text into the manifest.`,
        { details: { prompt_ids: ids } },
      );
    }
    case 'unknown': {
      const { nearest } = finding;
      const hint =
        nearest === null
          ? ''
          : ` The nearest is "${nearest.promptId}": "${shorten(nearest.texts[0] ?? '')}".`;
      throw new ServiceError(
        'unknown_prompt',
        `No prompt of the manifest is in "${shorten(userText(prompt))}".${hint} Add this text to the manifest (PUT /v1/cohorts/{cohort}/prompts), or put the prompt id in the label.`,
        { details: { nearest: nearest === null ? null : { prompt_id: nearest.promptId } } },
      );
    }
  }
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119).toWellFormed()}…` : text;
}
