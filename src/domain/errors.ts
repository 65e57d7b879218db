/** Every error a caller can get. Stable: trainers and dashboards match on these. */
export const ERROR_CODES = [
  'malformed_http',
  'headers_too_large',
  'expectation_failed',
  'upload_timeout',
  'invalid_json',
  'non_finite_number',
  'invalid_request',
  'unsupported_media_type',
  'body_too_large',
  'unauthorized',
  'forbidden',
  'cross_site',
  'host_not_allowed',
  'too_many_requests',
  'not_found',
  'method_not_allowed',
  'unknown_cohort',
  'unknown_agent',
  'unknown_submission',
  'unknown_bucket',
  'unknown_prompt',
  'invalid_cohort',
  'cohort_in_use',
  'too_many_cohorts',
  'not_adaptive',
  'plan_busy',
  'too_many_rollouts',
  'too_many_rounds',
  'ground_truth_required',
  'invalid_signals',
  'rollout_conflict',
  'ground_truth_conflict',
  'stale_incarnation',
  'too_many_open_buckets',
  'too_many_held_requests',
  'judge_busy',
  'not_decided_yet',
  'sandbox_busy',
  'sandbox_unavailable',
  'draining',
  'store_unavailable',
  'unreadable_data',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * The one error that crosses layers. `message` is shown to the caller: a sentence that says what to do.
 * `details` are machine-readable and shown too; `cause` goes to the log only.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Whether an error says that something in the store is of another version, or not of ours: it stays as it is. */
export function isUnreadable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'unreadable_data';
}
