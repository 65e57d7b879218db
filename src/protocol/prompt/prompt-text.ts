import { createHash } from 'node:crypto';
import { findUserMessage } from './chat-templates.ts';

/**
 * The problem in a prompt: its last user message without the chat template, each run of white space as one
 * space. A prompt of an unknown template, or without a user message, is taken whole.
 *
 * A system prompt that the template folds into the user's message (Gemma, Mistral since v3) cannot be told
 * from the problem and stays.
 */
export function userText(prompt: string): string {
  return tidy(findUserMessage(prompt) ?? '') || tidy(prompt);
}

/** What a judge is shown of a prompt: its last user message, with its lines; null for a blank one. */
export function problemText(prompt: string | null | undefined): string | null {
  if (prompt == null) return null;
  return ((findUserMessage(prompt) ?? '').trim() || prompt.trim()).toWellFormed() || null;
}

/**
 * The prompt id of a prompt that came without one: the same for agents of different families that see the
 * same problem, with the same images by name. Only 64 bits of a hash: an id from the data set is better.
 */
export function promptIdOf(prompt: string, images: readonly string[] = []): string {
  const whole = [userText(prompt), ...images].join('\u0000');
  return `text-${createHash('sha256').update(whole).digest('hex').slice(0, 16)}`;
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toWellFormed();
}
