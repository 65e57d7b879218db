import { describe, expect, it } from 'vitest';
import { DEFAULT_RELIABILITY_RULES } from '../../../../src/domain/plan.ts';
import {
  decodeCohort,
  encodeCohort,
  type Former,
  formerAfter,
  settingsOf,
} from '../../../../src/store/redis/known-cohort.ts';
import { buildAdaptive, buildCohort } from '../../../support/builders.ts';

const cohort = buildCohort({ weighting: 'harmonic', includeOwn: true });

describe('a cohort in Redis', () => {
  it('is read as it was written', () => {
    for (const answers of [
      { mode: 'auto', pattern: null },
      { mode: 'auto', pattern: null, reasoning: 'opened-by-prompt', fallback: 'last' },
    ]) {
      const whole = { ...cohort, answers };
      const defined = { cohort: whole, generation: 'g', former: [{ until: 7, cohort }] };
      expect(decodeCohort(encodeCohort(defined))).toEqual(defined);
    }
  });

  it('has the defaults of settings that came after the version that wrote it', () => {
    const { options: _options, weighting: _weighting, includeOwn: _own, ...rest } = cohort;
    const { reliability: _reliability, reward: _reward, ...older } = rest;
    const raw = JSON.stringify({ format: 1, generation: 'g', cohort: older });
    expect(decodeCohort(raw)).toEqual({ cohort: buildCohort(), generation: 'g', former: [] });
  });

  it('has the doubt of supervision adaptive where all supervisions have it now', () => {
    const { minPosterior: _min, truthShare: _share, ...older } = DEFAULT_RELIABILITY_RULES;
    const supervision = { ...buildAdaptive(), minPosterior: 0.8 };
    const raw = JSON.stringify({
      format: 1,
      generation: 'g',
      cohort: { ...cohort, supervision, reliability: older },
    });
    expect(decodeCohort(raw).cohort).toMatchObject({
      supervision: buildAdaptive(),
      reliability: { ...DEFAULT_RELIABILITY_RULES, minPosterior: 0.8 },
    });
  });

  it('keeps its former settings for as long as what was paid under them may be asked for, and 16 of them', () => {
    const at = (edition: number) => buildCohort({ edition, retentionMs: 1_000 });
    let former: readonly Former[] = [];
    for (let edition = 0; edition < 16; edition++) {
      former = formerAfter({ cohort: at(edition), generation: 'g', former }, 10 * edition) ?? [];
      expect(former.map((one) => one.cohort.edition)).toEqual(
        Array.from({ length: edition + 1 }, (_, n) => n),
      );
    }
    const full = { cohort: at(16), generation: 'g', former };
    expect(formerAfter(full, 1_999)).toBeNull();
    expect(formerAfter(full, 2_000)?.map((one) => one.cohort.edition)).toEqual(
      [...Array(16).keys()].map((n) => n + 1),
    );
  });

  it('knows its editions, the oldest that it keeps standing for those before, and no later one', () => {
    const [two, three, five] = [2, 3, 5].map((edition) => buildCohort({ edition }));
    const former = [two, three].flatMap((one) => (one === undefined ? [] : [{ until: 0, cohort: one }]));
    const defined = { cohort: five ?? cohort, generation: 'g', former };
    const found = [0, 2, 3, 4, 5, 6].map((edition) => settingsOf(defined, edition)?.edition);
    expect(found).toEqual([2, 2, 3, 5, 5, undefined]);
  });
});
