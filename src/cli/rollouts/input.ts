import type { Readable } from 'node:stream';
import type { Cohort } from '../../domain/cohort.ts';
import { ALIASES, parseFieldNames } from './aliases.ts';
import { CohortError } from './cohort-source.ts';
import { totalBytes } from './lines.ts';
import type { Progress } from './progress.ts';
import { readRollouts } from './read-rollouts.ts';
import { parseSource } from './source.ts';

interface Input {
  readonly settings: { readonly fields?: string | undefined; readonly skipBad: boolean };
  readonly cohort: Cohort;
  readonly withSignals: boolean;
  readonly terminal: {
    readonly stdin: Readable;
    readonly progress: (what: string, total: number | null) => Progress;
  };
}

/** Reads the rollouts of all files, as a command was told to. Throws what `isInputError` knows. */
export async function openInput(
  files: readonly string[],
  { settings, cohort, withSignals, terminal }: Input,
) {
  const fields = settings.fields === undefined ? null : parseFieldNames(settings.fields);
  if (fields?.ok === false) throw new CohortError(`--fields: ${fields.problem}`);
  const sources = files.map(parseSource);
  const total = await totalBytes(sources.map(({ path }) => path));
  const progress = terminal.progress('reading', total);
  try {
    return await readRollouts(sources, {
      names: fields?.names ?? ALIASES,
      withSignals,
      cohort,
      skipBad: settings.skipBad,
      stdin: terminal.stdin,
      progress,
    });
  } finally {
    progress.end();
  }
}
