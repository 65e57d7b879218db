import { describe, expect, it } from 'vitest';
import { decodeCohort, encodeCohort } from '../../../../src/store/redis/known-cohort.ts';
import { buildCohort } from '../../../support/builders.ts';

describe('a cohort in Redis', () => {
  it('comes back as it went in', () => {
    const cohort = buildCohort({ method: 'random', options: { random: { probability: 0.1 } } });
    expect(decodeCohort(encodeCohort(cohort, 'g'))).toEqual({ cohort, generation: 'g' });
  });

  it('that a version without options wrote has their defaults, so that the same configuration changes nothing', () => {
    const cohort = buildCohort();
    const { options, ...older } = cohort;
    const raw = JSON.stringify({ format: 1, generation: 'g', cohort: older });
    expect(decodeCohort(raw).cohort).toEqual({ ...older, options });
  });
});
