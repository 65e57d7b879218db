export type Split = 'train' | 'eval';

/** What data sets call their splits. */
export const SPLIT_WORDS = ['train', 'eval', 'test', 'val', 'validation', 'evaluation'] as const;

/** `null` for a word that names no split: guessing `train` would put an eval sample into a vote. */
export function readSplit(word: string): Split | null {
  const lower = word.trim().toLowerCase();
  if (!SPLIT_WORDS.some((known) => known === lower)) return null;
  return lower === 'train' ? 'train' : 'eval';
}
