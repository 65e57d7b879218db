import { problemSchema } from '../protocol/problem.ts';

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
});

/** The errors of routes that need nothing but the process, for the description. */
export const clientErrorReplies = {
  '4xx': problem('The request cannot be served as it is: `detail` says what to change.'),
};

/** The errors of every other route. */
export const errorReplies = {
  ...clientErrorReplies,
  '5xx': problem('Not now: where `retryable` is true, send the same request again after Retry-After.'),
};
