import { z } from 'zod';
import type { ErrorCode, ServiceError } from '../domain/errors.ts';

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later; such answers carry Retry-After. */
  readonly retryable: boolean;
}

/** What each error code means over HTTP. docs/errors.md lists the same, and a test holds both together. */
export const PROBLEMS: Readonly<Record<ErrorCode, ProblemKind>> = {
  malformed_http: { status: 400, title: 'Not a valid HTTP request', retryable: false },
  headers_too_large: { status: 431, title: 'The headers are too large', retryable: false },
  expectation_failed: { status: 417, title: 'Something unknown is expected', retryable: false },
  upload_timeout: { status: 408, title: 'The request did not arrive in time', retryable: true },
  invalid_json: { status: 400, title: 'The body is not JSON', retryable: false },
  non_finite_number: { status: 400, title: 'NaN or Infinity in the body', retryable: false },
  invalid_request: { status: 422, title: 'The request does not have the expected shape', retryable: false },
  unsupported_media_type: { status: 415, title: 'The body is not declared as JSON', retryable: false },
  body_too_large: { status: 413, title: 'The body is too large', retryable: false },
  unauthorized: { status: 401, title: 'A token is wanted', retryable: false },
  forbidden: { status: 403, title: 'The token is not for this', retryable: false },
  cross_site: { status: 403, title: 'Sent for a page of another site', retryable: false },
  host_not_allowed: { status: 403, title: 'Not a name of this server', retryable: false },
  too_many_requests: { status: 503, title: 'Too many requests in one second', retryable: true },
  not_found: { status: 404, title: 'No such path', retryable: false },
  method_not_allowed: { status: 405, title: 'Wrong HTTP method', retryable: false },
  unknown_cohort: { status: 404, title: 'Unknown cohort', retryable: false },
  unknown_agent: { status: 404, title: 'Unknown agent', retryable: false },
  unknown_submission: { status: 404, title: 'Unknown submission', retryable: false },
  unknown_bucket: { status: 404, title: 'Unknown prompt or round', retryable: false },
  unknown_prompt: { status: 422, title: 'No such prompt in the manifest', retryable: false },
  invalid_cohort: { status: 422, title: 'The cohort configuration has errors', retryable: false },
  cohort_in_use: { status: 409, title: 'The cohort is in use with other settings', retryable: false },
  too_many_cohorts: { status: 409, title: 'Too many cohorts', retryable: false },
  not_adaptive: { status: 409, title: 'The cohort does not choose teachers', retryable: false },
  plan_busy: { status: 503, title: 'The plan changes too fast', retryable: true },
  too_many_rollouts: { status: 422, title: 'More rollouts than k', retryable: false },
  too_many_rounds: { status: 422, title: 'Too many rounds of one prompt', retryable: false },
  ground_truth_required: { status: 422, title: 'The method needs the ground truth', retryable: false },
  invalid_signals: { status: 422, title: 'Rollouts came without what the method needs', retryable: false },
  rollout_conflict: { status: 409, title: 'A rollout id came with another text', retryable: false },
  ground_truth_conflict: {
    status: 409,
    title: 'A prompt id came with another ground truth',
    retryable: false,
  },
  stale_incarnation: { status: 409, title: 'A newer incarnation of the agent speaks', retryable: false },
  too_many_open_buckets: { status: 503, title: 'Too many prompts wait', retryable: true },
  too_many_held_requests: { status: 503, title: 'Too many requests are held', retryable: true },
  judge_busy: { status: 503, title: 'The judge has not answered yet', retryable: true },
  not_decided_yet: { status: 503, title: 'The peer is not there yet', retryable: true },
  sandbox_busy: { status: 503, title: 'Too many programs wait', retryable: true },
  sandbox_unavailable: { status: 503, title: 'There is no sandbox to run programs', retryable: true },
  draining: { status: 503, title: 'The server is shutting down', retryable: true },
  store_unavailable: { status: 503, title: 'The store cannot be reached', retryable: true },
  unreadable_data: {
    status: 503,
    title: 'Stored data cannot be read by this version',
    retryable: true,
  },
  internal: { status: 500, title: 'Internal error', retryable: true },
};

/** Seconds that a retryable answer asks the client to wait. */
export const RETRY_AFTER_S = 1;

/** An RFC 9457 problem. `code` is stable; further members depend on it. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: 'URN of the error code.' }),
    title: z.string().meta({ description: 'What kind of error it is; the same for every occurrence.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What happened and what to do about it, as a sentence.' }),
    code: z.string().meta({ description: 'Stable error code; see docs/errors.md.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later.' }),
  })
  .meta({
    id: 'Problem',
    description: 'An error as of RFC 9457.',
    examples: [
      {
        type: 'urn:peervote:error:unknown_agent',
        title: 'Unknown agent',
        status: 404,
        detail: 'Cohort "math" has no agent "qwn". Its agents are qwen, llama.',
        code: 'unknown_agent',
        retryable: false,
        agents: ['qwen', 'llama'],
      },
    ],
  });

export type Problem = z.infer<typeof problemSchema>;

export function toProblem({ code, message, details }: ServiceError): Problem {
  const { status, title, retryable } = PROBLEMS[code];
  return { type: `urn:peervote:error:${code}`, title, status, detail: message, code, retryable, ...details };
}
