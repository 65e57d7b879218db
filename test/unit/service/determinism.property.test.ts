import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { DEFAULT_REWARD_RULES, type RewardRules } from '../../../src/domain/reward-rules.ts';
import type { VoteWeighting } from '../../../src/domain/vote-weighting.ts';
import { FLOAT_KEYS, stringifyWithFloats } from '../../../src/protocol/float-json.ts';
import { toSubmissionReply } from '../../../src/protocol/native/reply.ts';
import type { GroupInput } from '../../../src/service/submission.ts';
import { agentOf } from '../../support/builders.ts';
import {
  anonymousGroup,
  decided,
  openService,
  type ServiceOptions,
  type ServiceScene,
  wholeGroup,
} from '../../support/service.ts';

interface Sent {
  readonly agent: string;
  readonly groups: readonly GroupInput[];
}

const ring = (size: number, direction: 'predecessor' | 'successor' = 'predecessor'): ServiceOptions => ({
  agents: ['a', 'b', 'c', 'd', 'e'].slice(0, size),
  supervision: { kind: 'ring', direction },
});

const rewarding = (reward: Partial<RewardRules>): ServiceOptions => ({
  ...ring(3),
  reward: { ...DEFAULT_REWARD_RULES, ...reward },
});

const weighing = (weighting: VoteWeighting, includeOwn: boolean): ServiceOptions => ({
  agents: ['a', 'b', 'c'],
  supervision: { kind: 'pooled' },
  weighting,
  includeOwn,
});

const COHORTS: readonly [string, ServiceOptions][] = [
  ['a ring of 2', ring(2)],
  ['a ring of 3', ring(3)],
  ['a ring of 3 to the successor', ring(3, 'successor')],
  ['a ring of 5', ring(5)],
  ['a ring of 3 with ties drawn', { ...ring(3), vote: { tie: 'random' } }],
  ['peer-majority', { agents: ['a', 'b', 'c', 'd'], supervision: { kind: 'peer-majority' } }],
  ['pooled', { agents: ['a', 'b', 'c'], supervision: { kind: 'pooled' } }],
  [
    'a graph',
    {
      agents: ['a', 'b', 'c', { name: 'ema', role: 'teacher' }],
      supervision: {
        kind: 'graph',
        teachers: { a: ['b', 'ema'], b: ['c'], c: ['a', 'b', 'ema'] },
        aggregate: 'pooled',
      },
    },
  ],
  ['self-majority', { agents: ['a', 'b'], method: 'ttrl' }],
  [
    'a ring of 3 with soft rewards weighed by disagreement',
    rewarding({ kind: 'soft', weight: 'jsd', scale: 0.3 }),
  ],
  ['a ring of 3 with four regimes', rewarding({ kind: 'four-regime', weight: 'top1', minWeight: 0.1 })],
  ['a ring of 3 under RESTRAIN', rewarding({ kind: 'restrain', entropyWindow: { min: 0, max: 1.2 } })],
  ['a vote by self-consistency', weighing('self-consistency', false)],
  ['a harmonic vote of all agents', weighing('harmonic', true)],
  ['two views', { agents: ['a', { name: 'b', view: 'rephrased' }], method: 'co-rewarding-i' }],
  ['a draw', { agents: ['a', 'b'], method: 'random' }],
  ['a truth turned round', { agents: ['a', 'b'], method: 'inverted' }],
];

const K = 4;
/** Prompts whose visits the server counts, and one with rounds of its own. */
const VISITS = [
  { promptId: 'p', round: null },
  { promptId: 'q', round: 0 },
  { promptId: 'q', round: 1 },
] as const;

const answer = fc.constantFrom('1', '1.0', '2', '10', '\\frac{1}{2}', '0.5', null);

function shuffled<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
}

/** One way to send all this: each group cut into parts, some parts again, all in any order. */
function orderings(whole: readonly Sent[]): fc.Arbitrary<Sent[]> {
  const parts = whole.flatMap(({ agent, groups }) =>
    groups.map((group) =>
      fc.tuple(shuffled(group.rollouts), fc.nat({ max: K }), fc.boolean()).map(([rollouts, cut, again]) => {
        const cuts = [rollouts.slice(0, cut), rollouts.slice(cut)].filter(({ length }) => length > 0);
        const sent = cuts.map((some): Sent => ({ agent, groups: [{ ...group, rollouts: some }] }));
        return again ? [...sent, ...sent.slice(0, 1)] : sent;
      }),
    ),
  );
  return fc.tuple(...parts).chain((all) => shuffled(all.flat()));
}

/** What every agent samples, and one way to send it. */
function cohortRuns(agents: readonly string[]) {
  const answers = fc.array(answer, { minLength: K, maxLength: K });
  const own = fc.array(answers, { minLength: VISITS.length, maxLength: VISITS.length });
  return fc.array(own, { minLength: agents.length, maxLength: agents.length }).chain((sampled) => {
    const whole = agents.map((agent, at): Sent => {
      const groups = VISITS.map(({ promptId, round }, visit) =>
        wholeGroup(promptId, sampled[at]?.[visit] ?? [], { round, groundTruth: '0.50' }),
      );
      return { agent, groups };
    });
    return fc.record({ whole: fc.constant(whole), order: orderings(whole) });
  });
}

const namesOf = ({ agents }: Cohort) => agents.map(({ name }) => name);

/** Sends everything in this order; then every agent asks for all of its rewards, as bytes. */
async function replies(options: ServiceOptions, order: readonly Sent[], whole: readonly Sent[]) {
  const scene = await openService({ k: K, ...options });
  for (const { agent, groups } of order) await scene.record(agent, groups);
  const texts: string[] = [];
  for (const { agent, groups } of whole) {
    const result = decided(await scene.submit(agent, groups, { submissionId: 'all' }));
    texts.push(
      stringifyWithFloats(
        toSubmissionReply(result, { cohort: scene.cohort, agent: agentOf(scene.cohort, agent) }, []),
        FLOAT_KEYS,
      ),
    );
  }
  return texts;
}

/** Rewards of anonymous rollouts, by their text. */
async function rewardsByText(scene: ServiceScene, order: readonly Sent[]) {
  const tickets = [];
  for (const { agent, groups } of order) tickets.push({ agent, ticket: await scene.record(agent, groups) });
  const rewards: string[] = [];
  for (const { agent, ticket } of tickets) {
    for (const { promptId, label, rollouts } of decided(await scene.now(ticket)).groups) {
      for (const rollout of rollouts) {
        rewards.push(`${agent} ${promptId} ${label}: ${rollout.answer} = ${rollout.reward}`);
      }
    }
  }
  return rewards.sort();
}

describe('the same rollouts in 100 orders, splits and repetitions', () => {
  it.each(COHORTS)('get byte-identical replies in %s', async (_name, options) => {
    const agents = namesOf((await openService(options)).cohort);
    await fc.assert(
      fc.asyncProperty(cohortRuns(agents), async ({ whole, order }) => {
        expect(await replies(options, order, whole)).toEqual(await replies(options, whole, whole));
      }),
      { numRuns: 100 },
    );
  });

  it.each(COHORTS.slice(0, 8))(
    'get the same rewards one by one without ids, as OpenRLHF sends them, in %s',
    async (_name, options) => {
      const agents = namesOf((await openService(options)).cohort);
      const one = fc.array(answer, { minLength: K, maxLength: K });
      const run = fc.array(one, { minLength: agents.length, maxLength: agents.length }).chain((sampled) => {
        const whole = agents.flatMap((agent, at) =>
          (sampled[at] ?? []).map((text): Sent => ({ agent, groups: [anonymousGroup('p', [text])] })),
        );
        return fc.record({ whole: fc.constant(whole), order: shuffled(whole) });
      });
      await fc.assert(
        fc.asyncProperty(run, async ({ whole, order }) => {
          const [one, other] = [
            await openService({ k: K, ...options }),
            await openService({ k: K, ...options }),
          ];
          expect(await rewardsByText(one, order)).toEqual(await rewardsByText(other, whole));
        }),
        { numRuns: 100 },
      );
    },
  );
});
