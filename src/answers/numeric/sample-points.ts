import { type Complex, real } from './complex.ts';

/**
 * Where expressions are sampled. At two points every variable is positive; at two the signs follow the letter, so
 * that |x| differs from x, and |x+y| from |x|+|y|. Step functions are sampled once in each of 32 unit steps instead.
 */
export const POSITIVE_POINTS: readonly number[] = [0, 1];
export const MIXED_POINTS: readonly number[] = [2, 3];
const FIRST_STEP_POINT = 4;
const STEP_POINT_COUNT = 48;
const RUN_LENGTH = 24;
const LARGE_FROM = 36;
/** Prime to the length of the run, so that each of its numbers is met once. */
const STRIDES = [1, 5, 7, 11, 13, 17, 19, 23] as const;
const INTEGER_NAME = /^[j-nKMN](?![a-z])/;
export const STEP_POINTS: readonly number[] = Array.from(
  { length: STEP_POINT_COUNT },
  (_, i) => FIRST_STEP_POINT + i,
);

/** Step points without the large ones: values of up to sixteen in size for what is no whole number. */
export const WIDE_POINTS: readonly number[] = STEP_POINTS.slice(0, RUN_LENGTH / 2).filter(
  (_, i) => i % 4 !== 3,
);

/** Which of the two mixed points have a negative value, by the letter's code modulo 3; never none of them. */
const SIGN_PATTERNS = [1, 2, 3] as const;

/** The value of a variable at a point; it depends on nothing but the name and the point. */
export function sampleVariable(name: string, point: number): Complex {
  const hash = hashName(name, point);
  const unit = (hash + 0.5) / 4294967296;
  if (point >= FIRST_STEP_POINT) {
    const index = point - FIRST_STEP_POINT;
    const value = isIntegerName(name) ? wholeSample(name, index, hash) : brokenSample(index, hash);
    return real({ high: value, low: 0 }, 0);
  }
  const size = 0.6 + unit * 1.3;
  const pattern = SIGN_PATTERNS[name.charCodeAt(name.length - 1) % 3] ?? 1;
  const negative = point >= 2 && ((pattern >> (point - 2)) & 1) === 1;
  // Digits below those of a double keep multiples of the value away from the middle between two doubles.
  const low = size * (hashName(name, point + 101) / 4294967296) * 2 ** -54;
  return real({ high: negative ? -size : size, low: negative ? -low : low }, 0);
}

/** Whether a letter stands for a whole number by custom: j to n, K, M, N, with any index. */
export function isIntegerName(name: string): boolean {
  return INTEGER_NAME.test(name);
}

function wholeSample(name: string, index: number, hash: number): number {
  if (index >= LARGE_FROM) return 1000 + (hash % 1_000_000);
  if (index >= RUN_LENGTH) return 1 + (hash % 999);
  const start = hashName(name, 0);
  return 1 + ((index * (STRIDES[(start >>> 8) % STRIDES.length] ?? 1) + start) % RUN_LENGTH);
}

function brokenSample(index: number, hash: number): number {
  const unit = (hash + 0.5) / 4294967296;
  switch (index % 4) {
    case 0:
      return (hash % 33) - 16;
    case 1:
      return 32 * unit - 16;
    case 2:
      return 1 + 32 * unit;
    default:
      return (hash % 2 === 0 ? 1 : -1) * (1000 + 999_000 * unit);
  }
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
