import { findEndOfText } from './end-tokens.ts';
import { findPromptEnd } from './prompt-overlap.ts';

/**
 * The response in an OpenRLHF `query`, which is prompt and response decoded together: without the prompt,
 * and without the special tokens and white space at its end.
 *
 * `null` when the prompt cannot be told apart. Such a rollout has no answer: prompts often say
 * "put your answer in \boxed{}", and that must not be taken for one. For the same reason a blank prompt
 * gives `null`, whatever the query: nothing then says where the response begins.
 */
export function stripPrompt(query: string, prompt: string): string | null {
  if (prompt.trim() === '') return null;
  const start = query.startsWith(prompt) ? prompt.length : findPromptEnd(query, prompt);
  return start === null ? null : query.slice(start, findEndOfText(query, start));
}
