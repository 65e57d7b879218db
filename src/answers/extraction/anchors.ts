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
const CUE = new RegExp(`(?:${WORDS})(?![A-Za-z])`, 'giu');
const LINK = new RegExp(
  `^[\\s*_)]{0,6}(?:(?:should|would|must|will|therefore|then|thus|to this question|to the question|to the problem) {0,2}){0,3}(?:(?:${LINKS.join('|')})(?![A-Za-z])|[:：=])[\\s*_:：]{0,6}`,
  'iu',
);

export interface Anchor {
  /** Where the announcing word starts. */
  at: number;
  /** Where the announced statement starts. */
  from: number;
  final: boolean;
}

/** The places where a text announces an answer. */
export function findAnchors(text: string): Anchor[] {
  const anchors: Anchor[] = [];
  for (const cue of text.matchAll(CUE)) {
    const word = cue[0].toLowerCase();
    const final = FINAL.includes(word);
    const before = text.charAt(cue.index - 1);
    if (/[A-Za-z\\<]/.test(before)) continue;
    const end = cue.index + word.length;
    const link = LINK.exec(text.slice(end, end + 80));
    if (link !== null) anchors.push({ at: cue.index, from: end + link[0].length, final });
    else if (final && /^[\s*_]{0,4}\n/.test(text.slice(end, end + 6)))
      anchors.push({ at: cue.index, from: end, final });
  }
  return anchors;
}
