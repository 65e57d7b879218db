import { detach } from '../detach.ts';
import { blockText, findCodeBlocks } from '../extraction/code-block.ts';
import { ownWords } from '../extraction/own-words.ts';
import type { ReasoningPolicy } from '../reasoning-policy.ts';

const PYTHON = /^\{?\.?(i?python|py|pycon)[0-9.]*\b/i;
/** A line that only code starts with. */
const CODE_LINE = /^[ \t]*(?:def|class|async def|return|yield)[ \t(:]/m;

/** Longest program that is run, in characters; all blocks that it is chosen from may have twice as many. */
const MAX_PROGRAM_LENGTH = 65_536;
/** Markdown that holds a block, which holds another. */
const MAX_DEPTH = 2;

/** What a program is chosen from, by whoever can read Python and knows what is asked for. */
export interface ProgramSource {
  /**
   * The program where no block defines what is asked for: the last block of Python, else the last block, else, as in the
   * Co-RL reference, the whole text.
   */
  readonly code: string;
  /** Everything that may be the program, the last being the most likely; null where that is `code` alone. */
  readonly blocks: readonly string[] | null;
}

/** Blocks of another language are no programs as a rule; what stands in front of all blocks seldom is one. */
const RANK = { other: 0, lead: 1, unnamed: 2, python: 2 } as const;

interface Candidate {
  readonly text: string;
  readonly kind: keyof typeof RANK;
  readonly isClosed: boolean;
}

/** The program of a completion. Null when there is none, when it is too long to be run, or when the length limit cut it off. */
export function extractProgram(
  completion: string,
  truncated: boolean,
  reasoning?: ReasoningPolicy,
): ProgramSource | null {
  const text = ownWords(completion, reasoning).trimEnd();
  const candidates = candidatesOf(text, truncated, MAX_DEPTH);
  if (candidates === null)
    return truncated || isNoProgram(text) ? null : { code: detach(text), blocks: null };
  const code = programOf(candidates);
  if (code === null) return null;
  const blocks = lastOf(candidates.toSorted((a, b) => RANK[a.kind] - RANK[b.kind]));
  return { code: detach(code), blocks: blocks.length === 1 ? null : blocks.map(detach) };
}

/** Blocks in the order of the text, those inside of others first, before them what stands in front; null for a text without fences. */
function candidatesOf(text: string, truncated: boolean, depth: number): Candidate[] | null {
  const { first, blocks } = findCodeBlocks(text);
  if (first >= text.length) return null;
  // The prompt may have opened the block that the first fence closes.
  const lead = text.slice(0, first).trimEnd();
  const found: Candidate[] =
    isNoProgram(lead) || !CODE_LINE.test(lead) ? [] : [{ text: lead, kind: 'lead', isClosed: true }];
  for (const block of blocks) {
    const { info, isClosed } = block;
    if (truncated && !isClosed) continue;
    const content = blockText(text, block).trimEnd();
    if (isNoProgram(content)) continue;
    if (depth > 0) found.push(...(candidatesOf(content, false, depth - 1) ?? []));
    found.push({
      text: content,
      kind: PYTHON.test(info) ? 'python' : info === '' ? 'unnamed' : 'other',
      isClosed,
    });
  }
  return found;
}

/** The last closed block of Python, else the last of Python; the same of any language; else what stands in front of them. */
function programOf(candidates: readonly Candidate[]): string | null {
  const blocks = candidates.filter(({ kind }) => kind !== 'lead');
  const python = blocks.filter(({ kind }) => kind === 'python');
  for (const among of [python, blocks, candidates]) {
    const last = among.findLast(({ isClosed }) => isClosed) ?? among.at(-1);
    if (last !== undefined) return last.text;
  }
  return null;
}

/** The texts of as many of the last candidates as may be sent along. */
function lastOf(candidates: readonly Candidate[]): string[] {
  let length = 0;
  const last = candidates.toReversed().filter(({ text }) => {
    length += text.length;
    return length <= 2 * MAX_PROGRAM_LENGTH;
  });
  return last.map(({ text }) => text).reverse();
}

function isNoProgram(text: string): boolean {
  return text.trim() === '' || text.length > MAX_PROGRAM_LENGTH;
}
