import { z } from 'zod';
import type { Cohort } from '../domain/cohort.ts';
import { type CodeConfig, codeConfigSchema } from './code-schema.ts';
import { cohortConfigSchema } from './cohort-schema.ts';
import { duration, flag, nameSchema, oneOf, strictObject, wholeNumber, withDefault } from './fields.ts';
import { type JudgeConfig, judgeConfigSchema } from './judge-schema.ts';
import { type RedisConfig, redisConfigSchema } from './redis-schema.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MEBIBYTE = 1_048_576;
/** A body becomes one string, and V8 makes none longer than 512 MiB. */
const MAX_BODY_BYTES = 500 * MEBIBYTE;
const MAX_PORT = 65_535;

const HOSTS_RULE = 'expected host names, separated by commas';
const HOST_RULE = 'expected a host name or an address';
const hostSchema = z.string({ error: HOST_RULE }).regex(/^\S+$/, { error: HOST_RULE });

/** The section `server`, as written. */
export const serverConfigSchema = strictObject({
  host: withDefault(
    hostSchema,
    '127.0.0.1',
    'Address to listen on. `0.0.0.0` or `::` for every interface, which other machines and containers need.',
  ),
  port: withDefault(wholeNumber(0, MAX_PORT), 8080, 'TCP port to listen on; 0 takes a free one.'),
  body_limit_bytes: withDefault(
    wholeNumber(1_024, MAX_BODY_BYTES),
    64 * MEBIBYTE,
    'Longest request body in bytes; a longer one is refused with 413. A step of 64 prompts × 8 rollouts of 8,000 characters is about 4 MB, the default is 64 MiB.',
  ),
  max_wait_ms: duration(
    0,
    3_600_000,
    110_000,
    'Longest slice in milliseconds that a native request is held; a longer `wait` is cut to it, and the client polls on. Stay below the idle timeout of proxies on the way.',
  ),
  openrlhf_hold_ms: duration(
    1_000,
    3_600_000,
    170_000,
    'How long in milliseconds an OpenRLHF request is held before it is answered 503 and retried. OpenRLHF as it comes gives up on a request after 180 s.',
  ),
  slime_hold_ms: duration(
    1_000,
    3_600_000,
    110_000,
    'How long in milliseconds a slime request is held before it is answered 503 and retried. slime gives up on a request after 120 s, the wait for a free connection included.',
  ),
  slime_held_per_agent: withDefault(
    wholeNumber(1, 100_000),
    48,
    'Requests of one agent that are held for slime; those beyond are recorded and answered 503 at once. Below the 64 connections that slime has, so that the rollouts which peers wait for get through.',
  ),
  replicas: withDefault(
    wholeNumber(1, 1_000),
    1,
    'How many server processes share the cohorts. More than one needs a store that they share (`redis.url`); the embedded one is the memory of one process.',
  ),
  log_level: withDefault(oneOf(LOG_LEVELS), 'info', 'Least severe log lines that are written.'),
  keep_alive_timeout_ms: duration(
    1_000,
    3_600_000,
    75_000,
    'Milliseconds that an idle connection stays open; above the idle timeout of a load balancer in front.',
  ),
  upload_timeout_ms: duration(
    1_000,
    3_600_000,
    120_000,
    'Milliseconds within which a request has to arrive in full. Waiting for an answer does not count.',
  ),
  drain_timeout_ms: duration(
    1_000,
    600_000,
    10_000,
    'Milliseconds from SIGTERM until connections that are still open are cut; held requests are answered at once.',
  ),
  tokens_file: z.string({ error: 'expected a path' }).min(1, { error: 'expected a path' }).optional().meta({
    description:
      'File of the tokens that callers must send, YAML or JSON, read again when it changes. docs/security.md has its form. Without it, and without `tokens`, everybody may do everything.',
  }),
  tokens: z.string({ error: 'expected the text of a file of tokens' }).optional().meta({
    description:
      'The same as a text, for an environment variable. It is a secret: there is no flag for it, and it is never shown.',
  }),
  open_access: withDefault(
    flag(),
    false,
    'Says that everybody who reaches the server may submit, read and change cohorts. Needed to listen beyond this machine without tokens.',
  ),
  allowed_hosts: withDefault(
    z.string({ error: HOSTS_RULE }).regex(/^[^\s,]*(\s*,\s*[^\s,]+)*$/, { error: HOSTS_RULE }),
    '',
    'Names that the server answers to without tokens, separated by commas, beside localhost, addresses and names without a dot. Others are refused, so that no web page makes its own name point here.',
  ),
  metrics_port: wholeNumber(0, MAX_PORT).optional().meta({
    description:
      'A port of its own for /metrics, without tokens, on the same address; /metrics is then not served on the main one. 0 takes a free one.',
  }),
  max_connections: withDefault(
    wholeNumber(1, 1_000_000),
    20_000,
    'Connections that may be open at a time; more are closed at once. OpenRLHF opens one for each rollout.',
  ),
  requests_per_second: withDefault(
    wholeNumber(0, 1_000_000),
    0,
    'Requests that one token, or without tokens one address, may send in a second; more get 503 and Retry-After. 0: any number.',
  ),
  max_cohorts: withDefault(
    wholeNumber(1, 100_000),
    1_000,
    'Cohorts that may exist at a time, from the configuration and from PUT together.',
  ),
});

/** Sections of plain settings, which flags and environment variables set too. */
export const SETTINGS = {
  server: serverConfigSchema,
  redis: redisConfigSchema,
  code: codeConfigSchema,
  judge: judgeConfigSchema,
} as const;
export type SettingsSection = keyof typeof SETTINGS;

/** Settings that hold a secret, or that people put one into by mistake: no message shows what they are. */
export const SECRET_SETTINGS: Readonly<Record<SettingsSection, readonly string[]>> = {
  server: ['tokens'],
  redis: ['url'],
  code: ['sandbox_url'],
  judge: ['url', 'api_key_env', 'api_key_file', 'extra_body'],
};

export function isSection(name: PropertyKey | undefined): name is SettingsSection {
  return name !== undefined && Object.hasOwn(SETTINGS, name);
}

/** The whole configuration, as a file holds it. Every section may be absent. */
export const configSchema = strictObject({
  server: serverConfigSchema.prefault({}).meta({ description: 'The process: address, limits, timeouts.' }),
  redis: redisConfigSchema.prefault({}).meta({ description: 'The store that several processes share.' }),
  judge: judgeConfigSchema.prefault({}).meta({ description: 'The language model that scores completions.' }),
  code: codeConfigSchema.prefault({}).meta({ description: 'The sandbox that runs code answers.' }),
  cohorts: z
    .record(nameSchema, cohortConfigSchema, {
      error: 'expected an object that gives each cohort by its name',
    })
    .default({})
    .meta({
      description: 'Cohorts that exist from the start, by name. More can be PUT while the server runs.',
    }),
});

export interface ServerConfig {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly bodyLimitBytes: number;
  /** Longest slice that a native request is held. */
  readonly maxWaitMs: number;
  readonly openrlhfHoldMs: number;
  readonly slimeHoldMs: number;
  readonly slimeHeldPerAgent: number;
  readonly replicas: number;
  readonly logLevel: LogLevel;
  readonly keepAliveTimeoutMs: number;
  /** For receiving a request, not for answering it. */
  readonly uploadTimeoutMs: number;
  /** From SIGTERM until open connections are cut. */
  readonly drainTimeoutMs: number;
  readonly maxCohorts: number;
  readonly tokensFile: string | null;
  /** As written; it holds secrets. */
  readonly tokens: string | null;
  readonly openAccess: boolean;
  /** In lower case. */
  readonly allowedHosts: readonly string[];
  /** Null: /metrics is on the main port. */
  readonly metricsPort: number | null;
  readonly maxConnections: number;
  /** 0: any number. */
  readonly requestsPerSecond: number;
}

/** Everything `peervote serve` runs on. Checked. */
export interface Config {
  readonly server: ServerConfig;
  /** Null: the embedded store. */
  readonly redis: RedisConfig | null;
  /** Null: there is no judge. */
  readonly judge: JudgeConfig | null;
  readonly code: CodeConfig;
  /** Names are unique. */
  readonly cohorts: readonly Cohort[];
}

export function toServerConfig(config: z.output<typeof serverConfigSchema>): ServerConfig {
  return {
    host: config.host,
    port: config.port,
    bodyLimitBytes: config.body_limit_bytes,
    maxWaitMs: config.max_wait_ms,
    openrlhfHoldMs: config.openrlhf_hold_ms,
    slimeHoldMs: config.slime_hold_ms,
    slimeHeldPerAgent: config.slime_held_per_agent,
    replicas: config.replicas,
    logLevel: config.log_level,
    keepAliveTimeoutMs: config.keep_alive_timeout_ms,
    uploadTimeoutMs: config.upload_timeout_ms,
    drainTimeoutMs: config.drain_timeout_ms,
    maxCohorts: config.max_cohorts,
    tokensFile: config.tokens_file ?? null,
    tokens: config.tokens ?? null,
    openAccess: config.open_access,
    allowedHosts: config.allowed_hosts
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
    metricsPort: config.metrics_port ?? null,
    maxConnections: config.max_connections,
    requestsPerSecond: config.requests_per_second,
  };
}
