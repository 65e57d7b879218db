import { readFileSync } from 'node:fs';

/** Name of each script as a command of the client, and its file in lua/, whose header describes it. */
export const SCRIPTS = {
  valuesRead: 'values-read',
  valueSwap: 'value-swap',
  promptsSwap: 'prompts-swap',
  promptsDue: 'prompts-due',
  submissionPut: 'submission-put',
  cohortPut: 'cohort-put',
  cohortDelete: 'cohort-delete',
} as const;

export type ScriptName = keyof typeof SCRIPTS;

export function readScript(name: ScriptName): string {
  return readFileSync(new URL(`./lua/${SCRIPTS[name]}.lua`, import.meta.url), 'utf8');
}
