import type { Manifest, ManifestEntry } from '../../domain/manifest.ts';
import { userText } from '../prompt/prompt-text.ts';
import { normalizeText } from './normalize-text.ts';
import { type Row, TextTable } from './text-table.ts';

export type Finding =
  | { readonly kind: 'found'; readonly entry: ManifestEntry }
  /** Several problems' texts, equally long, are in the prompt. */
  | { readonly kind: 'ambiguous'; readonly entries: readonly ManifestEntry[] }
  | { readonly kind: 'unknown'; readonly nearest: ManifestEntry | null };

/** A longer prompt is searched up to here. */
const MAX_SEARCHED = 262_144;
/** The longest words of a text, which few others share: what a prompt nobody knows is compared by. */
const RARE_WORDS = 6;
const MOST_OF_A_WORD = 32;

/** Finds the problem that a prompt's text stands for, templated or not. Built once for each manifest. */
export class PromptIndex {
  readonly #exact = new Map<string, ManifestEntry>();
  readonly #table: TextTable<ManifestEntry>;
  readonly #byWord = new Map<string, Row<ManifestEntry>[]>();

  constructor({ entries }: Manifest) {
    const rows: Row<ManifestEntry>[] = [];
    for (const value of entries) {
      for (const text of new Set(value.texts.map(normalizeText))) {
        rows.push({ text, value });
        this.#exact.set(text, value);
      }
    }
    this.#table = new TextTable(rows);
    for (const row of rows) this.#addWords(row);
  }

  /**
   * By exact text (the prompt's, or that of its last user message), else by the longest text of the manifest that
   * the prompt contains; white space counts only as such.
   */
  find(prompt: string): Finding {
    const whole = normalizeText(prompt);
    const said = userText(prompt);
    const exact = this.#exact.get(whole) ?? this.#exact.get(said);
    if (exact !== undefined) return { kind: 'found', entry: exact };
    const rows = this.#table.longestIn(whole.slice(0, MAX_SEARCHED));
    const [first, ...others] = new Set(rows.map(({ value }) => value));
    if (first === undefined) return { kind: 'unknown', nearest: this.#nearest(said) };
    return others.length === 0
      ? { kind: 'found', entry: first }
      : { kind: 'ambiguous', entries: [first, ...others] };
  }

  #addWords(row: Row<ManifestEntry>): void {
    const words = [...wordsOf(row.text)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    for (const word of words.slice(0, RARE_WORDS)) {
      const sharing = this.#byWord.get(word) ?? [];
      if (sharing.length >= MOST_OF_A_WORD) continue;
      sharing.push(row);
      this.#byWord.set(word, sharing);
    }
  }

  /** Likely the closest problem, from those that share a long word or the beginning: for a person to look at. */
  #nearest(text: string): ManifestEntry | null {
    const words = wordsOf(text);
    const candidates = new Set(this.#table.neighbours(text));
    for (const word of words) for (const row of this.#byWord.get(word) ?? []) candidates.add(row);
    let nearest: ManifestEntry | null = null;
    let best = -1;
    for (const { text: other, value } of candidates) {
      const likeness = diceOf(words, wordsOf(other));
      if (likeness <= best) continue;
      best = likeness;
      nearest = value;
    }
    return nearest;
  }
}

const MAX_WORDS = 512;

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (words.add(word).size >= MAX_WORDS) break;
  }
  return words;
}

/** Sørensen's and Dice's coefficient, 0 to 1. */
function diceOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (2 * shared) / Math.max(1, a.size + b.size);
}
