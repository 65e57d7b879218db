import type { Token, TokenKind } from './choice-token.ts';

/** What stands before an option in its clause. */
export interface Before {
  /** The option is said to be the answer, only pointed at, or merely named. */
  claim: 'stated' | 'pointed' | 'named';
  denied: boolean;
  /** `maybe B`, `it might be B`. */
  doubted: boolean;
  /** `if it is B`, `whether B`. */
  supposed: boolean;
  /** What the option is said to be depends on whether the one before it is denied: `but B`. */
  contrasts: boolean;
  /** The sentence starts with `or`, `and`: it goes on with what was said before. */
  resumes: boolean;
  /** `or` stands right before it, behind words that are no option: `B) 12 or C) 13`. */
  offered: boolean;
}

/** What stands after an option in its clause. */
export interface After {
  /** It is called the answer, or correct. */
  right: boolean;
  denied: boolean;
  /** Denied as an answer (`is wrong`, `is not correct`), not in some other respect. */
  judged: boolean;
  doubted: boolean;
  asked: boolean;
}

type Kind = TokenKind | undefined;

/** A clause is followed over at most this many words on each side of its option. */
const MAX_WALK = 24;
const BREAKS: ReadonlySet<Kind> = new Set([undefined, 'end', 'ask', 'line']);
const CUES: ReadonlySet<Kind> = new Set(['announce', 'noun', 'guess', 'pick', 'leave']);
const PASSED: ReadonlySet<Kind> = new Set([
  ...CUES,
  'link',
  'right',
  'not',
  'cannot',
  'wrong',
  'modal',
  'suppose',
  'doubt',
]);
/** A comma, a new line does not end the clause after these. */
const OVER_COMMA: ReadonlySet<Kind> = new Set(['conclude', 'link', 'guess', 'doubt']);
const OVER_LINE: ReadonlySet<Kind> = new Set(['announce', 'link', 'colon', 'noun', 'line']);
const OR = /^(?:or|oder|ou|o|of|или|veya|hoặc|atau|lub|或|或者|または|또는|혹은)$/iu;
/** Where a sentence in the first person, or an order to oneself, starts. */
const OPENERS: ReadonlySet<Kind> = new Set([...BREAKS, 'conclude', 'comma', 'colon', 'dash']);

/** Reads the clause backwards from the option at `first`. After a denied option `but` states the next one: `not A but B`. */
export function readBefore(
  tokens: readonly Token[],
  first: number,
  last: number,
  afterDenied: boolean,
): Before {
  const seen = new Set<Kind>();
  let at = first - 1;
  while (first - at <= MAX_WALK && goesBack(tokens, at, seen)) {
    seen.add(tokens[at]?.kind);
    at -= 1;
  }
  const stop = tokens[at]?.kind;
  const has = (...kinds: Kind[]): boolean => kinds.some((kind) => seen.has(kind));
  const concluded = (stop === 'conclude' || has('conclude')) && closes(tokens, last);
  const contrasts = stop === 'contrast' || stop === 'after';
  const picked = has('pick') && (OPENERS.has(stop) || isUnspaced(tokens.slice(at + 1, first)));
  const stated =
    has('announce') ||
    (has('right') && has('noun', 'colon')) ||
    picked ||
    (has('leave') && closes(tokens, last)) ||
    (contrasts && afterDenied) ||
    concluded;
  return {
    claim: stated ? 'stated' : has('noun', 'guess', 'pick') ? 'pointed' : 'named',
    denied: has('not', 'cannot', 'wrong'),
    doubted: has('modal', 'doubt'),
    supposed: has('suppose'),
    contrasts,
    resumes: stop === 'join' && BREAKS.has(tokens[at - 1]?.kind),
    offered: stop === 'join' && OR.test(tokens[at]?.word ?? ''),
  };
}

function goesBack(tokens: readonly Token[], at: number, seen: ReadonlySet<Kind>): boolean {
  const kind = tokens[at]?.kind;
  if (PASSED.has(kind)) return true;
  for (const cue of CUES) if (seen.has(cue)) return false;
  const back = tokens[at - 1]?.kind;
  if (kind === 'comma') return OVER_COMMA.has(back);
  if (kind === 'line') return OVER_LINE.has(back);
  return kind === 'colon' || kind === 'dash' || kind === 'conclude';
}

/** Nothing more is said in the clause after the option at `last`. */
function closes(tokens: readonly Token[], last: number): boolean {
  const next = tokens[last + 1]?.kind;
  return BREAKS.has(next) || next === 'comma';
}

/** Languages without spaces put the one who picks further away. */
function isUnspaced(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind, word }) => kind === 'pick' && !/^\p{Script=Latin}/u.test(word));
}

/** Reads the clause on from the option at `last`. A denial right before another option is of that one: `B, not A`. */
export function readAfter(tokens: readonly Token[], last: number): After {
  const after: After = { right: false, denied: false, judged: false, doubted: false, asked: false };
  let linked = false;
  for (let at = last + 1; at <= last + MAX_WALK; at += 1) {
    const token = tokens[at];
    switch (token?.kind) {
      case 'link':
      case 'colon':
      case 'dash':
        linked = true;
        break;
      case 'noun':
        break;
      case 'cannot':
      case 'not':
        if (bindsForward(tokens, at) || (token.kind === 'not' && !linked)) return after;
        after.denied = true;
        linked = true;
        break;
      case 'after':
      case 'fail':
        after.denied = true;
        break;
      case 'wrong':
        if (!linked && /^[A-Z]/.test(token.word)) return after;
        after.denied = !after.denied;
        after.judged = true;
        return after;
      case 'right':
      case 'announce':
        if (!linked && /^\p{Script=Latin}/u.test(token.word)) return after;
        after.right = !after.denied;
        after.judged = true;
        if (token.kind === 'announce') return after;
        break;
      case 'modal':
      case 'doubt':
        after.doubted = true;
        return after;
      case 'comma':
        if (tokens[at + 1]?.kind !== 'doubt') return after;
        break;
      case 'ask':
        after.asked = true;
        return after;
      default:
        return after;
    }
  }
  return after;
}

/** A denial is of the option that follows it. */
function bindsForward(tokens: readonly Token[], at: number): boolean {
  let next = at + 1;
  while (tokens[next]?.kind === 'link' || tokens[next]?.kind === 'noun') next += 1;
  return tokens[next]?.kind === 'label';
}
