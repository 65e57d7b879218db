import { describe, expect, it } from 'vitest';
import { decodeCohort, encodeCohort } from '../../../../src/store/redis/known-cohort.ts';
import { buildCohort } from '../../../support/builders.ts';

const cohort = buildCohort({ weighting: 'harmonic', includeOwn: true });

describe('a cohort in Redis', () => {
  it('is read as it was written', () => {
    for (const answers of [
      { mode: 'auto', pattern: null },
      { mode: 'auto', pattern: null, reasoning: 'opened-by-prompt', fallback: 'last' },
    ]) {
      const whole = { ...cohort, answers };
      expect(decodeCohort(encodeCohort(whole, 'g'))).toEqual({ cohort: whole, generation: 'g' });
    }
  });

  it('has the defaults of settings that came after the version that wrote it', () => {
    const { options: _options, weighting: _weighting, includeOwn: _own, ...rest } = cohort;
    const { reliability: _reliability, reward: _reward, ...older } = rest;
    const raw = JSON.stringify({ format: 1, generation: 'g', cohort: older });
    expect(decodeCohort(raw).cohort).toEqual(buildCohort());
  });
});
