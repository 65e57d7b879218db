import { hashKey } from '../../src/domain/hash.ts';

/**
 * Recorded rollouts have no entropies, verdicts and judge's scores, so they are invented: uniform numbers that hang on
 * nothing but the names given, the same in every run.
 */
export function invent(...names: readonly (string | number)[]): number {
  return hashKey(`invented\u0000${names.join('\u0000')}`) / 2 ** 32;
}
