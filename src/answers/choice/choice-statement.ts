/** Announces the choice that answers the question. */
const STRONG = [
  'final answer',
  'correct answer',
  'best answer',
  'right answer',
  'answer',
  'correct option',
  'correct choice',
  'right option',
  'best option',
  'best choice',
  'antwort',
  'respuesta',
  'réponse',
  'risposta',
  'resposta',
  'ответ',
  '答案',
  '答え',
  '정답',
  '정답은',
  'الإجابة',
  'उत्तर',
];
/** Names a choice without saying that it is the answer. */
const WEAK = [
  'option',
  'choice',
  "it's",
  'it is',
  'i think',
  'must be',
  'i (?:would |will )?(?:pick|choose|select|go with)',
  '选',
  '選',
];

const CUE = new RegExp(`(?:(${STRONG.join('|')})|(?:${WEAK.join('|')}))(?!(?<=[A-Za-z])[A-Za-z])`, 'giu');
const FILLER =
  "is|are|be|was|would|should|must|seems|remains|appears|to|for|sure|definitely|certainly|surely|obviously|clearly|most|likely|probably|indeed|thus|therefore|then|hence|still|the|that|it|it's|option|choice|letter|correct|best|right|answer|statement|here|i|think|believe|为|是|选|選|ist|es|est|è|é|هو|है";
const DIRECT = new RegExp(
  `^(?:\\s|[:：=]|\\\\\\(|\\$|\\\\text\\{|\\\\boxed\\{|\\\\\\[|(?:${FILLER})(?![A-Za-z]))*[([{（【]?\\s?([A-Ja-j])(?![A-Za-z0-9_'’])`,
  'iu',
);
/** Only this many announcements are read, from the last one backwards. */
const MAX_CUES = 64;

const LETTER = /(?:^|[^A-Za-z0-9_'’\\])([A-J])(?![A-Za-z0-9_'’])/g;
const NEGATED =
  /(?:\bnot|n't|isn't|aren't|rules? out|ruled out|excludes?|eliminates?|rather than|unlike|instead of|except|than|不是)\s{0,4}(?:option\s{1,4}|choice\s{1,4})?[([]?$/i;
/** What follows the article and the pronoun, but not a label. */
const ARTICLE = /^\s+(?!(?:or|and|because|since|as)\b)[a-z]/;
const JOINED =
  /^[)\]]?\s{0,4}(?:,|\/|&|or\b|and\b)\s{0,4}(?:or\s{1,4}|and\s{1,4})?[([]?[A-J](?![A-Za-z0-9_'’])/;
const ASSERTED =
  /(?:^|[^A-Za-z0-9_'’])[([]?([A-J])[)\]]?\s+(?:is|would be|must be|should be)\s+(?:therefore |thus |clearly |indeed |definitely )?(?:the |a )?(?:(?:only |most )?(?:correct|right|valid|true|best|appropriate|accurate)|answer)\b/g;

export interface StatedChoice {
  at: number;
  /** Null when the statement names several options. */
  letter: string | null;
}

/** The choice that the text states last, by the strongest kind of statement that it has; null without any. */
export function findStatedChoice(text: string): StatedChoice | null {
  const cues = [...text.matchAll(CUE)].filter((cue) => !isInsideWord(text, cue)).slice(-MAX_CUES);
  let strong: StatedChoice | null = null;
  let loose: StatedChoice | null = null;
  const weak = new Map<string | null, StatedChoice>();
  for (const cue of cues.reverse()) {
    const at = cue.index;
    const window = sentenceAfter(text, at + cue[0].length);
    const direct = readDirect(window, /^(?:option|choice)$/i.test(cue[0]));
    if (direct !== undefined && cue[1] !== undefined) {
      strong = { at, letter: direct };
      break;
    }
    if (direct !== undefined) weak.set(direct, { at, letter: direct });
    else if (cue[1] !== undefined) loose ??= readLoose(window, at);
  }
  // Several options that are only mentioned are a discussion, not a choice.
  const [mentioned = null] = weak.size === 1 ? weak.values() : [];
  return later(strong, findAsserted(text)) ?? loose ?? mentioned;
}

function isInsideWord(text: string, cue: RegExpExecArray): boolean {
  return /[A-Za-z]/.test(text.charAt(cue.index - 1)) && /^[a-z]/i.test(cue[0]);
}

function later(a: StatedChoice | null, b: StatedChoice | null): StatedChoice | null {
  if (a === null || b === null) return a ?? b;
  return b.at > a.at ? b : a;
}

function findAsserted(text: string): StatedChoice | null {
  let found: StatedChoice | null = null;
  for (const match of text.matchAll(ASSERTED)) {
    const before = text.slice(Math.max(0, match.index - 12), match.index + 1);
    if (/(?:not|neither|why|how|if|whether)\W*$/i.test(before)) continue;
    found = { at: match.index, letter: match[1] ?? null };
  }
  return found;
}

/** Undefined when no letter follows directly. After `option` a capital is a label, whatever follows it. */
function readDirect(window: string, labelled: boolean): string | null | undefined {
  const match = DIRECT.exec(window);
  if (match === null) return undefined;
  const letter = match[1] ?? '';
  const rest = window.slice(match[0].length);
  const label = labelled && letter !== letter.toLowerCase();
  if (!label && !isChosen(rest, letter, match[0])) return undefined;
  return JOINED.test(rest) ? null : letter.toUpperCase();
}

/** A lower-case letter, the article and the pronoun need a delimiter after them. */
function isChosen(rest: string, letter: string, prefix: string): boolean {
  if (/^[)\]]?\s{0,3}(?:is|was|would be)\s+(?:not|incorrect|wrong|false|invalid)\b/.test(rest)) return false;
  if (/[([{（【]\s?.$/.test(prefix) && /^\s?[)\]}）】]/.test(rest)) return true;
  if (/^\s*(?:$|[).,:;\]}$\\—–、，。）-]|\P{ASCII})/u.test(rest)) return true;
  if (letter !== letter.toUpperCase()) return false;
  if (/^\s+[A-Z][a-z]/.test(rest)) return true;
  if (letter === 'A' || letter === 'I') return /^\s+(?:or|and|because|since|as|for|based)\b/.test(rest);
  return !/^\s+(?:is|are|was)\s+(?:the|a|an|not)\b/.test(rest);
}

function readLoose(window: string, at: number): StatedChoice | null {
  const letters = new Set<string>();
  for (const match of window.matchAll(LETTER)) {
    const letter = match[1] ?? '';
    const end = match.index + match[0].length;
    if (NEGATED.test(window.slice(Math.max(0, end - 40), end - 1))) continue;
    const rest = window.slice(end);
    if ((letter === 'A' || letter === 'I') && ARTICLE.test(rest)) continue;
    letters.add(letter);
  }
  const [only] = letters;
  if (only === undefined) return null;
  return { at, letter: letters.size === 1 ? only : null };
}

function sentenceAfter(text: string, from: number): string {
  const rest = text.slice(from, from + 300);
  const lead = /^[\s:：]*(?:(?:is|are)?\s*[:：]?\s*)/.exec(rest)?.[0].length ?? 0;
  const stop = rest.slice(lead).search(/\n|[.!?](?:\s|$)|。/);
  return stop < 0 ? rest : rest.slice(0, lead + stop);
}
