import type { Cohort } from '../domain/cohort.ts';
import { checkAccess } from './access-rules.ts';
import { readApiKey } from './api-key.ts';
import { type CodeConfig, toCodeConfig } from './code-schema.ts';
import { readConfigFile, unreadable } from './config-file.ts';
import { CONFIG_FILE_VARIABLE, configFromEnvironment, type Environment } from './environment.ts';
import { configFromFlags, type FlagLayer, type FlagValues } from './flags.ts';
import { type JudgeConfig, judgeConfigSchema, toJudgeConfig } from './judge-schema.ts';
import { type ConfigProblem, isRecord, type Layer } from './layer.ts';
import { checkCohort } from './parse-cohort.ts';
import { formatPath, type Issue, toQuietIssues } from './problems.ts';
import { type RedisConfig, redisConfigSchema, toRedisConfig } from './redis-schema.ts';
import { loadRedisTls } from './redis-tls.ts';
import {
  type Config,
  SECRET_SETTINGS,
  SETTINGS,
  type ServerConfig,
  type SettingsSection,
  serverConfigSchema,
  toServerConfig,
} from './schema.ts';

export interface LoadInput {
  readonly flags: FlagValues;
  readonly env: Environment;
  /** Text of a file; throws where it cannot be read. */
  readonly readFile: (path: string) => string;
}

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * The configuration from flags, environment, file and defaults, the former before the latter. All problems
 * are reported at once, each with the place that set the value.
 */
export function loadConfig({ flags, env, readFile }: LoadInput): LoadedConfig {
  const flagLayer = configFromFlags(flags);
  const envLayer = configFromEnvironment(env);
  const fileLayer = readFileLayer(flagLayer.file, env[CONFIG_FILE_VARIABLE] ?? '', readFile);
  const layers = [flagLayer, envLayer, fileLayer];

  const redis = loadRedis(layers, readFile);
  const judge = loadJudge(layers, env, readFile);
  const code = loadCode(layers);
  const server = loadServer(layers);
  const cohorts = loadCohorts(flagLayer, fileLayer);
  const problems = [
    ...layers.flatMap((layer) => layer.problems),
    ...server.problems,
    ...redis.problems,
    ...judge.problems,
    ...code.problems,
    ...cohorts.problems,
  ];
  if (server.value !== null && cohorts.value.length > server.value.maxCohorts) {
    const message = `there are ${cohorts.value.length} cohorts in the configuration, more than max_cohorts (${server.value.maxCohorts})`;
    problems.push(
      problemAt(setter(layers, 'server', 'max_cohorts'), { path: ['server', 'max_cohorts'], message }),
    );
  }
  if (problems.length > 0 || server.value === null || code.value === null) {
    return { ok: false, problems };
  }
  return {
    ok: true,
    config: {
      server: server.value,
      redis: redis.value,
      judge: judge.value,
      code: code.value,
      cohorts: cohorts.value,
    },
  };
}

function readFileLayer(fromFlag: string | null, fromEnv: string, readFile: LoadInput['readFile']): Layer {
  const path = fromFlag ?? fromEnv;
  if (fromFlag === null && path === '') return unreadable('', []);
  try {
    return readConfigFile(path, readFile(path));
  } catch (error) {
    const source = fromFlag === null ? CONFIG_FILE_VARIABLE : '--config';
    const cause = error instanceof Error ? error.message : String(error);
    return unreadable(path, [{ source, path: '', message: `cannot read "${path}": ${cause}` }]);
  }
}

function loadServer(layers: readonly Layer[]): {
  readonly value: ServerConfig | null;
  readonly problems: readonly ConfigProblem[];
} {
  const problems = problemsOf(layers, 'server');
  const merged = merge(layers, 'server');
  const replicas = serverConfigSchema.shape.replicas.safeParse(merged.replicas);
  const isShared = merge(layers, 'redis').url !== undefined;
  if (replicas.success && replicas.data > 1 && !isShared) {
    const message = `more than one replica needs --redis, since the embedded store is the memory of one process; got ${replicas.data}`;
    problems.push(problemAt(setter(layers, 'server', 'replicas'), { path: ['server', 'replicas'], message }));
  }
  const parsed = serverConfigSchema.safeParse(merged);
  if (parsed.success) {
    problems.push(
      ...checkAccess(parsed.data).map(([key, message]) =>
        problemAt(setter(layers, 'server', key), { path: ['server', key], message }),
      ),
    );
  }
  return { value: parsed.success ? toServerConfig(parsed.data) : null, problems };
}

/** `value` is null without a URL, or when something is wrong. */
function loadRedis(
  layers: readonly Layer[],
  readFile: LoadInput['readFile'],
): {
  readonly value: RedisConfig | null;
  readonly problems: readonly ConfigProblem[];
} {
  const problems = problemsOf(layers, 'redis');
  const merged = merge(layers, 'redis');
  if (merged.url === undefined) {
    for (const key of Object.keys(merged)) {
      const message = 'nothing reads it without a Redis: give its URL too';
      problems.push(problemAt(setter(layers, 'redis', key), { path: ['redis', key], message }));
    }
  }
  const { tls, issues } = loadRedisTls(merged, readFile);
  problems.push(...issues.map((issue) => problemAt(setter(layers, 'redis', String(issue.path[1])), issue)));
  const parsed = redisConfigSchema.safeParse(merged);
  return { value: parsed.success ? toRedisConfig(parsed.data, tls) : null, problems };
}

/** `value` is null without a URL, or when something is wrong. */
function loadJudge(
  layers: readonly Layer[],
  env: Environment,
  readFile: LoadInput['readFile'],
): { readonly value: JudgeConfig | null; readonly problems: readonly ConfigProblem[] } {
  const problems = problemsOf(layers, 'judge');
  const merged = merge(layers, 'judge');
  const add = (key: string, message: string) =>
    problems.push(problemAt(setter(layers, 'judge', key), { path: ['judge', key], message }));
  if (merged.url === undefined) {
    for (const key of Object.keys(merged)) add(key, 'nothing reads it without a judge: give its URL too');
  } else if (merged.model === undefined) {
    add('url', 'the judge needs a model too');
  }
  const read = readApiKey(merged, env, readFile);
  if (read.kind === 'problem') add(read.setting, read.message);
  const parsed = judgeConfigSchema.safeParse(merged);
  const isSound = parsed.success && read.kind === 'key';
  return { value: isSound ? toJudgeConfig(parsed.data, read.key) : null, problems };
}

function loadCode(layers: readonly Layer[]): {
  readonly value: CodeConfig | null;
  readonly problems: readonly ConfigProblem[];
} {
  const parsed = SETTINGS.code.safeParse(merge(layers, 'code'));
  return { value: parsed.success ? toCodeConfig(parsed.data) : null, problems: problemsOf(layers, 'code') };
}

/** What is wrong with a section in each place that sets something of it. */
function problemsOf(layers: readonly Layer[], section: SettingsSection): ConfigProblem[] {
  return layers.flatMap((layer) => {
    const parsed = SETTINGS[section].safeParse(layer[section]);
    if (parsed.success) return [];
    return toQuietIssues(parsed.error.issues, layer[section], SECRET_SETTINGS[section]).map((issue) =>
      problemAt(layer, { ...issue, path: [section, ...issue.path] }),
    );
  });
}

/** The section as the former places before the latter say. */
function merge(layers: readonly Layer[], section: SettingsSection): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...layers.map((layer) => layer[section]).reverse());
}

function loadCohorts(
  flags: FlagLayer,
  file: Layer,
): { readonly value: readonly Cohort[]; readonly problems: readonly ConfigProblem[] } {
  const value: Cohort[] = [];
  const problems: ConfigProblem[] = [];
  for (const [name, raw] of mergeCohorts(flags, file)) {
    const checked = checkCohort(name, raw);
    if (checked.ok) {
      value.push(checked.cohort);
      continue;
    }
    for (const issue of checked.issues) {
      const layer = isSetByFlag(flags, file, name, issue) ? flags : file;
      problems.push(problemAt(layer, { ...issue, path: ['cohorts', name, ...issue.path] }));
    }
  }
  const { cohort } = flags;
  // A file that could not be read may well have the cohort.
  const isMissing = cohort !== null && !cohort.makes && !file.cohorts.has(cohort.name);
  if (isMissing && file.problems.length === 0) {
    const message = `needs --agents to make a cohort, since the file has no cohort "${cohort.name}" to change`;
    problems.push(...cohort.flags.map((source) => ({ source, path: '', message })));
  }
  return { value, problems };
}

/** The file's cohorts, and what flags change or add; flags without `--agents` make none. */
function mergeCohorts(flags: FlagLayer, file: Layer): ReadonlyMap<string, unknown> {
  const merged = new Map(file.cohorts);
  for (const [name, changes] of flags.cohorts) {
    const base = file.cohorts.get(name);
    if (base === undefined && flags.cohort?.makes === true) merged.set(name, changes);
    else if (isRecord(base) && isRecord(changes)) merged.set(name, mergeCohort(base, changes));
  }
  return merged;
}

/** Later values win; in an object such as `answers` only the keys that are given. */
function mergeCohort(
  base: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(changes)) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? { ...before, ...value } : value;
  }
  return merged;
}

function isSetByFlag(flags: FlagLayer, file: Layer, name: string, { path }: Issue): boolean {
  if (!file.cohorts.has(name)) return true;
  const changes = flags.cohorts.get(name);
  return isRecord(changes) && path[0] !== undefined && Object.hasOwn(changes, path[0]);
}

function setter(layers: readonly Layer[], section: SettingsSection, key: string): Layer {
  const found = layers.find((layer) => Object.hasOwn(layer[section], key));
  return found ?? unreadable('the default', []);
}

function problemAt(layer: Layer, { path, message }: Issue): ConfigProblem {
  return { source: layer.sourceOf(path), path: formatPath(path), message };
}
