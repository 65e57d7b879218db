import { z } from 'zod';
import { type Plan, plansFor } from './plans.ts';
import type { Source } from './problem.ts';

const replySchema = z.object({
  status: z.literal('decided'),
  groups: z.array(
    z.object({
      status: z.string(),
      reward_source: z.string(),
      rewards: z.array(z.number().nullable()),
      rollouts: z.array(z.object({ reason: z.string().nullable() })),
    }),
  ),
  metrics: z.record(z.string(), z.number().nullable()),
});

/** What came of one method. */
export interface Stop {
  readonly method: string;
  readonly groups: number;
  readonly scored: number;
  readonly unlabeled: number;
  readonly rewards: number;
  readonly mean: number | null;
  /** Rollouts without a reward. */
  readonly nulls: number;
  readonly sources: readonly string[];
  /** Reasons for them, each once. */
  readonly reasons: readonly string[];
}

/** Seconds that a submission waits: all agents of a cohort send at once. */
const WAIT_S = 60;

/** Runs one cohort per method on the server at `url`, all agents at once. Throws on any answer but 200. */
export async function* tour(url: string, source: Source, prefix = 'tour'): AsyncGenerator<Stop> {
  for (const plan of plansFor(source)) {
    const cohort = `${url}/v1/cohorts/${prefix}-${plan.method}`;
    await call('PUT', cohort, plan.config);
    const replies = await Promise.all(
      plan.agents.map((name, at) =>
        call('POST', `${cohort}/agents/${name}/rollouts?wait=${WAIT_S}`, submissionOf(plan, source, at)),
      ),
    );
    yield toStop(
      plan,
      replies.map((reply) => replySchema.parse(reply)),
    );
    await call('DELETE', cohort);
  }
}

function submissionOf({ rolloutsOf }: Plan, { problems }: Source, agent: number) {
  return {
    step: 51,
    groups: problems.map((problem) => ({
      prompt_id: problem.promptId,
      round: problem.round,
      ground_truth: problem.gold,
      rollouts: rolloutsOf(problem, agent),
    })),
  };
}

function toStop({ method }: Plan, replies: readonly z.infer<typeof replySchema>[]): Stop {
  const groups = replies.flatMap((reply) => reply.groups);
  const all = groups.flatMap(({ rewards }) => rewards);
  const rewards = all.filter((reward) => reward !== null);
  const count = (status: string) => groups.filter((group) => group.status === status).length;
  const reasons = groups.flatMap(({ rollouts }) => rollouts.flatMap(({ reason }) => reason ?? []));
  return {
    method,
    groups: groups.length,
    scored: count('scored'),
    unlabeled: count('unlabeled'),
    rewards: rewards.length,
    mean: rewards.length === 0 ? null : rewards.reduce((a, b) => a + b, 0) / rewards.length,
    nulls: all.length - rewards.length,
    sources: [...new Set(groups.map(({ reward_source: from }) => from))].sort(),
    reasons: [...new Set(reasons)].sort(),
  };
}

async function call(method: string, url: string, body?: unknown): Promise<unknown> {
  const reply = await fetch(url, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const text = await reply.text();
  if (!reply.ok || reply.status === 202)
    throw new Error(`${method} ${url}: ${reply.status} ${text.slice(0, 500)}`);
  return text === '' ? null : JSON.parse(text);
}
