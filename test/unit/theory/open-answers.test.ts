import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/cli/simulate/seeded.ts';
import {
  openAnswers,
  openEvenPoint,
  openPull,
  openSelfPull,
  pluralityAccuracy,
} from '../../../src/theory/open-answers.ts';
import { drawBinomial } from '../../../src/theory/random.ts';
import { meanSpread, pull, selfPull, voteAccuracy } from '../../../src/theory/vote-curve.ts';

describe('a plurality of open answers', () => {
  it.each([
    { k: 8, wrong: 2, v: 0.2650088812499999, even: 0.4097851876000563 },
    { k: 8, wrong: 7, v: 0.5199119999999998, even: 0.29137786174455554 },
    { k: 12, wrong: 3, v: 0.3823420450743042, even: 0.34242328177694714 },
    { k: 12, wrong: 15, v: 0.7490759087908573, even: 0.20868614107698857 },
  ])('is right as counted by hand with K = $k and $wrong wrong answers', ({ k, wrong, v, even }) => {
    const answers = openAnswers(k, wrong);
    expect(pluralityAccuracy(answers, 0.3)).toBeCloseTo(v, 12);
    expect(openEvenPoint(answers)).toBeCloseTo(even, 9);
  });

  it('with a single wrong answer is the binary vote in everything', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (k, p) => {
          const answers = openAnswers(k, 1);
          const right = voteAccuracy(k, 0.6);
          expect(pluralityAccuracy(answers, p)).toBeCloseTo(voteAccuracy(k, p), 10);
          expect(openPull(answers, p, right, 1 - right)).toBeCloseTo(meanSpread(k, p) * pull(k, 0.6), 10);
          expect(openSelfPull(answers, p)).toBeCloseTo(selfPull(k, p), 10);
        },
      ),
    );
  });

  it('pulls as sampled groups do, under a label of their own and of others', () => {
    const [k, wrong, p, groups] = [6, 3, 0.4, 200_000] as const;
    const random = seeded(7);
    let [own, other] = [0, 0];
    for (let at = 0; at < groups; at++) {
      const right = drawBinomial(k, p, random);
      const counts = [right, 0, 0, 0];
      for (let n = right; n < k; n++) {
        const pick = 1 + Math.floor(random() * wrong);
        counts[pick] = (counts[pick] ?? 0) + 1;
      }
      const most = Math.max(...counts);
      const leaders = counts.flatMap((count, answer) => (count === most ? [answer] : []));
      own += move(counts, k, leaders[Math.floor(random() * leaders.length)] ?? 0);
      other += move(counts, k, random() < 0.7 ? 0 : 1 + Math.floor(random() * wrong));
    }
    const answers = openAnswers(k, wrong);
    expect(own / groups).toBeCloseTo(openSelfPull(answers, p), 2);
    expect(other / groups).toBeCloseTo(openPull(answers, p, 0.7, 0.3), 2);
  });
});

/** The right answer's share of one GRPO step: the mean over the group of advantage times "is right". */
function move(counts: readonly number[], k: number, label: number): number {
  const [right = 0] = counts;
  const paid = counts[label] ?? 0;
  const mean = paid / k;
  const std = Math.sqrt(mean * (1 - mean));
  if (std === 0) return 0;
  return (right / k) * (((label === 0 ? 1 : 0) - mean) / std);
}
