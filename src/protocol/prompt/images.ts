import { createHash } from 'node:crypto';

/** Names of images that are longer than this are hashed: they may be the images themselves. */
const LONGEST_NAME = 128;
export const MOST_IMAGES = 64;

/** What chat templates and processors put where an image goes: Qwen-VL, LLaVA, InternVL, Gemma, Pixtral, Llama, Phi. */
const PLACEHOLDER =
  /<\|image_pad\|>|<\|vision_start\|>|<image>|<IMG_CONTEXT>|<start_of_image>|<image_soft_token>|\[IMG\]|<\|image\|>|<\|image_\d{1,3}\|>/;

/** Whether a prompt shows an image that its text does not hold. */
export function showsImage(prompt: string): boolean {
  return PLACEHOLDER.test(prompt);
}

/**
 * Names of images out of what a data set says of them: ids, hashes, paths, URLs, or whole images as text or in objects, one or
 * a list. Equal images have equal names if they are written alike. Null for anything else, and for more than {@link MOST_IMAGES}.
 */
export function imageNames(value: unknown): readonly string[] | null {
  if (value === undefined || value === null || value === '') return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MOST_IMAGES) return null;
  const names = list.map(nameOf);
  return names.includes(null) ? null : names.flatMap((name) => name ?? []);
}

function nameOf(image: unknown): string | null {
  if (typeof image === 'number' && Number.isSafeInteger(image)) return String(image);
  if (typeof image === 'string') return image.length <= LONGEST_NAME ? image.toWellFormed() : hashOf(image);
  if (typeof image !== 'object' || image === null) return null;
  return hashOf(JSON.stringify(image));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text.toWellFormed()).digest('hex');
}
