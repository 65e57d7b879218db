import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Group, Rollout, Truth } from '../../../src/domain/bucket.ts';
import { type Agent, type Cohort, METHOD_NAMES, type MethodName } from '../../../src/domain/cohort.ts';
import { DEFAULT_METHOD_OPTIONS } from '../../../src/domain/method-options.ts';
import { PARTS, type Signals } from '../../../src/domain/signals.ts';
import { methodOf } from '../../../src/methods/registry.ts';
import {
  buildCohort,
  buildGroup,
  buildStored,
  buildTruth,
  type CohortOverrides,
} from '../../support/builders.ts';

/** Methods that are told the truth on purpose. */
const SUPERVISED: ReadonlySet<MethodName> = new Set(['ground-truth']);

const AGENTS: ReadonlyMap<MethodName, NonNullable<CohortOverrides['agents']>> = new Map([
  ['co-rewarding-i', ['a', { name: 'b', view: 'rephrased' }]],
  ['co-rewarding-ii', ['a', { name: 'b', role: 'teacher' }]],
]);

function cohortOf(method: MethodName): Cohort {
  const agents = AGENTS.get(method) ?? ['a', 'b', 'c'];
  const options = { inverted: { ...DEFAULT_METHOD_OPTIONS.inverted, label: 'self-vote' as const } };
  return buildCohort({ method, options, agents });
}

const signals: fc.Arbitrary<Signals> = fc.record({
  entropy: fc.double({ min: 0, max: 9, noNaN: true }),
  selfCertainty: fc.double({ min: 0, max: 9, noNaN: true }),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  interaction: fc.constantFrom('x', 'y'),
  part: fc.constantFrom(...PARTS),
  tau: fc.constantFrom(1 as const, 2 as const, 3 as const),
  turn: fc.nat({ max: 2 }),
});

const answer = fc.constantFrom('4', '5', '6', null);
const rollouts = fc
  .array(fc.tuple(answer, signals), { minLength: 1, maxLength: 6 })
  .map((sent) =>
    sent.map(([key, said], index): Rollout => buildStored(`r${index}`, key, { index, signals: said })),
  );

/** Everything that is told of one agent's group. */
function judgeAll(cohort: Cohort, agent: Agent, groups: ReadonlyMap<string, Group>, truth: Truth | null) {
  const method = methodOf(cohort.method);
  const groupOf = (name: string) => buildGroup(name, [], { rollouts: groups.get(name)?.rollouts ?? [] });
  const own = groupOf(agent.name);
  const teachers = method
    .waitsFor(cohort, agent, null)
    .map((name) => ({ agent: name, round: 0, group: groupOf(name) }));
  const judged = method.judge({ cohort, agent, promptId: 'p', round: 0, own, truth, teachers });
  return {
    ...judged,
    reward: own.rollouts.map(judged.reward),
    standIn: own.rollouts.map((rollout) => judged.standIn?.(rollout) ?? null),
    reasonOf: own.rollouts.map((rollout) => judged.reasonOf?.(rollout) ?? null),
  };
}

describe('the ground truth', () => {
  const unsupervised = METHOD_NAMES.filter((name) => !SUPERVISED.has(name));

  it.each(unsupervised)('cannot reach the rewards of %s, whatever it is', (name) => {
    const cohort = cohortOf(name);
    const groups = fc.tuple(
      ...cohort.agents.map((agent) => rollouts.map((sent) => [agent.name, sent] as const)),
    );
    const truth = fc.option(fc.constantFrom('4', '5', '6', '7').map((text) => buildTruth(text)));
    fc.assert(
      fc.property(groups, truth, truth, (sent, one, other) => {
        const all = new Map(sent.map(([agent, own]) => [agent, buildGroup(agent, [], { rollouts: own })]));
        for (const agent of cohort.agents) {
          expect(judgeAll(cohort, agent, all, one)).toEqual(judgeAll(cohort, agent, all, other));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('does reach those of ground-truth, and of inverted where that turns it round', () => {
    const own = new Map([['a', buildGroup('a', ['4', '5'])]]);
    for (const [name, rewards] of [
      ['ground-truth', [1, 0]],
      ['inverted', [0, 1]],
    ] as const) {
      const cohort = buildCohort({ method: name, agents: ['a'] });
      const [agent] = cohort.agents;
      if (agent === undefined) throw new Error('no agent');
      expect(judgeAll(cohort, agent, own, buildTruth('4')).reward).toEqual(rewards);
      expect(judgeAll(cohort, agent, own, buildTruth('5')).reward).not.toEqual(rewards);
    }
  });
});
