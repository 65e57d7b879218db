import type { Span } from '../extraction/span.ts';
import type { WordClass } from './choice-words.ts';

/** `end` ends a sentence, `ask` a question, `line` a line; `other` is any other word. */
export type TokenKind = WordClass | 'label' | 'end' | 'ask' | 'line' | 'colon' | 'comma' | 'dash' | 'other';

export interface Token extends Span {
  kind: TokenKind;
  /** Of a label: the options that it names, several for a box around several. */
  letters: readonly string[];
  /** Of a label: in a box or a tag, in brackets, lower case, or bare. */
  dress: 'box' | 'brackets' | 'lower' | 'bare';
  word: string;
}

/** A box or an answer tag, and the letters that it holds: none where it holds no choice. */
export interface Marked extends Span {
  letters: readonly string[];
}
