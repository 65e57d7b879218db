import { agentConfigSchema, DEFAULT_VIEW, MAX_K } from './agent-schema.ts';
import { type CohortConfig, cohortConfigSchema } from './cohort-schema.ts';
import { NAME_PATTERN } from './fields.ts';
import { methodOptionsSchema, type OptionsConfig } from './method-options-schema.ts';

/** One entry of `agents`, read as far as it can be; null where it cannot. */
export interface DraftAgent {
  readonly name: string | null;
  readonly k: number | null;
  readonly role: 'learner' | 'teacher' | null;
  readonly view: string | null;
  /** Written as an object, so that its fields have paths of their own. */
  readonly isObject: boolean;
}

/**
 * A cohort that may be wrong in places: what the rules between fields look at, so that they can speak
 * about the fields that are right.
 */
export interface CohortDraft {
  /** Null when there is no list to read. */
  readonly agents: readonly DraftAgent[] | null;
  /** The options of methods that can be read, one by one. */
  readonly options: Partial<OptionsConfig>;
  readonly has: (key: keyof CohortConfig) => boolean;
  /** The checked value, with its default; undefined when it is absent without one, or wrong. */
  readonly get: <Key extends keyof CohortConfig>(key: Key) => CohortConfig[Key] | undefined;
}

/** Reads each field on its own, whatever is wrong with the others. */
export function draftCohort(raw: Readonly<Record<string, unknown>>): CohortDraft {
  const values = new Map<string, unknown>();
  for (const [key, schema] of Object.entries(cohortConfigSchema.shape)) {
    const read = schema.safeParse(raw[key]);
    if (read.success) values.set(key, read.data);
  }
  const commonK = values.get('k');
  return {
    agents: Array.isArray(raw.agents)
      ? raw.agents.map((entry) => draftAgent(entry, isGroupSize(commonK) ? commonK : null))
      : null,
    options: draftOptions(raw.options),
    has: (key) => raw[key] !== undefined,
    // Each value came out of the schema of that very key.
    get: (key) => values.get(key) as CohortConfig[typeof key] | undefined,
  };
}

/** Absent options stay absent: whether one was given matters. */
function draftOptions(raw: unknown): Partial<OptionsConfig> {
  if (typeof raw !== 'object' || raw === null) return {};
  const read = Object.entries(methodOptionsSchema.shape).flatMap(([key, schema]) => {
    const value = schema.safeParse(Object.hasOwn(raw, key) ? Reflect.get(raw, key) : undefined);
    return value.success && value.data !== undefined ? [[key, value.data]] : [];
  });
  return Object.fromEntries(read);
}

function draftAgent(entry: unknown, commonK: number | null): DraftAgent {
  if (typeof entry === 'string') {
    return { name: asName(entry), k: commonK, role: 'learner', view: DEFAULT_VIEW, isObject: false };
  }
  if (typeof entry !== 'object' || entry === null) {
    return { name: null, k: null, role: null, view: null, isObject: false };
  }
  const { name, k, role, view } = entry as Readonly<Record<string, unknown>>;
  const readRole = agentConfigSchema.shape.role.safeParse(role);
  return {
    name: asName(name),
    k: k === undefined ? commonK : isGroupSize(k) ? k : null,
    role: readRole.success ? readRole.data : null,
    view: view === undefined ? DEFAULT_VIEW : asName(view),
    isObject: true,
  };
}

function asName(value: unknown): string | null {
  return typeof value === 'string' && NAME_PATTERN.test(value) ? value : null;
}

function isGroupSize(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_K;
}
