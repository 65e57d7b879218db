import { type Complex, real } from './complex.ts';

/**
 * Where expressions are sampled. At two points every variable is positive; at two the signs follow the letter, so
 * that |x| differs from x, and |x+y| from |x|+|y|. Step functions are sampled once in each of 32 unit steps instead.
 */
export const POSITIVE_POINTS: readonly number[] = [0, 1];
export const MIXED_POINTS: readonly number[] = [2, 3];
const FIRST_STEP_POINT = 4;
const STEP_POINT_COUNT = 32;
export const STEP_POINTS: readonly number[] = Array.from(
  { length: STEP_POINT_COUNT },
  (_, i) => FIRST_STEP_POINT + i,
);

/** Which of the two mixed points have a negative value, by the letter's code modulo 3; never none of them. */
const SIGN_PATTERNS = [1, 2, 3] as const;

/** The value of a variable at a point; it depends on nothing but the name and the point. */
export function sampleVariable(name: string, point: number): Complex {
  const hash = hashName(name, point);
  const unit = (hash + 0.5) / 4294967296;
  if (point >= FIRST_STEP_POINT) {
    const step = (point * 5 + hashName(name, 0)) % STEP_POINT_COUNT;
    return real({ high: 1 + step + unit, low: 0 }, 0);
  }
  const size = 0.6 + unit * 1.3;
  const pattern = SIGN_PATTERNS[name.charCodeAt(name.length - 1) % 3] ?? 1;
  const negative = point >= 2 && ((pattern >> (point - 2)) & 1) === 1;
  return real({ high: negative ? -size : size, low: 0 }, 0);
}

/** A value in (0.5, 2) that stands for the unknown quantity called `label`. */
export function oracleValue(label: string): Complex {
  return real({ high: 0.5 + ((hashName(label, 77) + 0.5) / 4294967296) * 1.5, low: 0 }, 0);
}

/** 32 well mixed bits of a name. */
export function hashName(name: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b9);
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
