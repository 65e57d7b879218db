import { extractChoice } from './choice/choice.ts';
import { extractQwen } from './compat/qwen-extract.ts';
import { extractVlm } from './compat/vlm.ts';
import { detach } from './detach.ts';
import { findAnswerTag } from './extraction/answer-tag.ts';
import { findBoxes, nextBox, unfinishedBoxAt } from './extraction/boxes.ts';
import { isChoiceClosed, isClosed } from './extraction/closed-answer.ts';
import { blockText, findCodeBlocks, lastBlock } from './extraction/code-block.ts';
import { findGsm8k } from './extraction/gsm8k.ts';
import { findJoinedBoxes } from './extraction/joined-boxes.ts';
import { findLastNumber } from './extraction/last-number.ts';
import { findLooseAnswer } from './extraction/loose-answer.ts';
import { ownWords } from './extraction/own-words.ts';
import { findPattern } from './extraction/regex-answer.ts';
import { findRunOns } from './extraction/run-on.ts';
import type { Span } from './extraction/span.ts';
import { type Candidate, findStatedAnswer } from './extraction/stated-answer.ts';
import { tidyAnswer } from './extraction/tidy-answer.ts';
import type { ExtractionMode, Fallback } from './modes.ts';
import type { ReasoningPolicy } from './reasoning-policy.ts';

export interface ExtractOptions {
  mode: ExtractionMode;
  /** The trainer's length limit cut this completion, so what touches its end may be incomplete. */
  truncated?: boolean;
  /** The texts of the options A, B, … in mode `choice`: an answer may echo one instead of its letter. */
  choices?: readonly string[];
  /** In mode `regex`: the pattern whose last match is the answer, see regex/parse-pattern.ts. */
  pattern?: string;
  /** In mode `auto`, from a text that announces no answer: take the last formula, or the last formula or number. */
  fallback?: Fallback;
  /** Who opened the reasoning before the answer; default `in-completion`. Modes `qwen` and `vlm` do not ask. */
  reasoning?: ReasoningPolicy;
}

/**
 * Takes the answer from a completion; `null` (it abstains) when there is none, never the empty string. Linear. Throws only
 * PatternError, for a pattern in mode `regex` that `compilePattern` refuses.
 */
export function extract(completion: string, options: ExtractOptions): string | null {
  if (options.mode === 'qwen') return own(extractQwen(completion));
  if (options.mode === 'vlm') return own(extractVlm(completion));
  const text = ownWords(completion, options.reasoning).trimEnd();
  if (text.trim() === '') return null;
  const answers = options.mode === 'boxed' ? nextBox(text, 0) : 0;
  if (answers < 0) return null;
  for (const end of findRunOns(text, answers)) {
    const answer = read(text.slice(0, end).trimEnd(), options, false);
    if (answer !== null) return answer;
  }
  return read(text, options, options.truncated === true);
}

function read(text: string, options: ExtractOptions, truncated: boolean): string | null {
  if (options.mode === 'choice') {
    const letter = extractChoice(text, options.choices);
    return letter !== null && truncated && !isChoiceClosed(text, letter, options.choices) ? null : letter;
  }
  const found = findAnswer(text, options);
  if (found === null || (truncated && !isClosed(text, found))) return null;
  return own(isVerbatim(options.mode) ? found.text.trim() : tidyAnswer(found.text));
}

function own(answer: string | null): string | null {
  return answer === null || answer === '' ? null : detach(answer);
}

/** Code and patterns say exactly what the answer is; elsewhere delimiters around it are no part of it. */
function isVerbatim(mode: ExtractionMode): boolean {
  return mode === 'code' || mode === 'regex';
}

function findAnswer(text: string, options: ExtractOptions): Candidate | null {
  switch (options.mode) {
    case 'boxed':
      return findJoinedBoxes(text);
    case 'answer-tag':
      return candidate(text, findAnswerTag(text));
    case 'gsm8k':
      return candidate(text, findGsm8k(text));
    case 'number':
      return inWords(candidate(text, findLastNumber(text)));
    case 'regex':
      return candidate(text, options.pattern === undefined ? null : findPattern(text, options.pattern));
    case 'code':
      return findBlock(text);
    case 'raw':
      return { text, at: 0, end: text.length };
    default:
      return findAnyAnswer(text, options.fallback ?? 'none');
  }
}

/** A box or a final answer in words, the later one; then a tag, a `####` line, an announced answer. */
function findAnyAnswer(text: string, fallback: 'none' | 'formula' | 'last'): Candidate | null {
  const boxes = findBoxes(text);
  const boxed = findJoinedBoxes(text, boxes);
  const final = findStatedAnswer(text, true, boxed === null ? 0 : boxed.end + 1);
  if (boxed !== null) return final ?? boxed;
  const found =
    final ??
    candidate(text, findAnswerTag(text)) ??
    candidate(text, findGsm8k(text)) ??
    findStatedAnswer(text) ??
    (fallback === 'none' ? null : findLooseAnswer(text, fallback === 'last'));
  // A last box that is blank or cut off takes back what stands before it.
  return found !== null && found.at > unfinishedBoxAt(text, boxes) ? found : null;
}

function candidate(text: string, span: Span | null): Candidate | null {
  return span === null ? null : { text: text.slice(span.start, span.end), at: span.start, end: span.end };
}

function findBlock(text: string): Candidate | null {
  const block = lastBlock(findCodeBlocks(text).blocks);
  return block === null ? null : { text: blockText(text, block), at: block.start, end: block.end };
}

function inWords(found: Candidate | null): Candidate | null {
  return found === null ? null : { ...found, inWords: true };
}
