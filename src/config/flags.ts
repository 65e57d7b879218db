import type { z } from 'zod';
import { codeConfigSchema } from './code-schema.ts';
import { coerceText } from './coerce.ts';
import { cohortConfigSchema } from './cohort-schema.ts';
import { judgeConfigSchema } from './judge-schema.ts';
import type { ConfigProblem, Layer } from './layer.ts';
import { redisConfigSchema } from './redis-schema.ts';
import { isSection, SETTINGS, type SettingsSection, serverConfigSchema } from './schema.ts';

/** A flag of `peervote serve`, as the command line declares and the documentation lists it. */
export interface ServeFlag {
  /** As typed: `--deadline-ms`. */
  readonly flag: string;
  /** Its property in the parsed options: `deadlineMs`. */
  readonly attribute: string;
  /** How help shows the value: `<ms>`. */
  readonly argument: string;
  /** May be given several times; its values add up, and each may be a comma-separated list. */
  readonly repeatable: boolean;
  readonly description: string;
  /** What it sets. `name` and `file` choose where to and where from, and set nothing themselves. */
  readonly sets:
    | { readonly section: SettingsSection | 'cohort'; readonly key: string; readonly subkey?: string }
    | { readonly section: 'name' | 'file' };
}

/** Parsed options by {@link ServeFlag.attribute}: texts, or lists of texts for a repeatable flag. */
export type FlagValues = Readonly<Record<string, string | readonly string[] | undefined>>;

const DEFAULT_COHORT = 'default';

/** Whoever lists processes sees their flags. */
const SECRETS: ReadonlySet<string> = new Set(['tokens']);

/** Every flag of `peervote serve` that is a setting. Descriptions are those of the settings. */
export const SERVE_FLAGS: readonly ServeFlag[] = [
  declare('--config', '<file>', { section: 'file' }, 'Configuration file, YAML or JSON.'),
  ...Object.entries(serverConfigSchema.shape)
    .filter(([key]) => !SECRETS.has(key))
    .map(([key, schema]) => ({
      ...declare(
        `--${kebab(key)
          .replace('-bytes', '')
          .replace(/-hosts$/, '-host')}`,
        placeholder(key),
        { section: 'server', key },
        textOf(schema),
      ),
      repeatable: key === 'allowed_hosts',
    })),
  ...Object.entries(redisConfigSchema.shape).map(([key, schema]) =>
    declare(
      key === 'url' ? '--redis' : `--redis-${kebab(key)}`,
      placeholder(key),
      { section: 'redis', key },
      textOf(schema),
    ),
  ),
  ...Object.entries(judgeConfigSchema.shape).map(([key, schema]) =>
    declare(`--judge-${kebab(key)}`, placeholder(key), { section: 'judge', key }, textOf(schema)),
  ),
  ...Object.entries(codeConfigSchema.shape).map(([key, schema]) =>
    declare(
      key === 'sandbox_url' ? '--sandbox-url' : `--code-${kebab(key).replace('-bytes', '')}`,
      placeholder(key),
      { section: 'code', key },
      textOf(schema),
    ),
  ),
  declare(
    '--cohort',
    '<name>',
    { section: 'name' },
    `Name of the cohort that the flags below make, or change if the file has it. Default: ${DEFAULT_COHORT}.`,
  ),
  {
    ...declareCohort('agents', '<names>'),
    repeatable: true,
    description: 'Names of the agents in ring order, separated by commas; may be repeated. Makes a cohort.',
  },
  declareCohort('k', '<rollouts>'),
  declareCohort('method', '<method>'),
  declareCohort('supervision', '<kind>'),
  declareCohort('ring', '<direction>'),
  declareAnswers('mode', '<mode>'),
  declareAnswers('reasoning', '<who>'),
  declareAnswers('fallback', '<what>'),
  declareCohort('barrier', '<barrier>'),
  declareCohort('max_staleness', '<rounds>'),
  declareCohort('deadline_ms', '<ms>'),
  declareCohort('quorum', '<rollouts>'),
  declareCohort('grace_ms', '<ms>'),
];

/** What flags set: a layer, the file they name, and the one cohort that they make or change. */
export interface FlagLayer extends Layer {
  readonly file: string | null;
  /** Null when no flag is about a cohort. `makes` is false without `--agents`: it can only change one. */
  readonly cohort: {
    readonly name: string;
    readonly makes: boolean;
    readonly flags: readonly string[];
  } | null;
}

/** Turns parsed command-line options into configuration. Values are not checked yet. */
export function configFromFlags(values: FlagValues): FlagLayer {
  const problems: ConfigProblem[] = [];
  const settings: Record<SettingsSection, Record<string, unknown>> = {
    server: {},
    redis: {},
    judge: {},
    code: {},
  };
  const cohort: Record<string, unknown> = {};
  const used: string[] = [];
  for (const [attribute, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const declared = SERVE_FLAGS.find((flag) => flag.attribute === attribute);
    if (declared === undefined) {
      problems.push({ source: `--${kebab(attribute)}`, path: '', message: 'unknown flag' });
      continue;
    }
    const { sets } = declared;
    if (!('key' in sets)) continue;
    const content = read(declared, value);
    if (sets.section !== 'cohort') {
      settings[sets.section][sets.key] = content;
      continue;
    }
    cohort[sets.key] =
      sets.subkey === undefined ? content : { ...asObject(cohort[sets.key]), [sets.subkey]: content };
    used.push(declared.flag);
  }
  const name = lastText(values.cohort);
  const named = name ?? DEFAULT_COHORT;
  if (used.length === 0 && name !== null) used.push('--cohort');
  return {
    ...settings,
    cohorts: Object.keys(cohort).length > 0 ? new Map([[named, cohort]]) : new Map(),
    problems,
    sourceOf: ([section, ...rest]) => flagOf(isSection(section) ? section : 'cohort', rest),
    file: lastText(values.config),
    cohort: used.length === 0 ? null : { name: named, makes: cohort.agents !== undefined, flags: used },
  };
}

/** The flag behind `server.<key>` or `cohorts.<name>.<key>`; the cohort as such came from `--cohort`. */
function flagOf(section: SettingsSection | 'cohort', rest: readonly PropertyKey[]): string {
  const [key, subkey] = section === 'cohort' ? rest.slice(1) : rest;
  const found = SERVE_FLAGS.find(
    ({ sets }) =>
      sets.section === section &&
      'key' in sets &&
      sets.key === key &&
      (sets.subkey === undefined || subkey === undefined || sets.subkey === subkey),
  );
  return found?.flag ?? (section === 'cohort' && key === undefined ? '--cohort' : 'the flags');
}

function read(declared: ServeFlag, value: string | readonly string[]): unknown {
  if (declared.repeatable) {
    const texts = typeof value === 'string' ? [value] : value;
    const listed = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
    return declared.sets.section === 'server' ? listed.join() : listed;
  }
  const text = lastText(value) ?? '';
  const schema = schemaOf(declared);
  return schema === undefined ? text : coerceText(schema, text);
}

function schemaOf({ sets }: ServeFlag): z.core.$ZodType | undefined {
  if (!('key' in sets)) return undefined;
  const shape: Readonly<Record<string, z.core.$ZodType>> =
    sets.section === 'cohort' ? cohortConfigSchema.shape : SETTINGS[sets.section].shape;
  return sets.subkey === undefined ? shape[sets.key] : undefined;
}

/** The last of several wins, as on any command line. */
function lastText(value: string | readonly string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : (value.at(-1) ?? null);
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function declareAnswers(subkey: 'mode' | 'reasoning' | 'fallback', argument: string): ServeFlag {
  const { shape } = cohortConfigSchema.shape.answers.def.innerType;
  return declare(
    `--${subkey}`,
    argument,
    { section: 'cohort', key: 'answers', subkey },
    textOf(shape[subkey]),
  );
}

function declareCohort(key: keyof typeof cohortConfigSchema.shape, argument: string): ServeFlag {
  return declare(
    `--${kebab(key)}`,
    argument,
    { section: 'cohort', key },
    textOf(cohortConfigSchema.shape[key]),
  );
}

function declare(flag: string, argument: string, sets: ServeFlag['sets'], description: string): ServeFlag {
  const attribute = flag.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { flag, attribute, argument, repeatable: false, description, sets };
}

function textOf(schema: z.ZodType): string {
  return schema.description ?? '';
}

function placeholder(key: string): string {
  if (key.endsWith('_ms')) return '<ms>';
  if (key.endsWith('_bytes')) return '<bytes>';
  if (key.endsWith('_file')) return '<file>';
  if (key === 'open_access') return '[true|false]';
  const special = {
    host: '<address>',
    allowed_hosts: '<names>',
    port: '<port>',
    metrics_port: '<port>',
    log_level: '<level>',
    url: '<url>',
    prefix: '<text>',
    model: '<name>',
    api_key_env: '<variable>',
    extra_body: '<json>',
    sandbox_url: '<url>',
    integral_floats: '<rule>',
  };
  return (special as Readonly<Record<string, string>>)[key] ?? '<count>';
}

function kebab(name: string): string {
  return name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
