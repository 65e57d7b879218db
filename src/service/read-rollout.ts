import { hash } from 'node:crypto';
import { canonicalKey } from '../answers/canonical-key.ts';
import { detach } from '../answers/detach.ts';
import { extract } from '../answers/extract.ts';
import { opensReasoning } from '../answers/extraction/reasoning.ts';
import type { ExtractionMode, Fallback } from '../answers/modes.ts';
import type { ReasoningPolicy } from '../answers/reasoning-policy.ts';
import { readTruth } from '../answers/truth.ts';
import type { NewRollout } from '../domain/arrival.ts';
import type { Truth } from '../domain/bucket.ts';
import type { Cohort } from '../domain/cohort.ts';
import type { Signals } from '../domain/signals.ts';
import { UNPARSED_TRUTH } from '../methods/ground-truth.ts';
import type { GroupInput, RolloutInput } from './submission.ts';

/** Characters of a digest: 96 bits, enough to tell the texts of one group apart for certain. */
const DIGEST_LENGTH = 16;
const MAX_ANSWER_LENGTH = 4096;

/** How the answers of one group are read. */
export interface Reading {
  readonly mode: ExtractionMode;
  readonly pattern: string | null;
  /** Texts of the options A, B, … of a multiple-choice problem; null where they were not sent. */
  readonly choices: readonly string[] | null;
  readonly reasoning: ReasoningPolicy;
  readonly fallback: Fallback;
}

/** What a group says of how it is read. */
export type AskedReading = Pick<GroupInput, 'mode' | 'choices' | 'reasoning' | 'prompt' | 'fallback'>;

/** What the group says, else what the cohort says, whose words a schema has checked; last what the prompt shows. */
export function readingOf({ answers }: Pick<Cohort, 'answers'>, group: AskedReading): Reading {
  return {
    mode: modeOf({ answers }, group),
    pattern: answers.pattern,
    choices: group.choices,
    reasoning: group.reasoning ?? (answers.reasoning as ReasoningPolicy | undefined) ?? seenIn(group.prompt),
    fallback: group.fallback ?? (answers.fallback as Fallback | undefined) ?? 'none',
  };
}

/** The group's own mode, else the cohort's, which a schema has checked. */
export function modeOf({ answers }: Pick<Cohort, 'answers'>, { mode }: Pick<GroupInput, 'mode'>) {
  return mode ?? (answers.mode as ExtractionMode);
}

function seenIn(prompt: string | null | undefined): ReasoningPolicy {
  return prompt != null && opensReasoning(prompt) ? 'opened-by-prompt' : 'in-completion';
}

/** The truth of a group as it is kept, and what is wrong with it, as a sentence. */
export interface ReadGroupTruth {
  /** Null: there is none, or none that anything could equal. */
  readonly truth: Truth | null;
  /** Null: it reads as an answer, or none was sent. */
  readonly fault: string | null;
}

export function readGroupTruth(
  { groundTruth, truthFault, choices }: Pick<GroupInput, 'groundTruth' | 'truthFault' | 'choices'>,
  mode: ExtractionMode,
): ReadGroupTruth {
  if (truthFault !== undefined) return { truth: null, fault: notUsed(truthFault) };
  if (groundTruth === null) return { truth: null, fault: null };
  const { text, key, accepted, readable } = readTruth(groundTruth, mode, choices);
  if (key === null) return { truth: null, fault: notUsed('holds no answer') };
  const truth = { text, key, mode, ...(accepted !== undefined && { accepted }) };
  return { truth, fault: readable ? null : UNPARSED_TRUTH };
}

function notUsed(fault: string): string {
  return `The ground truth is not used: it ${fault}.`;
}

/**
 * Takes from a rollout what is kept of it. `fallbackId` names rollouts without id or index; null leaves
 * them anonymous. An answer too long to be one abstains.
 */
export function readRollout(
  input: RolloutInput,
  reading: Reading,
  fallbackId: string | null,
  signals: Signals | null = input.signals ?? null,
): NewRollout {
  const { content, index, tokens, truncated } = input;
  const read = readContent(content, reading, truncated);
  const answer = read !== null && read.length > MAX_ANSWER_LENGTH ? null : read;
  const key = answer === null ? null : canonicalKey(answer, reading.mode);
  return {
    id: input.id ?? (index === null ? fallbackId : `#${index}`),
    index,
    // An answer without a key could win no vote and match nothing: it is none. Two equal texts are kept once.
    answer: key === null || key === answer ? key : answer,
    key,
    digest: digestOf(content.kind === 'given' ? `\u0000${content.answer ?? ''}` : content.text),
    tokens,
    truncated,
    signals,
  };
}

function readContent(
  content: RolloutInput['content'],
  { mode, pattern, choices, reasoning, fallback }: Reading,
  truncated: boolean,
): string | null {
  switch (content.kind) {
    case 'completion':
      return extract(content.text, {
        mode,
        truncated,
        reasoning,
        fallback,
        ...(pattern !== null && { pattern }),
        ...(choices !== null && { choices }),
      });
    case 'given':
      return content.answer?.trim() || null;
    case 'unreadable':
      return null;
  }
}

function digestOf(text: string): string {
  return detach(hash('sha1', text, 'base64url').slice(0, DIGEST_LENGTH));
}
