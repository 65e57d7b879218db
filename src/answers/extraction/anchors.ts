/** Words that announce an answer, by language. A final one ranks with a box. */
const FINAL = [
  'final answer',
  '最终答案',
  '最終答案',
  'endgültige antwort',
  'réponse finale',
  'respuesta final',
  'окончательный ответ',
];
const PLAIN = [
  'answer',
  'answers',
  '答案',
  '答え',
  '答',
  'antwort',
  'respuesta',
  'réponse',
  'risposta',
  'resposta',
  'ответ',
  'odpowiedź',
  'antwoord',
  'cevap',
  'đáp án',
  '정답',
  '답',
  'الإجابة',
  'الجواب',
  'उत्तर',
  'solution',
];
/** What may stand between the announcing word and the answer. */
const LINKS = [
  'is',
  'are',
  'be',
  'was',
  'equals',
  '是',
  '为',
  '為',
  'は',
  'ist',
  'es',
  'est',
  'è',
  'é',
  'jest',
  'هو',
  'هي',
  'है',
];

const WORDS = [...FINAL, ...PLAIN].sort((a, b) => b.length - a.length).join('|');
const CUE = new RegExp(`(?:${WORDS})(?!(?<=[A-Za-z])[A-Za-z])`, 'giu');
const LINK = new RegExp(
  `^[\\s*_)]{0,6}(?:(?:should|would|must|will|therefore|then|thus|to this question|to the question|to the problem) {0,2}){0,3}(?:(?:${LINKS.join('|')})(?![A-Za-z])|[:：=])[\\s*_:：]{0,6}`,
  'iu',
);

/** Only this many announcing words are looked at, from the last one backwards. */
const MAX_CUES = 256;
/** Most texts announce their answer near their end, which is searched first. */
const TAIL = 16_000;

export interface Anchor {
  /** Where the announcing word starts. */
  at: number;
  /** Where the announced statement starts. */
  from: number;
  final: boolean;
}

/** The last places, at most `limit`, where a text announces an answer, in order; only final ones with `finalOnly`. */
export function findAnchors(text: string, limit: number, finalOnly = false): Anchor[] {
  const tail = anchorsIn(text.slice(-TAIL), limit, finalOnly);
  const shift = Math.max(0, text.length - TAIL);
  if (shift === 0 || tail.length >= limit) {
    return tail.map((anchor) => ({ ...anchor, at: anchor.at + shift, from: anchor.from + shift }));
  }
  return anchorsIn(text, limit, finalOnly);
}

function anchorsIn(text: string, limit: number, finalOnly: boolean): Anchor[] {
  const cues = [...text.matchAll(CUE)];
  const anchors: Anchor[] = [];
  for (let i = cues.length - 1; i >= Math.max(0, cues.length - MAX_CUES) && anchors.length < limit; i -= 1) {
    const cue = cues[i];
    if (cue === undefined) continue;
    const final = FINAL.includes(cue[0].toLowerCase());
    if (finalOnly && !final) continue;
    const anchor = readAnchor(text, cue.index, cue.index + cue[0].length, final);
    if (anchor !== null) anchors.unshift(anchor);
  }
  return anchors;
}

function readAnchor(text: string, at: number, end: number, final: boolean): Anchor | null {
  if (/[A-Za-z\\</]/.test(text.charAt(at - 1))) return null;
  const link = LINK.exec(text.slice(end, end + 80));
  if (link !== null) return { at, from: end + link[0].length, final };
  return final && /^[\s*_]{0,4}\n/.test(text.slice(end, end + 6)) ? { at, from: end, final } : null;
}
