import { z } from 'zod';
import type { Manifest } from '../../domain/manifest.ts';

export const manifestBodySchema = z.string().meta({
  description:
    'JSON Lines: one object for each problem, with `prompt_id`, `text`, and optionally `aliases` or `rephrasings` (lists of further texts of the same problem), `ground_truth` and `split`. At most 500,000 problems, within the limit on bodies.',
});

export const manifestReplySchema = z
  .object({
    prompts: z.int().meta({ description: 'Problems in the manifest; 0 without one.' }),
    texts: z.int().meta({ description: 'Their texts, rephrasings included.' }),
    with_ground_truth: z.int(),
    eval: z.int().meta({ description: 'Problems whose split is eval.' }),
    version: z
      .string()
      .nullable()
      .meta({ description: 'Changes with the contents; null without a manifest.' }),
  })
  .meta({ id: 'PromptManifest', description: 'What a manifest holds.' });

export function toManifestReply(manifest: Manifest | null): z.infer<typeof manifestReplySchema> {
  const entries = manifest?.entries ?? [];
  return {
    prompts: entries.length,
    texts: entries.reduce((sum, { texts }) => sum + texts.length, 0),
    with_ground_truth: entries.filter(({ groundTruth }) => groundTruth !== null).length,
    eval: entries.filter(({ split }) => split === 'eval').length,
    version: manifest?.version ?? null,
  };
}
