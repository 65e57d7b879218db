import { expect } from 'vitest';
import { canonicalKey } from '../../../src/answers/canonical-key.ts';
import { grade } from '../../../src/answers/grade.ts';

/** Two spellings of one answer: one vote, and accepted. */
export function expectSame(a: string, b: string): void {
  expect(canonicalKey(a), `${a} and ${b}`).toBe(canonicalKey(b));
  expect(grade(a, b, 'raw').equal).toBe(true);
}

/** Two answers: two votes, and neither accepted for the other. */
export function expectDifferent(a: string, b: string): void {
  expect(canonicalKey(a), `${a} and ${b}`).not.toBe(canonicalKey(b));
  expect(grade(a, b, 'raw').equal, `${a} and ${b}`).toBe(false);
  expect(grade(b, a, 'raw').equal).toBe(false);
}
