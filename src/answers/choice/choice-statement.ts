/** Announces a choice; what follows within the sentence is read for one letter. */
const CUE =
  /(?:final answer|correct answer|best answer|answer|correct option|correct choice|option|choice|antwort|respuesta|réponse|答案|i (?:would )?(?:pick|choose|select))(?![A-Za-z])/gi;

const LETTER = /(?:^|[^A-Za-z0-9_'’\\])([A-J])(?![A-Za-z0-9_'’])/g;
const DIRECT =
  /^(?:\s|\\\(|\$|\\text\{|\\boxed\{)*(?:is|are|be|would be|should be|must be|seems to be|remains|was|为|是|选|選|ist|es|est)?(?:\s|:|：|=|\\\(|\$|\\text\{|\\boxed\{|option|choice|most likely|likely|therefore|thus|indeed|clearly|still|the|correct|answer)*[([]?\s?([A-Ja-j])(?![A-Za-z0-9_'’])/i;
const NEGATED =
  /(?:\bnot|\bn't|isn't|aren't|rules? out|ruled out|excludes?|eliminates?|rather than|unlike|instead of|except)\s{1,4}(?:option\s{1,4}|choice\s{1,4})?\(?$/i;
const JOINED = /^\)?\s{0,4}(?:,|\/|&|or\b|and\b)\s{0,4}(?:or\s{1,4}|and\s{1,4})?\(?[A-J](?![A-Za-z0-9_'’])/;

/** The last choice that the text states, with its place; the letter is null when it names several. */
export function findStatedChoice(text: string): { at: number; letter: string | null } | null {
  let direct: { at: number; letter: string | null } | null = null;
  let loose: { at: number; letter: string | null } | null = null;
  for (const cue of text.matchAll(CUE)) {
    const at = cue.index;
    const window = sentence(text, at + cue[0].length);
    const match = DIRECT.exec(window);
    if (match !== null && isChoice(window, match[0].length, match[1] ?? '', match[0])) {
      const several = JOINED.test(window.slice(match[0].length));
      direct = { at, letter: several ? null : (match[1] ?? '').toUpperCase() };
    } else {
      const letters = namedLetters(window);
      const [only] = letters;
      if (letters.size > 0) loose = { at, letter: letters.size === 1 && only !== undefined ? only : null };
    }
  }
  return direct ?? loose;
}

function sentence(text: string, from: number): string {
  const rest = text.slice(from, from + 300);
  const lead = /^[\s:：]*/.exec(rest)?.[0].length ?? 0;
  const stop = rest.slice(lead).search(/\n|[.!?](?:\s|$)|。/);
  return stop < 0 ? rest : rest.slice(0, lead + stop);
}

/** A lower-case letter or the article and pronoun need a delimiter after them. */
function isChoice(window: string, end: number, letter: string, prefix: string): boolean {
  const rest = window.slice(end);
  const bracketed = /[([]\s?.$/.test(prefix) && /^\s?[)\]]/.test(rest);
  if (bracketed || /^\s*(?:$|[).,:;\]}$\\—–-])/.test(rest)) return true;
  if (letter !== letter.toUpperCase()) return false;
  if (letter === 'A' || letter === 'I') return /^\s+(?:or|and|because|since|as|for|based)\b/.test(rest);
  return !/^\s+(?:is|are|was)\s+(?:the|a|an)\b/.test(rest);
}

function namedLetters(window: string): Set<string> {
  const letters = new Set<string>();
  for (const match of window.matchAll(LETTER)) {
    const letter = match[1] ?? '';
    const end = match.index + match[0].length;
    if (NEGATED.test(window.slice(Math.max(0, end - 40), end - 1))) continue;
    if ((letter === 'A' || letter === 'I') && /^\s+[a-z]/.test(window.slice(end))) continue;
    letters.add(letter);
  }
  return letters;
}
