import { describe, expect, it } from 'vitest';
import { drawHealthy } from '../../support/healthy-set-ups.ts';
import { openService } from '../../support/service.ts';
import { drawSetUp, MISTAKES, type MistakeName, PAIRS, type SetUp } from '../../support/set-ups.ts';
import { train } from '../../support/training.ts';

const WITHIN_S = 60;
const HEALTHY_S = 150;
/** They are about what is found, not about how fast a laden machine finds it. */
const TIMEOUT_MS = 900_000;

/** All codes that came up, each with the second at which it did, in the order of the alphabet. */
async function watch(setUp: SetUp, seconds: number): Promise<ReadonlyMap<string, number>> {
  const scene = await openService(setUp.cohort);
  const found = new Map<string, number>();
  await train(scene, setUp.trainers, seconds, async (second) => {
    for (const { code } of scene.caretaker.findings('test')) {
      if (!found.has(code)) found.set(code, second);
    }
  });
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function miss(setUps: readonly SetUp[]): Promise<readonly string[]> {
  const missed: string[] = [];
  for (const setUp of setUps) {
    const found = await watch(setUp, setUp.from + WITHIN_S);
    const isRight = [...found.keys()].join() === setUp.expected.join();
    if (!isRight) missed.push(`${setUp.name}: ${JSON.stringify([...found])}`);
  }
  return missed;
}

describe('what is wrong with a run', () => {
  it(
    'is named within a minute, by its cause and nothing else, for a single mistake',
    async () => {
      const names = Object.keys(MISTAKES) as MistakeName[];
      const setUps = names.flatMap((name) =>
        [2001, 2002, 2003].map((seed) => {
          const few = name === 'truths in another form';
          return drawSetUp(seed, [name], few ? { promptsPerStep: 4 } : {});
        }),
      );
      const missed = await miss(setUps);
      expect(setUps.length).toBeGreaterThanOrEqual(40);
      expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.05 * setUps.length);
    },
    TIMEOUT_MS,
  );

  it(
    'is named within a minute, all of it and nothing else, for two mistakes at once',
    async () => {
      const setUps = PAIRS.flatMap((names) =>
        [3001, 3002].map((seed) => drawSetUp(seed, names, { promptsPerStep: 8 })),
      );
      const missed = await miss(setUps);
      expect(setUps.length).toBeGreaterThanOrEqual(20);
      expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.05 * setUps.length);
    },
    TIMEOUT_MS,
  );

  it(
    'is nothing in forty runs that are healthy, whatever their habits',
    async () => {
      for (let seed = 4001; seed <= 4040; seed++) {
        const setUp = drawHealthy(seed);
        expect([setUp.name, ...(await watch(setUp, HEALTHY_S))]).toEqual([setUp.name]);
      }
    },
    TIMEOUT_MS,
  );
});
