import { z } from 'zod';
import type { GroundTruth } from '../domain/bucket.ts';

/** Of a truth, or of all answers of a list together, in UTF-16 code units. */
const MAX_TRUTH_LENGTH = 16_384;
const MAX_ACCEPTED = 1_000;

/** Any value: a truth that cannot be used keeps no rollouts out, since most methods never pay by it. */
export const groundTruthSchema = z.unknown().meta({
  description:
    'The true answer: text, a number, or a list of answers each of which is right; also as {"target": …} with nothing beside it. A worked solution is read for its answer (docs/answers.md). Used for eval and for metrics; only methods ground-truth and inverted reward by it. Blank and null mean that there is none. What cannot be read, an object with other fields or more than 16,384 characters, is not used and counted.',
});

/** A truth as it came, to be spread into a group. `truthFault` says what is wrong with one that cannot be used. */
export interface TruthField {
  readonly groundTruth: GroundTruth | null;
  readonly truthFault?: string;
}

const NONE: TruthField = { groundTruth: null };

/**
 * The ground truth as data sets have it. Blank texts, null and lists of such are none. An object is read only where
 * `target` is all it says: beside other fields, as the numbers of a Countdown game, equality with it does not make an
 * answer right.
 */
export function toGroundTruth(value: unknown): TruthField {
  if (value === undefined || value === null) return NONE;
  if (Array.isArray(value)) return readList(value);
  if (typeof value === 'object') {
    const [[key, target] = [], ...others] = Object.entries(value);
    const isTarget = key === 'target' && others.length === 0;
    if (!isTarget || (isObject(target) && !Array.isArray(target)))
      return fault('is an object with fields other than "target"');
    return toGroundTruth(target);
  }
  const text = textOf(value);
  if (text === null) return fault('is beyond 2^53, where JSON numbers are rounded: send it as a string');
  return check(text.length) ?? (text.trim() === '' ? NONE : { groundTruth: text });
}

function readList(list: readonly unknown[]): TruthField {
  // Batching wraps a list once more.
  if (list.length === 1 && Array.isArray(list[0]) && !list[0].some(Array.isArray)) return readList(list[0]);
  if (list.length > MAX_ACCEPTED)
    return fault(`has ${list.length} answers; at most ${MAX_ACCEPTED} are read`);
  const texts = new Set<string>();
  let length = 0;
  for (const item of list) {
    if (isObject(item)) return fault('is a list of something else than texts and numbers');
    const text = item === null ? '' : textOf(item);
    if (text === null)
      return fault('holds a number beyond 2^53, where JSON numbers are rounded: send it as a string');
    length += text.length;
    if (text.trim() !== '') texts.add(text);
  }
  const [first, ...others] = texts;
  return (
    check(length) ??
    (first === undefined ? NONE : { groundTruth: others.length === 0 ? first : [first, ...others] })
  );
}

/** Null for an integer whose digits JSON has lost: two answers may have become one. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return null;
  return String(value).toWellFormed();
}

function check(length: number): TruthField | null {
  return length > MAX_TRUTH_LENGTH
    ? fault(`has ${length} characters; at most ${MAX_TRUTH_LENGTH} are read`)
    : null;
}

function fault(truthFault: string): TruthField {
  return { groundTruth: null, truthFault };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
