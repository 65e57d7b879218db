import type { Span } from '../extraction/span.ts';
import { readAfter, readBefore } from './choice-context.ts';
import { lexChoices } from './choice-lexer.ts';
import type { Marked, Token, TokenKind } from './choice-token.ts';

/** One option, or several that are joined (`A or B`), and what the text says of them. */
export interface Mention extends Span {
  letters: ReadonlySet<string>;
  dress: Token['dress'];
  /** Denied (`not A`, `A is wrong`), doubted (`maybe A`, `is it A?`), else open. */
  polarity: 'open' | 'denied' | 'doubted';
  /** Said to be the answer; only pointed at (`I think A`, `option A`); or merely named. */
  claim: 'stated' | 'pointed' | 'named';
  /** It takes a claim before it back, whole or in part: `Or B`, `maybe B`, and for the same option `B is wrong`. */
  wavers: boolean;
  denies: boolean;
  /** Its claim depends on whether the mention before it is denied. */
  contrasts: boolean;
  /** Which announcement its sentence follows, -1 for none. */
  announced: number;
}

/** Between two labels that are joined; the last three join only together with a word that does. */
const GLUE: ReadonlySet<TokenKind> = new Set([
  'join',
  'comma',
  'dash',
  'noun',
  'doubt',
  'modal',
  'link',
  'line',
]);
const NEEDS_JOIN: ReadonlySet<TokenKind> = new Set(['modal', 'link', 'line']);
/** Options are looked for in this many characters at the end, and in boxes and tags anywhere. */
const TAIL = 8_000;
const MAX_GLUE = 6;
const PLURAL = /^(?:are|were|both|do|all|fail|sind|son|sont|sono|são|zijn)$/i;

/** The options that a text names from a place on, in order, with what it says of each. */
export function findMentions(
  text: string,
  marked: readonly Marked[],
  from = Math.max(0, text.length - TAIL),
): Mention[] {
  const tokens = lexChoices(text, marked, from);
  const mentions: Mention[] = [];
  let announced = -1;
  for (let i = 0; i < tokens.length; i += 1) {
    const kind = tokens[i]?.kind;
    if (kind === 'announce') announced = tokens[i - 1]?.kind === 'wrong' ? -1 : i;
    else if (endsSentence(tokens, i)) announced = -1;
    if (kind !== 'label') continue;
    const last = groupEnd(tokens, i);
    mentions.push(readMention(text, tokens, i, last, announced, mentions.at(-1)));
    i = last;
  }
  return mentions;
}

function endsSentence(tokens: readonly Token[], i: number): boolean {
  const kind = tokens[i]?.kind;
  if (kind !== 'line') return kind === 'end' || kind === 'ask';
  const before = tokens[i - 1]?.kind;
  return before !== 'announce' && before !== 'link' && before !== 'colon' && before !== 'line';
}

/** The last label that is joined with the one at `first`. One that is denied on its own stands apart: `B, A is wrong`. */
function groupEnd(tokens: readonly Token[], first: number): number {
  let last = first;
  for (let i = first + 1; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.kind === 'label') {
      if (!areJoined(tokens.slice(last + 1, i)) || deniedAlone(tokens, i)) break;
      last = i;
    } else if (!GLUE.has(token.kind) || i - last > MAX_GLUE) break;
  }
  return last;
}

function areJoined(between: readonly Token[]): boolean {
  if (between.length === 0 || between.some(({ kind }) => kind === 'join')) return true;
  return between.every(({ kind }) => !NEEDS_JOIN.has(kind));
}

function deniedAlone(tokens: readonly Token[], at: number): boolean {
  return !PLURAL.test(tokens[at + 1]?.word ?? '') && readAfter(tokens, at).denied;
}

function readMention(
  text: string,
  tokens: readonly Token[],
  first: number,
  last: number,
  announced: number,
  previous: Mention | undefined,
): Mention {
  const group = tokens.slice(first, last + 1).filter(({ kind }) => kind === 'label');
  const start = tokens[first]?.start ?? 0;
  const end = tokens[last]?.end ?? start;
  const dress = group.every((token) => token.dress === group[0]?.dress)
    ? (group[0]?.dress ?? 'bare')
    : 'bare';
  const boxed = group.some((token) => token.dress === 'box');
  const before = readBefore(tokens, first, last, previous?.polarity === 'denied');
  const after = readAfter(tokens, last);
  const stated = boxed || (before.claim === 'stated' && (after.right || isChosen(text, end, dress)));
  const denied = before.denied || (after.denied && (!boxed || after.judged));
  const doubted = before.doubted || before.supposed || after.asked || (after.doubted && !stated);
  const right = after.right && !denied && !doubted;
  const lower = dress === 'lower' && before.claim === 'named';
  return {
    start,
    end,
    letters: new Set(lower ? [] : group.flatMap(({ letters }) => letters)),
    dress,
    polarity: denied ? 'denied' : doubted ? 'doubted' : 'open',
    claim: stated || right ? 'stated' : before.claim === 'stated' ? 'named' : before.claim,
    contrasts: before.contrasts,
    wavers: before.resumes || before.doubted || (before.offered && !denied && isLabel(text, end, dress)),
    denies: denied && (after.judged || before.claim !== 'named'),
    announced,
  };
}

/** `Answer: D is the midpoint` is a sentence about a point. */
function isChosen(text: string, end: number, dress: Token['dress']): boolean {
  return dress !== 'bare' || !/^\s+(?:is|are|was)\s+(?:the|an?|not)\b/.test(text.slice(end, end + 20));
}

/** Written as options are: `(C)`, `C) 13`, `C. 13`. */
function isLabel(text: string, end: number, dress: Token['dress']): boolean {
  return dress === 'brackets' || dress === 'box' || /^[).:]\s/.test(text.slice(end, end + 2));
}
