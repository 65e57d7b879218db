import { z } from 'zod';
import { EXTRACTION_MODES } from '../../answers/modes.ts';
import type { BudgetLimits } from '../../external/llm/budget.ts';
import { chatUrl } from '../../external/llm/chat-client.ts';

const LIMITS = /^(requests|tokens|cost)=(\d{1,15}(?:\.\d{1,9})?)$/;

function count(name: string, most: number) {
  const error = `${name} is a whole number from 1 to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(1, { error }).max(most, { error });
}

function within(name: string, least: number, most: number) {
  const error = `${name} is from ${least} to ${most}`;
  return z.coerce.number({ error }).min(least, { error }).max(most, { error });
}

function price(name: string) {
  const error = `${name} is the price of a million tokens, such as 0.5`;
  return z.coerce.number({ error }).min(0, { error }).max(1_000_000, { error });
}

/** What `peervote rephrase` is told by its flags. Issues are sentences for a terminal. */
export const settingsSchema = z
  .object({
    url: z
      .string({ error: '--url is missing: where the endpoint is, as in http://host:8000/v1' })
      .refine(isChatUrl, { error: '--url is an http(s) URL, as in http://host:8000/v1' }),
    model: z.string({ error: '--model is missing: the model that rephrases' }).min(1),
    apiKeyEnv: z.string().optional(),
    apiKeyFile: z.string().optional(),
    field: z.string().min(1).optional(),
    idField: z.string().min(1).optional(),
    concurrency: count('--concurrency', 1_000).default(8),
    attempts: count('--attempts', 100).default(3),
    temperature: within('--temperature', 0, 2).default(0.7),
    maxReplyTokens: count('--max-reply-tokens', 1_000_000).default(4_096),
    timeoutMs: count('--timeout-ms', 3_600_000).default(120_000),
    budget: z.string().transform(readLimits).optional(),
    priceIn: price('--price-in').default(0),
    priceOut: price('--price-out').default(0),
    verify: z.boolean().default(false),
    mode: z.enum(EXTRACTION_MODES).default('boxed'),
    extraBody: z.string().transform(readObject).optional(),
    force: z.boolean().default(false),
  })
  .refine(({ budget, priceIn, priceOut }) => budget?.cost == null || priceIn + priceOut > 0, {
    error: 'a budget of cost needs --price-in and --price-out',
  });

export type Settings = z.output<typeof settingsSchema>;

function isChatUrl(url: string): boolean {
  try {
    chatUrl(url);
    return true;
  } catch {
    return false;
  }
}

/** `requests=1000,tokens=2000000,cost=5`: any of the three. */
function readLimits(text: string, context: z.core.$RefinementCtx): BudgetLimits {
  const limits: Record<string, number | null> = { requests: null, tokens: null, cost: null };
  for (const part of text.split(',')) {
    const [, name, value] = LIMITS.exec(part.trim()) ?? [];
    if (name === undefined) {
      context.addIssue('--budget is a list such as requests=1000,tokens=2000000,cost=5');
      return z.NEVER;
    }
    limits[name] = Number(value);
  }
  return { requests: limits.requests ?? null, tokens: limits.tokens ?? null, cost: limits.cost ?? null };
}

function readObject(text: string, context: z.core.$RefinementCtx): Readonly<Record<string, unknown>> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    context.addIssue('--extra-body is a JSON object');
    return z.NEVER;
  }
}
