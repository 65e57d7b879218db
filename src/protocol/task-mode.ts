import type { ExtractionMode } from '../answers/modes.ts';

/** Tasks whose answers are read in a mode of their own; any other task is read in the cohort's mode. */
const MODE_OF_TASK: ReadonlyMap<string, ExtractionMode> = new Map([
  ['mcq', 'choice'],
  ['choice', 'choice'],
  ['gpqa', 'choice'],
  ['code', 'code'],
]);

export function modeOfTask(task: string | null | undefined): ExtractionMode | null {
  return MODE_OF_TASK.get(task ?? '') ?? null;
}
