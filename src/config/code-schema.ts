import { z } from 'zod';
import { duration, oneOf, strictObject, wholeNumber, withDefault } from './fields.ts';

const URL_RULE = 'expected http://host or https://host, with a path where needed';
const MEBIBYTE = 1_048_576;

/** The section `code`, as written. */
export const codeConfigSchema = strictObject({
  workers: withDefault(
    wholeNumber(1, 256),
    2,
    'Programs that run at a time. Worker processes of the embedded sandbox start when the first program comes; with `sandbox_url`, also requests at a time.',
  ),
  timeout_ms: duration(
    100,
    600_000,
    4_000,
    'How long in milliseconds one program may run, all its calls or tests together. One that takes longer is killed, with its worker.',
  ),
  memory_mb: withDefault(
    wholeNumber(64, 2_048),
    256,
    'Memory of one Python interpreter in MiB, in the embedded sandbox. A worker has two: one for the program, one for its tests.',
  ),
  output_bytes: withDefault(
    wholeNumber(1_024, 16 * MEBIBYTE),
    65_536,
    'Longest output of one program, all its calls together, in characters. A longer one counts as an error.',
  ),
  queue_programs: withDefault(
    wholeNumber(1, 1_000_000),
    10_000,
    'Programs that may wait; a submission that would make it more is refused with 503 and sent again.',
  ),
  integral_floats: withDefault(
    oneOf(['equal', 'distinct']),
    'equal',
    '`equal`: 3.0 votes as 3, as a test would take it. `distinct`: as the Co-RL reference, where they are two answers. The same on every replica.',
  ),
  sandbox_url: z
    .string({ error: URL_RULE })
    .regex(/^https?:\/\/\S+$/, { error: URL_RULE })
    .optional()
    .meta({
      description:
        'A SandboxFusion-compatible service that runs the programs (`POST {sandbox_url}/run_code`) instead of the embedded sandbox, where their tests stay.',
    }),
});

export interface CodeConfig {
  readonly workers: number;
  /** Of one program, all its calls or tests together. */
  readonly timeoutMs: number;
  /** Of one interpreter. */
  readonly memoryBytes: number;
  /** Of one program, in characters. */
  readonly outputBytes: number;
  readonly queuePrograms: number;
  /** An integral float is the integer that it equals. */
  readonly unify: boolean;
  /** Null: the embedded sandbox. */
  readonly sandboxUrl: string | null;
}

export function toCodeConfig(config: z.output<typeof codeConfigSchema>): CodeConfig {
  return {
    workers: config.workers,
    timeoutMs: config.timeout_ms,
    memoryBytes: config.memory_mb * MEBIBYTE,
    outputBytes: config.output_bytes,
    queuePrograms: config.queue_programs,
    unify: config.integral_floats === 'equal',
    sandboxUrl: config.sandbox_url ?? null,
  };
}
