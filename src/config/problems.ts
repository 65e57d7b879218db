import type { z } from 'zod';

/** Where a value is, from the root: keys and list positions. */
export type Path = readonly PropertyKey[];

/** Something wrong with one value: where it is and what was expected there, as words. */
export interface Issue {
  readonly path: Path;
  readonly message: string;
}

const PLAIN_KEY = /^[A-Za-z0-9_-]+$/;
const MAX_SHOWN = 60;

/** `cohorts.math.agents[1].k`; keys that a dot would not delimit are quoted. Empty for the root. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    if (!PLAIN_KEY.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** What zod found in `raw`, one issue per wrong value, each with what was there instead. */
export function toIssues(found: readonly z.core.$ZodIssue[], raw: unknown): readonly Issue[] {
  return found.flatMap((issue) => expandIssue(issue, [], raw));
}

/** The same for settings that are secrets, or may be where they are wrong: nothing is shown of these. */
export function toQuietIssues(
  found: readonly z.core.$ZodIssue[],
  raw: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): readonly Issue[] {
  return found.flatMap((issue) => {
    const [key] = issue.path;
    const isSecret = typeof key === 'string' && secrets.includes(key) && raw[key] !== undefined;
    return isSecret ? [{ path: issue.path, message: issue.message }] : expandIssue(issue, [], raw);
  });
}

/** The value at a path, or undefined where the path leaves the data. */
function valueAt(raw: unknown, path: Path): unknown {
  let value = raw;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** ", got …" for a message, or nothing where the value is absent; long texts are cut. */
export function gotText(value: unknown): string {
  return value === undefined ? '' : `, got ${shownValue(value)}`;
}

/** Objects are named, not shown: one that YAML aliases made may contain itself. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  // A problem is printed where people and logs see it.
  if (value.includes('://') || (value.includes(':') && value.includes('@')))
    return 'a text that is not shown, since it may hold a password';
  return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
}

function expandIssue(issue: z.core.$ZodIssue, prefix: Path, raw: unknown): readonly Issue[] {
  const path = [...prefix, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: issue.message }));
    case 'invalid_key':
      return [{ path, message: `${issue.issues[0]?.message ?? issue.message}${gotText(path.at(-1))}` }];
    case 'invalid_union': {
      const meant = issue.errors.find((branch) => !branch.some(isWrongKind));
      if (meant !== undefined) return meant.flatMap((inner) => expandIssue(inner, path, raw));
      break;
    }
  }
  const value = valueAt(raw, path);
  if (value === undefined) return [{ path, message: `is required: ${issue.message}` }];
  return [{ path, message: `${issue.message}${gotText(value)}` }];
}

/** A union's branch that refuses the value as such was not the one that the writer meant. */
function isWrongKind(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}
