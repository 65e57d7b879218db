/** How an answer is taken from a completion. A mode is declared per cohort or per item, never guessed. */
export const EXTRACTION_MODES = ['boxed', 'answer-tag', 'gsm8k', 'choice', 'number', 'raw', 'auto'] as const;

export type ExtractionMode = (typeof EXTRACTION_MODES)[number];
