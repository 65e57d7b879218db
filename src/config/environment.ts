import { coerceText } from './coerce.ts';
import type { ConfigProblem, Layer } from './layer.ts';
import { isSection, SETTINGS, type SettingsSection } from './schema.ts';

const PREFIX = 'PEERVOTE_';

/** Names the configuration file, as `--config` does. */
export const CONFIG_FILE_VARIABLE = `${PREFIX}CONFIG`;

/**
 * Those that the Python client reads. A server that is started in the shell of a trainer finds them too; they set nothing
 * here, but stay apart from a name that is misspelled.
 */
export const CLIENT_VARIABLES: ReadonlySet<string> = new Set(
  ['URL', 'COHORT', 'AGENT', 'INCARNATION', 'TOKEN', 'TRUST_ENV'].map((name) => `${PREFIX}${name}`),
);

/** Environment by name, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Kubernetes gives every pod such variables for each Service of its namespace, so a Service called
 * `peervote` must not be mistaken for settings.
 */
const SERVICE_LINK_NAME = /_SERVICE_HOST$|_SERVICE_PORT(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const SERVICE_LINK_PORT = /^(tcp|udp|sctp):\/\//;

/** `PEERVOTE_SERVER_PORT` for `server.port`. */
export function variableOf(section: SettingsSection, key: string): string {
  return `${PREFIX}${section}_${key}`.toUpperCase();
}

/** Reads every `PEERVOTE_*` variable but the client's; an empty one counts as unset, an unknown one is a problem. */
export function configFromEnvironment(env: Environment): Layer {
  const fields = new Map(
    (Object.keys(SETTINGS) as SettingsSection[]).flatMap((section) =>
      Object.entries(SETTINGS[section].shape).map(
        ([key, schema]) => [variableOf(section, key), { section, key, schema }] as const,
      ),
    ),
  );
  const sections: Record<SettingsSection, Record<string, unknown>> = {
    server: {},
    redis: {},
    judge: {},
    code: {},
  };
  const problems: ConfigProblem[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || text === undefined || text === '' || isServiceLink(name, text)) continue;
    const field = fields.get(name);
    if (field !== undefined) sections[field.section][field.key] = coerceText(field.schema, text);
    else if (name !== CONFIG_FILE_VARIABLE && !CLIENT_VARIABLES.has(name))
      problems.push(unknownVariable(name, [...fields.keys()]));
  }
  return {
    ...sections,
    cohorts: new Map(),
    problems,
    sourceOf: ([section, key]) => variableOf(isSection(section) ? section : 'server', String(key)),
  };
}

function isServiceLink(name: string, text: string): boolean {
  return SERVICE_LINK_NAME.test(name) || (name.endsWith('_PORT') && SERVICE_LINK_PORT.test(text));
}

function unknownVariable(name: string, known: readonly string[]): ConfigProblem {
  const names = [CONFIG_FILE_VARIABLE, ...known].join(', ');
  return {
    source: name,
    path: '',
    message: `unknown variable; the known ones are ${names} (cohorts are set in a file or by flags)`,
  };
}
