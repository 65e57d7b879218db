import { Budget, type Spent } from '../llm/budget.ts';
import type { ChatFailure, ChatMessage, ChatReply } from '../llm/chat.ts';
import type { ChatClient } from '../llm/chat-client.ts';
import { checkRewrite, type RewriteFault } from './check-rewrite.ts';
import { type FailedAttempt, readRewrite, rewriteMessages, solveMessages } from './rewrite-messages.ts';

export interface RephraseRules {
  /** Rewrites of one row at most; each failed one is told what was wrong. */
  readonly attempts: number;
  readonly temperature: number;
  readonly rewriteTokens: number;
  readonly solveTokens: number;
}

/** Compares two solutions by their answers; null: no answers are asked for. */
export type CompareSolutions = (original: string, rewrite: string) => 'same' | 'different' | 'unsolved';

export interface RephraseParts {
  readonly client: ChatClient;
  readonly budget: Budget;
  readonly compare: CompareSolutions | null;
  readonly signal: AbortSignal;
}

/**
 * What became of one row. `listed` is final: the model was asked often enough. `unfinished` is not: the endpoint or the
 * budget failed, and another run may do better.
 */
export type RowResult = { readonly attempts: number; readonly spent: Spent } & (
  | { readonly kind: 'rephrased'; readonly text: string }
  | { readonly kind: 'listed'; readonly faults: readonly RewriteFault[] }
  | { readonly kind: 'unfinished'; readonly code: ChatFailure['code']; readonly message: string }
);

type Ended = { readonly failure: ChatFailure };

const NO_LIMITS = { requests: null, tokens: null, cost: null };

/** Rewrites one problem until a rewrite passes all checks, or there are no attempts left. */
export async function rephraseRow(
  problem: string,
  rules: RephraseRules,
  parts: RephraseParts,
): Promise<RowResult> {
  const row = new RowDialogue(problem, rules, parts);
  let last: FailedAttempt | null = null;
  for (let attempts = 1; ; attempts++) {
    const reply = await row.ask(rewriteMessages(problem, last), rules.rewriteTokens, rules.temperature);
    if (isFailure(reply)) return row.unfinished(reply, attempts);
    const rewrite = reply.complete ? readRewrite(reply.text) : null;
    const faults = rewrite === null ? [noRewrite(reply)] : checkRewrite(problem, rewrite);
    const verified = rewrite !== null && faults.length === 0 ? await row.verify(rewrite) : faults;
    if ('failure' in verified) return row.unfinished(verified.failure, attempts);
    const spent = row.spent;
    if (rewrite !== null && verified.length === 0)
      return { kind: 'rephrased', text: rewrite, attempts, spent };
    if (attempts >= rules.attempts) return { kind: 'listed', faults: verified, attempts, spent };
    last = { reply: reply.text, faults: verified.map(({ message }) => message) };
  }
}

/** The requests for one row, and what they cost together. */
class RowDialogue {
  readonly #problem: string;
  readonly #rules: RephraseRules;
  readonly #parts: RephraseParts;
  readonly #budget = new Budget(NO_LIMITS);
  #solution: string | null = null;

  constructor(problem: string, rules: RephraseRules, parts: RephraseParts) {
    this.#problem = problem;
    this.#rules = rules;
    this.#parts = parts;
  }

  get spent(): Spent {
    return this.#budget.spent;
  }

  ask(messages: readonly ChatMessage[], maxTokens: number, temperature: number) {
    const { client, budget, signal } = this.#parts;
    return client.chat({ messages, maxTokens, temperature }, { budgets: [budget, this.#budget], signal });
  }

  /** What is wrong with the answer of a rewrite; nothing where nobody asked to compare. */
  async verify(rewrite: string): Promise<readonly RewriteFault[] | Ended> {
    const { compare } = this.#parts;
    if (compare === null) return [];
    if (this.#solution === null) {
      const original = await this.#solve(this.#problem);
      if (typeof original !== 'string') return original;
      this.#solution = original;
    }
    const solution = await this.#solve(rewrite);
    if (typeof solution !== 'string') return solution;
    switch (compare(this.#solution, solution)) {
      case 'same':
        return [];
      case 'different':
        return [{ code: 'answer', message: 'Solved, the rewritten problem has another answer.' }];
      case 'unsolved':
        return [
          { code: 'answer', message: 'Solving gave no answer to the original, or none to the rewrite.' },
        ];
    }
  }

  async #solve(problem: string): Promise<string | Ended> {
    const reply = await this.ask(solveMessages(problem), this.#rules.solveTokens, 0);
    if (isFailure(reply)) return { failure: reply };
    return reply.complete ? reply.text : '';
  }

  unfinished({ code, message }: ChatFailure, attempts: number): RowResult {
    return { kind: 'unfinished', code, message, attempts, spent: this.spent };
  }
}

function isFailure(outcome: ChatReply | ChatFailure): outcome is ChatFailure {
  return outcome.kind === 'failed';
}

function noRewrite({ complete }: ChatReply): RewriteFault {
  const message = complete
    ? 'Put the rewritten problem between <rewritten> and </rewritten>.'
    : 'The reply was cut off: write only the rewritten problem between <rewritten> and </rewritten>.';
  return { code: 'no_rewrite', message };
}
