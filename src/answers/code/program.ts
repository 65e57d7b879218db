import { detach } from '../detach.ts';
import { findCodeBlock } from '../extraction/code-block.ts';
import { cutReasoning } from '../extraction/reasoning.ts';
import { stripSpecialTokens } from '../extraction/special-tokens.ts';

const PYTHON = /^\{?\.?(python|py)[0-9.]*\b/i;

/** Longest program that is run, in characters. */
const MAX_PROGRAM_LENGTH = 65_536;

/**
 * The program of a completion: its last fenced block of Python, else its last fenced block, else, as in the Co-RL reference,
 * the whole text. Null when there is none, when it is too long to be run, or when the length limit cut it off.
 */
export function extractProgram(completion: string, truncated: boolean): string | null {
  const text = stripSpecialTokens(cutReasoning(completion)).trimEnd();
  const span = findCodeBlock(text, PYTHON) ?? findCodeBlock(text) ?? { start: 0, end: text.length };
  if (truncated && span.end >= text.length) return null;
  const program = text.slice(span.start, span.end).trimEnd();
  return program.trim() === '' || program.length > MAX_PROGRAM_LENGTH ? null : detach(program);
}
