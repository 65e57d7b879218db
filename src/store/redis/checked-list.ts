/** What Redis holds under one of our keys is not what this version wrote. */
export class UnreadableValueError extends Error {
  override readonly name = 'UnreadableValueError';
}

/** A list from JSON whose places are taken by kind. Throws UnreadableValueError where another kind stands. */
export class CheckedList {
  readonly #values: readonly unknown[];

  constructor(value: unknown) {
    if (!Array.isArray(value)) throw new UnreadableValueError(`expected a list, got ${typeof value}`);
    this.#values = value;
  }

  get length(): number {
    return this.#values.length;
  }

  /** Itself, unless it says more than this version knows: who writes it back would drop that. */
  atMost(length: number): this {
    if (this.length <= length) return this;
    throw new UnreadableValueError(`a list says more than ${length} things`);
  }

  at(place: number): unknown {
    return this.#values[place];
  }

  number(place: number): number {
    const value = this.#values[place];
    if (typeof value === 'number') return value;
    throw new UnreadableValueError(`expected a number in place ${place}, got ${typeof value}`);
  }

  numberOrNull(place: number): number | null {
    return this.#values[place] === null ? null : this.number(place);
  }

  text(place: number): string {
    const value = this.#values[place];
    if (typeof value === 'string') return value;
    throw new UnreadableValueError(`expected a text in place ${place}, got ${typeof value}`);
  }

  textOrNull(place: number): string | null {
    return this.#values[place] === null ? null : this.text(place);
  }

  list(place: number): CheckedList {
    return new CheckedList(this.#values[place]);
  }

  /** The elements as lists of their own. */
  lists(): CheckedList[] {
    return this.#values.map((value) => new CheckedList(value));
  }

  /** The element of `table` that place `place` refers to, counted from 1. */
  refer<T>(place: number, table: readonly T[]): T {
    const value = table[this.number(place) - 1];
    if (value === undefined) throw new UnreadableValueError(`place ${place} refers to nothing`);
    return value;
  }

  referOrNull<T>(place: number, table: readonly T[]): T | null {
    return this.#values[place] === 0 ? null : this.refer(place, table);
  }
}

/** Parses JSON that must be a list. Throws UnreadableValueError. */
export function parseList(text: string): CheckedList {
  try {
    return new CheckedList(JSON.parse(text));
  } catch (error) {
    throw new UnreadableValueError('expected a list as JSON', { cause: error });
  }
}
