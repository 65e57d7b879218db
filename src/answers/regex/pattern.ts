/** A parsed pattern. Everything that needs backtracking (back-references, look-around) is no part of it. */
export type Pattern =
  | { kind: 'empty' }
  | { kind: 'set'; negated: boolean; ranges: Array<readonly [from: number, to: number]> }
  | { kind: 'sequence'; items: Pattern[] }
  | { kind: 'choice'; options: Pattern[] }
  | { kind: 'repeat'; item: Pattern; min: number; max: number; lazy: boolean }
  | { kind: 'group'; item: Pattern; index: number }
  | { kind: 'assert'; assertion: Assertion };

export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'boundary' | 'no-boundary';

/** A pattern that is wrong, or that this engine refuses because it could not run in linear time. */
export class PatternError extends Error {}
