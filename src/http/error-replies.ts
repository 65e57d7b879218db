import { problemSchema } from '../protocol/problem.ts';

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
});

/** The errors of every route, for the description. */
export const errorReplies = {
  '4xx': problem('The request cannot be served as it is: `detail` says what to change.'),
  '5xx': problem('Not now: where `retryable` is true, send the same request again after Retry-After.'),
};
