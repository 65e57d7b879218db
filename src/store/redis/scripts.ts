import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The scripts by the name that calls use, and their file in lua/, whose header describes it. */
export const SCRIPTS = {
  valuesRead: 'values-read',
  valueSwap: 'value-swap',
  promptsSwap: 'prompts-swap',
  promptsDue: 'prompts-due',
  submissionPut: 'submission-put',
  cohortPut: 'cohort-put',
  cohortDelete: 'cohort-delete',
  replicasList: 'replicas-list',
  samplesAdd: 'samples-add',
  diagnosticsAdd: 'diagnostics-add',
  receiptPut: 'receipt-put',
  rights: 'rights',
  rowNote: 'row-note',
} as const;

export type ScriptName = keyof typeof SCRIPTS;

interface Script {
  readonly lua: string;
  /** What EVALSHA knows it by. */
  readonly sha: string;
}

const loaded = new Map(
  Object.entries(SCRIPTS).map(([name, file]): [string, Script] => {
    const lua = readFileSync(new URL(`./lua/${file}.lua`, import.meta.url), 'utf8');
    return [name, { lua, sha: createHash('sha1').update(lua).digest('hex') }];
  }),
);

/** The script of this name, or undefined for a plain command. */
export function findScript(name: string): Script | undefined {
  return loaded.get(name);
}
