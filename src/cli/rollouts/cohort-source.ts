import { readFile } from 'node:fs/promises';
import { cohortConfigSchema } from '../../config/cohort-schema.ts';
import { readConfigFile } from '../../config/config-file.ts';
import { isRecord } from '../../config/layer.ts';
import { parseCohort, toCohort } from '../../config/parse-cohort.ts';
import { formatPath, toIssues } from '../../config/problems.ts';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import type { Collection } from './collection.ts';

/** A cohort as it would be written in a configuration file, without agents where the rollouts name them. */
export type CohortSource = Readonly<Record<string, unknown>>;

export interface CohortOptions {
  readonly config?: string | undefined;
  readonly cohort?: string | undefined;
  readonly method?: string | undefined;
  readonly supervision?: string | undefined;
  readonly ring?: string | undefined;
  readonly mode?: string | undefined;
  readonly pattern?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly fallback?: string | undefined;
  readonly set?: readonly { readonly path: readonly string[]; readonly value: unknown }[] | undefined;
}

/** What the user must put right, as a sentence or several. */
export class CohortError extends Error {
  override readonly name = 'CohortError';
}

const NAME = 'rollouts';

/** The cohort of a file, if one is named, with the options over it. Throws CohortError, and what reading the file throws. */
export async function readCohortSource(options: CohortOptions): Promise<CohortSource> {
  const source: Record<string, unknown> =
    options.config === undefined ? {} : { ...(await fromFile(options)) };
  for (const key of ['method', 'supervision', 'ring'] as const) {
    if (options[key] !== undefined) source[key] = options[key];
  }
  for (const key of ['mode', 'pattern', 'reasoning', 'fallback'] as const) {
    if (options[key] !== undefined) assign(source, ['answers', key], options[key]);
  }
  for (const { path, value } of options.set ?? []) assign(source, path, value);
  return source;
}

/** What reading needs to know of a cohort, before the rollouts have said who its agents are. Throws CohortError. */
export function readingCohort(source: CohortSource): Cohort {
  const agents = source.agents ?? ['a', 'b'];
  const parsed = cohortConfigSchema.safeParse({ ...source, agents });
  if (parsed.success) return toCohort(NAME, parsed.data);
  throw new CohortError(
    toIssues(parsed.error.issues, source)
      .map(({ path, message }) => `${formatPath(path)}: ${message}`)
      .join('\n'),
  );
}

/**
 * The cohort of the source, whose agents are those of the rollouts where it names none: in the order `wanted`, else as they
 * appeared, `k` being the usual size of their groups. Throws CohortError, also where rollouts are of no agent of it.
 */
export function completeCohort(
  source: CohortSource,
  collection: Pick<Collection, 'agents' | 'usualSize'>,
  wanted?: readonly AgentName[],
): Cohort {
  const { agents } = collection;
  const found = (wanted ?? agents).map((name) => ({ name, k: Math.max(1, collection.usualSize(name)) }));
  const parsed = parseCohort(NAME, {
    ...source,
    agents: wanted === undefined ? (source.agents ?? found) : found,
  });
  if (!parsed.ok) {
    throw new CohortError(
      parsed.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'),
    );
  }
  const known = new Set(parsed.cohort.agents.map(({ name }) => name));
  const strangers = agents.filter((name) => !known.has(name));
  if (strangers.length > 0) {
    throw new CohortError(
      `The cohort has no agent ${strangers.join(', ')}, whose rollouts are in the files: name files as AGENT=FILE, or add it to the cohort.`,
    );
  }
  return parsed.cohort;
}

async function fromFile({ config = '', cohort }: CohortOptions): Promise<CohortSource> {
  const { cohorts, problems } = readConfigFile(config, await readFile(config, 'utf8'));
  const [problem] = problems;
  if (problem !== undefined) throw new CohortError(`${problem.source}: ${problem.message}`);
  const names = [...cohorts.keys()];
  const [only] = names;
  const name = cohort ?? (names.length === 1 ? only : undefined);
  const chosen = name === undefined ? undefined : cohorts.get(name);
  if (isRecord(chosen)) return chosen;
  throw new CohortError(
    `${config} has ${names.length === 0 ? 'no cohorts' : `the cohorts ${names.join(', ')}`}: choose one with --cohort.`,
  );
}

/** Own keys only, so that no name reaches a prototype. */
function assign(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const inner = Object.hasOwn(target, key) && isRecord(target[key]) ? { ...target[key] } : {};
  assign(inner, rest, value);
  Object.defineProperty(target, key, { value: inner, enumerable: true, configurable: true, writable: true });
}
