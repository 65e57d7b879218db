import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecidedGroup, Rollout } from '../../../src/domain/bucket.ts';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { DEFAULT_REWARD_RULES, REWARD_KINDS, type RewardRules } from '../../../src/domain/reward-rules.ts';
import { VOTE_WEIGHTINGS } from '../../../src/domain/vote-weighting.ts';
import type { TeacherGroup } from '../../../src/methods/method.ts';
import { methodOf } from '../../../src/methods/registry.ts';
import { agentOf, buildCohort, buildGroup, buildStored } from '../../support/builders.ts';

const NAMES = ['a', 'b', 'c'];

const rollouts = fc
  .array(
    fc.record({
      key: fc.constantFrom('4', '5', '6', '7', '1.25', null),
      tokens: fc.constantFrom(null, 0, 7),
      novelty: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      peerLogprob: fc.option(fc.double({ min: -1e6, max: 0, noNaN: true }), { nil: undefined }),
      indexed: fc.boolean(),
      late: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map(({ key, tokens, novelty, peerLogprob, indexed, late }, at): Rollout => {
      const signals = {
        ...(novelty !== undefined && { novelty }),
        ...(peerLogprob !== undefined && { peerLogprob }),
      };
      return buildStored(`r${at}`, key, {
        index: indexed ? at : null,
        tokens,
        late: late && at > 0,
        signals,
      });
    }),
  );

const share = fc.double({ min: 0, max: 1, noNaN: true });
const reward: fc.Arbitrary<RewardRules> = fc.record({
  kind: fc.constantFrom(...REWARD_KINDS),
  scale: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
  fourRegime: fc.record({
    tauHigh: share,
    tauMid: share,
    penalty: fc.double({ min: 0, max: 1e3, noNaN: true }),
  }),
  restrain: fc.record({
    center: share,
    width: fc.double({ min: 1e-3, max: 10, noNaN: true }),
    minCount: fc.integer({ min: 1, max: 9 }),
    advantagePenalty: share,
    promptWeight: fc.boolean(),
  }),
  weight: fc.constantFrom('none', 'top1', 'tv', 'jsd'),
  minWeight: share,
  flipGate: fc.option(
    fc.record({ flipPenalty: share, confidentPenalty: share, tauFlip: share, tauShare: share, floor: share }),
  ),
  entropyWindow: fc.option(fc.record({ min: share, max: fc.constantFrom(null, 2) })),
});

type Rollouts = readonly (readonly Rollout[])[];

function judge(cohort: Cohort, groups: Rollouts, previous: Rollouts) {
  const group = (name: string): DecidedGroup => {
    const at = NAMES.indexOf(name);
    const before = previous[at] ?? [];
    return buildGroup(name, [], {
      rollouts: groups[at] ?? [],
      previous: before.length === 0 ? null : buildGroup(name, [], { rollouts: before }),
    });
  };
  const method = methodOf(cohort.method);
  const agent = agentOf(cohort, 'a');
  const teachers = method
    .waitsFor(cohort, agent, null)
    .map((name): TeacherGroup => ({ agent: name, round: 0, group: group(name) }));
  return method.judge({ cohort, agent, promptId: 'p', round: 0, own: group('a'), truth: null, teachers });
}

const supervision = fc.constantFrom(
  { kind: 'ring', direction: 'predecessor' } as const,
  { kind: 'pooled' } as const,
  { kind: 'peer-majority' } as const,
);
const three = fc.tuple(rollouts, rollouts, rollouts);

describe('under any reward rules', () => {
  it('every reward is a finite number, or null with a reason, for early and late rollouts alike', () => {
    fc.assert(
      fc.property(
        three,
        three,
        reward,
        supervision,
        fc.constantFrom('co-rl', 'ttrl'),
        (groups, before, rules, by, method) => {
          const cohort = buildCohort({ agents: NAMES, method, supervision: by, reward: rules });
          const judgement = judge(cohort, groups, before);
          for (const rollout of groups[0]) {
            const paid = judgement.reward(rollout);
            if (paid === null) expect(judgement.reasonOf?.(rollout)).toMatch(/\.$/);
            else expect(Number.isFinite(paid) && !Object.is(paid, -0)).toBe(true);
          }
          expect(judgement.weight ?? 1).toBeGreaterThanOrEqual(0);
          expect(judgement.weight ?? 1).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('the order in which rollouts came changes no reward', () => {
    const shuffledThree = three.chain((groups) =>
      fc.tuple(
        fc.constant(groups),
        fc.tuple(
          ...groups.map((group) =>
            fc.shuffledSubarray([...group], { minLength: group.length, maxLength: group.length }),
          ),
        ),
      ),
    );
    const weighting = fc.constantFrom(...VOTE_WEIGHTINGS);
    fc.assert(
      fc.property(
        shuffledThree,
        reward,
        supervision,
        weighting,
        fc.boolean(),
        ([groups, shuffled], rules, by, weights, includeOwn) => {
          const cohort = buildCohort({
            agents: NAMES,
            supervision: by,
            reward: rules,
            weighting: weights,
            includeOwn,
          });
          const [one, other] = [judge(cohort, groups, []), judge(cohort, shuffled, [])];
          const rewards = (judgement: typeof one) => groups[0].map((rollout) => judgement.reward(rollout));
          expect([other.label, other.share, rewards(other)]).toEqual([one.label, one.share, rewards(one)]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('the default ones pay exactly 1 for the label and 0 for the rest', () => {
    fc.assert(
      fc.property(three, supervision, (groups, by) => {
        // A copy, as it comes out of a store.
        const cohort = buildCohort({ agents: NAMES, supervision: by, reward: { ...DEFAULT_REWARD_RULES } });
        const judgement = judge(cohort, groups, []);
        for (const rollout of groups[0]) {
          const isLabel = judgement.label !== null && rollout.key === judgement.label.key;
          expect(judgement.reward(rollout)).toBe(isLabel ? 1 : 0);
        }
      }),
    );
  });
});
