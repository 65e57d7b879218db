import type { Path } from './problems.ts';

/** Something wrong with the configuration, and where it was set. */
export interface ConfigProblem {
  /** `--port`, `PEERVOTE_SERVER_PORT` or `cohorts.yaml:12`. */
  readonly source: string;
  /** As in `cohorts.math.agents[1].k`; empty where the source says it all. */
  readonly path: string;
  readonly message: string;
}

/** What one place (flags, environment, file) sets, as read and not yet checked. */
export interface Layer {
  readonly server: Readonly<Record<string, unknown>>;
  readonly redis: Readonly<Record<string, unknown>>;
  readonly judge: Readonly<Record<string, unknown>>;
  readonly code: Readonly<Record<string, unknown>>;
  readonly cohorts: ReadonlyMap<string, unknown>;
  /** What could not even be read. */
  readonly problems: readonly ConfigProblem[];
  /** Names the place that set the value at a path from the root, or the nearest one around it. */
  readonly sourceOf: (path: Path) => string;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Prints problems for a terminal: a heading, then one line each. Empty for none. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  if (problems.length === 0) return '';
  const heading =
    problems.length === 1
      ? 'The configuration has a problem:'
      : `The configuration has ${problems.length} problems:`;
  const lines = problems.map(({ source, path, message }) =>
    path === '' ? `  ${source}: ${message}` : `  ${source}: ${path}: ${message}`,
  );
  return [heading, ...lines].join('\n');
}
