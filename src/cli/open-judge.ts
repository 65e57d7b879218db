import type { JudgeConfig } from '../config/judge-schema.ts';
import type { Clock } from '../domain/clock.ts';
import { JudgeAssessor } from '../external/judge/judge-assessor.ts';
import { LlmJudge } from '../external/judge/llm-judge.ts';
import { Budget } from '../external/llm/budget.ts';
import { ChatClient } from '../external/llm/chat-client.ts';
import type { JudgeState, Metrics } from '../observability/metrics.ts';
import type { Assessor } from '../service/assess.ts';

export interface OpenedJudge {
  readonly assessor: Assessor;
  readonly state: () => JudgeState;
  close(): Promise<void>;
}

/** Waits between attempts; a submission is held meanwhile. */
const RETRY = { attempts: 4, baseMs: 500, capMs: 8_000 };
const BREAKER = { failures: 10, openMs: 15_000 };
/** A verdict with its reasoning takes some kilobytes. */
const MAX_RESPONSE_BYTES = 4_194_304;

/** The judge that the configuration asks for. Nothing is sent before there is something to judge. */
export function openJudge(config: JudgeConfig, clock: Clock, metrics: Metrics): OpenedJudge {
  const { url, model, apiKey, extraBody, timeoutMs, deadlineMs, concurrency } = config;
  const client = new ChatClient(
    {
      baseUrl: url,
      model,
      apiKey: apiKey?.reveal() ?? null,
      extraBody,
      timeoutMs,
      deadlineMs,
      concurrency,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      retry: RETRY,
      breaker: BREAKER,
    },
    {
      clock,
      chance: Math.random,
      observe: (outcome, ms) => metrics.observeJudge(outcome, ms / 1_000),
    },
  );
  const { maxReplyTokens: replyTokens, maxQueued, holdMs, cacheEntries } = config;
  const judge = new LlmJudge(
    { model, replyTokens, maxQueued, holdMs, cacheEntries },
    { client, clock, observe: (cohort, source, result) => metrics.judged(cohort, source, result) },
  );
  const budget = new Budget({ requests: config.maxRequests, tokens: config.maxTokens, cost: null });
  return {
    assessor: new JudgeAssessor(judge, budget),
    state: () => ({
      queued: judge.queued,
      requestsLeft: budget.left.requests,
      tokensLeft: budget.left.tokens,
    }),
    close: () => judge.close(),
  };
}
