import { SPACED, UNSPACED, type WordClass } from './choice-words.ts';

export interface Phrase {
  words: readonly string[];
  kind: WordClass;
}

/** Phrases of spaced languages by their first word, the longest first. */
export const PHRASES: ReadonlyMap<string, readonly Phrase[]> = readPhrases();

/** The class of a word of a language without spaces. */
export const UNSPACED_KIND: ReadonlyMap<string, WordClass> = new Map(
  entries(UNSPACED).flatMap(([kind, words]) => words.split('|').map((word) => [word, kind] as const)),
);

/** Matches the longest such word at `lastIndex`. */
export const UNSPACED_PHRASE = new RegExp(
  [...UNSPACED_KIND.keys()].sort((a, b) => b.length - a.length).join('|'),
  'y',
);

/** The class of one word in lower case, of a language with spaces. */
export function wordKind(word: string): WordClass | undefined {
  if (word.endsWith("n't")) return 'cannot';
  return PHRASES.get(word)?.find(({ words }) => words.length === 1)?.kind;
}

function readPhrases(): Map<string, Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  for (const [kind, list] of entries(SPACED)) {
    for (const phrase of list.split('|')) {
      const words = phrase.split(' ');
      const first = words[0] ?? '';
      const known = phrases.get(first) ?? [];
      known.push({ words, kind });
      phrases.set(first, known);
    }
  }
  for (const known of phrases.values()) known.sort((a, b) => b.words.length - a.words.length);
  return phrases;
}

function entries(table: Readonly<Partial<Record<WordClass, string>>>): Array<[WordClass, string]> {
  return Object.entries(table) as Array<[WordClass, string]>;
}
