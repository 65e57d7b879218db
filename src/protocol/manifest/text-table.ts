/** A text and what it stands for. */
export interface Row<T> {
  readonly text: string;
  readonly value: T;
}

/** Prefixes that a scan looks for before it searches; a shorter text is its own. */
const ANCHOR = 8;

/**
 * Texts, sorted, to find the longest one that a longer text contains. At each place of the searched text all
 * candidates are prefixes of each other, so one binary search finds the longest, and the links to shorter prefixes the rest.
 */
export class TextTable<T> {
  readonly #rows: readonly Row<T>[];
  /** Of each row: the index of the longest row that is a proper prefix of it; -1 without one. */
  readonly #shorter: Int32Array;
  readonly #anchors = new Map<number, Set<string>>();

  /** No text may be blank or come twice. */
  constructor(rows: readonly Row<T>[]) {
    this.#rows = [...rows].sort((a, b) => (a.text < b.text ? -1 : 1));
    this.#shorter = new Int32Array(this.#rows.length).fill(-1);
    const open: number[] = [];
    this.#rows.forEach(({ text }, at) => {
      while (open.length > 0 && !text.startsWith(this.#textAt(open.at(-1) ?? 0))) open.pop();
      this.#shorter[at] = open.at(-1) ?? -1;
      open.push(at);
      const length = Math.min(ANCHOR, text.length);
      const anchors = this.#anchors.get(length) ?? new Set();
      this.#anchors.set(length, anchors.add(text.slice(0, length)));
    });
  }

  /** The longest rows that `searched` contains: several only if different ones of that length occur in it. */
  longestIn(searched: string): readonly Row<T>[] {
    let longest = new Set<Row<T>>();
    let length = 0;
    for (let place = 0; place < searched.length; place++) {
      if (!this.#mayStart(searched, place)) continue;
      const row = this.#longestAt(searched, place);
      if (row === null || row.text.length < length) continue;
      if (row.text.length > length) longest = new Set();
      length = row.text.length;
      longest.add(row);
    }
    return [...longest];
  }

  /** The rows next to where `text` would stand: those with the longest common start are among them. */
  neighbours(text: string): readonly Row<T>[] {
    const at = this.#lastNotAfter(text);
    return this.#rows.slice(Math.max(0, at), at + 2);
  }

  #mayStart(searched: string, place: number): boolean {
    for (const [length, anchors] of this.#anchors) {
      if (anchors.has(searched.slice(place, place + length))) return true;
    }
    return false;
  }

  #longestAt(searched: string, place: number): Row<T> | null {
    let at = this.#lastNotAfter(searched.slice(place));
    while (at >= 0 && !searched.startsWith(this.#textAt(at), place)) at = this.#shorter[at] ?? -1;
    return this.#rows[at] ?? null;
  }

  /** Index of the last row whose text is not after `text`; -1 when all are. */
  #lastNotAfter(text: string): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#textAt(middle) <= text) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #textAt(at: number): string {
    return this.#rows[at]?.text ?? '';
  }
}
