/** One message of a conversation with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** The longest answer, in tokens. */
  readonly maxTokens: number;
  readonly temperature: number;
}

/** Tokens of one exchange. `estimated`: the endpoint did not say, so they are counted from characters. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly estimated: boolean;
}

/** Why there is no answer. Those of the first line were tried again as often as the rules allow. */
export type FailureCode =
  | ('timeout' | 'network' | 'rate_limited' | 'server_error' | 'bad_reply')
  | ('rejected' | 'too_large' | 'circuit_open' | 'budget_spent' | 'aborted');

export interface ChatReply {
  readonly kind: 'reply';
  readonly text: string;
  /** False: the length limit (or a filter) cut the text, so its end is not the model's own. */
  readonly complete: boolean;
  readonly usage: Usage;
}

export interface ChatFailure {
  readonly kind: 'failed';
  readonly code: FailureCode;
  /** One sentence for people, at most 200 characters, without the API key. */
  readonly message: string;
}

export type ChatOutcome = ChatReply | ChatFailure;

const LONGEST_MESSAGE = 200;

export function failed(code: FailureCode, message: string): ChatFailure {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  const shown = line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE - 1)}…` : line;
  return { kind: 'failed', code, message: shown.toWellFormed() };
}
