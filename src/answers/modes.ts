/**
 * How an answer is taken from a completion. A mode is declared per cohort or per item, never guessed. `qwen` and `vlm`
 * reproduce the keys and grades of the Co-RL reference code, with its quirks, for comparison with a paper run.
 */
export const EXTRACTION_MODES = [
  'boxed',
  'answer-tag',
  'gsm8k',
  'choice',
  'number',
  'regex',
  'code',
  'raw',
  'auto',
  'qwen',
  'vlm',
] as const;

export type ExtractionMode = (typeof EXTRACTION_MODES)[number];

/** What mode `auto` takes from a text that announces no answer. Anything but `none` is for evaluation, not for rewards. */
export const FALLBACKS = ['none', 'formula', 'last'] as const;

export type Fallback = (typeof FALLBACKS)[number];
