import { onTestFinished } from 'vitest';
import type { FailureCode } from '../../src/external/llm/chat.ts';
import { ChatClient, type ChatClientOptions } from '../../src/external/llm/chat-client.ts';
import { FakeClock } from './fake-clock.ts';

/** A client of this endpoint that stands still with its clock, and waits half of what it may. */
export function openChatClient(baseUrl: string, overrides: Partial<ChatClientOptions> = {}) {
  const clock = new FakeClock();
  const outcomes: (FailureCode | 'answered')[] = [];
  const client = new ChatClient(
    {
      baseUrl,
      model: 'm',
      apiKey: null,
      extraBody: {},
      timeoutMs: 1_000,
      deadlineMs: 60_000,
      concurrency: 4,
      maxResponseBytes: 100_000,
      retry: { attempts: 3, baseMs: 500, capMs: 8_000 },
      breaker: { failures: 100, openMs: 30_000 },
      ...overrides,
    },
    { clock, chance: () => 0.5, observe: (outcome) => outcomes.push(outcome) },
  );
  onTestFinished(() => client.close());
  return { client, clock, outcomes };
}
