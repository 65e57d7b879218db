import { z } from 'zod';
import { duration, strictObject, wholeNumber, withDefault } from './fields.ts';
import type { Secret } from './secret.ts';

const URL_RULE = 'expected http://host:port/v1 or https://…, without a password in it';
const MODEL_RULE = 'expected the name of a model, at most 256 characters';
const VARIABLE_RULE = 'expected the name of an environment variable';
const FILE_RULE = 'expected the path of a file';
const EXTRA_RULE = 'expected a JSON object, as text';
const UNLIMITED = 1_000_000_000_000;

/** The section `judge`, as written. */
export const judgeConfigSchema = strictObject({
  url: z
    .string({ error: URL_RULE })
    .regex(/^https?:\/\/[^\s/?#@]+([/?]\S*)?$/, { error: URL_RULE })
    .optional()
    .meta({
      description:
        'The OpenAI-compatible endpoint that cohorts of method `llm-judge` ask, up to `/chat/completions`: `http://host:8000/v1`. Without it there is no judge.',
    }),
  model: z
    .string({ error: MODEL_RULE })
    .regex(/^\S.{0,255}$/, { error: MODEL_RULE })
    .optional()
    .meta({ description: 'The model that judges. Needed with `url`.' }),
  api_key_env: z
    .string({ error: VARIABLE_RULE })
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, { error: VARIABLE_RULE })
    .optional()
    .meta({ description: 'The environment variable that holds the API key. Read once, at the start.' }),
  api_key_file: z.string({ error: FILE_RULE }).min(1, { error: FILE_RULE }).optional().meta({
    description: 'The file that holds the API key and nothing else. Read once, at the start.',
  }),
  timeout_ms: duration(
    100,
    600_000,
    60_000,
    'Milliseconds that one request to the judge may take, from connecting to the last byte.',
  ),
  deadline_ms: duration(
    100,
    3_600_000,
    180_000,
    'Milliseconds that one completion may take to be judged, retries and the waits between them included, counted from its turn. Then it has no score.',
  ),
  hold_ms: duration(
    1_000,
    600_000,
    45_000,
    'Milliseconds that a submission is held for its verdicts. Then it is answered 503, to be sent again; the verdicts are waited for all the same and kept. Stay below what trainers and proxies wait for an answer.',
  ),
  concurrency: withDefault(wholeNumber(1, 1_000), 16, 'Requests to the judge at a time.'),
  max_queued: withDefault(
    wholeNumber(1, 1_000_000),
    4_096,
    'Completions that wait for their turn. Submissions beyond are answered 503, to be sent again.',
  ),
  cache_entries: withDefault(
    wholeNumber(1, 10_000_000),
    100_000,
    'Verdicts that are kept for the same question, at about 200 bytes each.',
  ),
  max_reply_tokens: withDefault(
    wholeNumber(1, 1_000_000),
    1_024,
    "The judge's longest answer in tokens, its reasoning included. An answer that is cut off gives no score.",
  ),
  max_requests: wholeNumber(0, UNLIMITED).optional().meta({
    description:
      'Budget: requests to the judge that this process may send. Then completions have no score. Without it there is no limit.',
  }),
  max_tokens: wholeNumber(0, UNLIMITED).optional().meta({
    description:
      'Budget: tokens that the judge may take for this process, of prompts and answers. Without it there is no limit.',
  }),
  extra_body: z
    .string({ error: EXTRA_RULE })
    .refine((text) => readObject(text) !== null, { error: EXTRA_RULE })
    .optional()
    .meta({
      description:
        'Further keys of the body of each request, as JSON text: `{"chat_template_kwargs": {"enable_thinking": false}}`. A null takes a key of ours away.',
    }),
});

export interface JudgeConfig {
  readonly url: string;
  readonly model: string;
  /** Null: the endpoint wants none. */
  readonly apiKey: Secret | null;
  /** One request. */
  readonly timeoutMs: number;
  /** One completion, from its turn, with all retries. */
  readonly deadlineMs: number;
  /** One submission. */
  readonly holdMs: number;
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly cacheEntries: number;
  readonly maxReplyTokens: number;
  /** Null: without a limit. */
  readonly maxRequests: number | null;
  readonly maxTokens: number | null;
  readonly extraBody: Readonly<Record<string, unknown>>;
}

type Written = z.output<typeof judgeConfigSchema>;

/** Null without a URL and a model: then there is no judge. */
export function toJudgeConfig(config: Written, apiKey: Secret | null): JudgeConfig | null {
  const { url, model } = config;
  if (url === undefined || model === undefined) return null;
  return {
    url,
    model,
    apiKey,
    timeoutMs: config.timeout_ms,
    deadlineMs: config.deadline_ms,
    holdMs: config.hold_ms,
    concurrency: config.concurrency,
    maxQueued: config.max_queued,
    cacheEntries: config.cache_entries,
    maxReplyTokens: config.max_reply_tokens,
    maxRequests: config.max_requests ?? null,
    maxTokens: config.max_tokens ?? null,
    extraBody: readObject(config.extra_body ?? '{}') ?? {},
  };
}

function readObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
