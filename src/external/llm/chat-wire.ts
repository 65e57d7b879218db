import { z } from 'zod';
import type { ChatReply, ChatRequest, Usage } from './chat.ts';

/** What an answer of `POST …/chat/completions` has to hold; whatever else it holds is passed over. */
const replySchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) })
    .nullish()
    .catch(null),
});

/** Characters that make a token at the least, in the texts that such models read. Counts rather too many. */
const CHARACTERS_PER_TOKEN = 3;
/** What chat templates add around a message. */
const TOKENS_PER_MESSAGE = 8;

/** The body of a request. A key of `extra` wins over ours; null there takes ours away. */
export function toChatBody(
  model: string,
  { messages, maxTokens, temperature }: ChatRequest,
  extra: Readonly<Record<string, unknown>>,
): string {
  const body = { model, messages, max_tokens: maxTokens, temperature, stream: false, ...extra };
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)));
}

/** Null for a text that is no such answer. */
export function readChatReply(text: string, request: ChatRequest): ChatReply | null {
  const parsed = replySchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { choices, usage } = parsed.data;
  const [choice] = choices;
  if (choice === undefined) return null;
  const content = (choice.message.content ?? '').toWellFormed();
  return {
    kind: 'reply',
    text: content,
    complete: choice.finish_reason == null || choice.finish_reason === 'stop',
    usage:
      usage == null
        ? estimateUsage(request, content)
        : {
            promptTokens: usage.prompt_tokens,
            completionTokens: usage.completion_tokens,
            estimated: false,
          },
  };
}

/** The message of an error body in the shapes that such endpoints use; else the start of the body. */
export function readErrorMessage(text: string): string {
  const body = parseJson(text);
  const parsed = errorSchema.safeParse(body);
  if (!parsed.success) return text.slice(0, 200);
  const { error, message, detail } = parsed.data;
  return (typeof error === 'string' ? error : error?.message) ?? message ?? detail ?? text.slice(0, 200);
}

const errorSchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string().optional() })]).optional(),
  message: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
});

/** Tokens of a prompt and its answer, counted from characters. */
export function estimateUsage({ messages }: ChatRequest, answer: string): Usage {
  const promptTokens = messages.reduce((sum, { content }) => sum + TOKENS_PER_MESSAGE + tokensOf(content), 0);
  return { promptTokens, completionTokens: tokensOf(answer), estimated: true };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
