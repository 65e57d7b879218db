import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArrivalContext, GroupArrival } from '../../../src/domain/arrival.ts';
import type { Bucket, Group } from '../../../src/domain/bucket.ts';
import { isDecided } from '../../../src/domain/bucket.ts';
import type { Cohort, Supervision } from '../../../src/domain/cohort.ts';
import { emptyPrompt, type PromptState } from '../../../src/domain/prompt-state.ts';
import { receive } from '../../../src/domain/receive.ts';
import { methodOf } from '../../../src/methods/registry.ts';
import {
  agentOf,
  buildAnonymous,
  buildArrival,
  buildCohort,
  buildContext,
  buildRollout,
} from '../../support/builders.ts';

type Sent = { readonly agent: string; readonly arrival: GroupArrival };

function play(
  cohort: Cohort,
  sent: readonly Sent[],
  contextOf: (at: number) => Partial<ArrivalContext> = () => ({}),
) {
  return sent.reduce<PromptState>((state, { agent, arrival }, at) => {
    const context = buildContext(cohort, agent, { holder: `h${at}`, ...contextOf(at) });
    return receive(state, arrival, context, 0).prompt;
  }, emptyPrompt('p'));
}

/** Label and rewards of every agent in a bucket, rewards by what `nameOf` calls a rollout. */
function judgeAll(cohort: Cohort, bucket: Bucket, nameOf: (rollout: Group['rollouts'][number]) => string) {
  return cohort.agents.map((agent) => {
    const own = bucket.groups.get(agent.name);
    if (own === undefined) throw new Error(`no group of ${agent.name}`);
    const { promptId, round, truth } = bucket;
    const teachers = methodOf(cohort.method)
      .waitsFor(cohort, agent, bucket.plan)
      .map((name) => {
        const group = bucket.groups.get(name);
        if (!isDecided(group)) throw new Error(`group of ${name} is open`);
        return { agent: name, round, group };
      });
    const { label, reward } = methodOf(cohort.method).judge({
      cohort,
      agent,
      promptId,
      round,
      own,
      truth,
      teachers,
    });
    const rewards = own.rollouts.map((rollout) => `${nameOf(rollout)}=${reward(rollout)}`);
    return { agent: agent.name, label: label?.key ?? null, rewards: rewards.sort() };
  });
}

/** Groups with their rollouts in the order of their ids, as bytes. */
function freeze(state: PromptState): string {
  const rounds = [...state.rounds.values()].sort((a, b) => a.round - b.round);
  return JSON.stringify(
    rounds.map(({ round, truth, groups }) => ({
      round,
      truth,
      groups: [...groups.values()]
        .sort((a, b) => (a.agent < b.agent ? -1 : 1))
        .map((group) => ({
          ...group,
          rollouts: group.rollouts.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        })),
    })),
  );
}

const supervisions: readonly Supervision[] = [
  { kind: 'ring', direction: 'predecessor' },
  { kind: 'ring', direction: 'successor' },
  { kind: 'peer-majority' },
  { kind: 'pooled' },
];
const key = fc.constantFrom('1', '2', '10', '__proto__', null);

/** Cuts a list into parts at random, and sends some of them once more. */
function splits<T>(items: readonly T[]): fc.Arbitrary<T[][]> {
  return fc
    .tuple(
      fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length }),
      fc.array(fc.nat({ max: items.length }), { maxLength: 4 }),
      fc.array(fc.nat({ max: 1_000 }), { maxLength: 4 }),
    )
    .map(([shuffled, cuts, repeats]) => {
      const edges = [0, ...cuts, items.length].toSorted((a, b) => a - b);
      const parts = edges.slice(1).map((end, at) => shuffled.slice(edges[at], end));
      const filled = parts.filter((part) => part.length > 0);
      return [...filled, ...repeats.flatMap((pick) => [filled[pick % filled.length] ?? []])];
    });
}

/** A cohort, what each agent samples in each of two rounds, and one way to send it. */
const explicitRounds = fc
  .record({
    supervision: fc.constantFrom(...supervisions),
    k: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 }),
    keys: fc.array(key, { minLength: 40, maxLength: 40 }),
    orders: fc.integer({ min: 2, max: 3 }),
  })
  .chain(({ supervision, k, keys, orders }) => {
    const agents = k.map((size, at) => ({ name: `agent-${at}`, k: size }));
    const groups = agents.flatMap(({ name, k: size }, at) =>
      [0, 1].map((round) => ({
        agent: name,
        round,
        rollouts: Array.from({ length: size }, (_, index) =>
          buildRollout(`r${index}`, keys[(at * 2 + round) * 5 + index] ?? null, { index }),
        ),
      })),
    );
    const order = fc
      .tuple(
        ...groups.map((group) =>
          splits(group.rollouts).map((parts) => parts.map((part) => ({ group, part }))),
        ),
      )
      .chain((all) => {
        const parts = all.flat();
        return fc.shuffledSubarray(parts, { minLength: parts.length, maxLength: parts.length });
      })
      .map((parts) =>
        parts.map(
          ({ group: { agent, round }, part }): Sent => ({
            agent,
            arrival: buildArrival('p', part, { round }),
          }),
        ),
      );
    return fc.record({
      cohort: fc.constant(buildCohort({ agents, supervision })),
      orders: fc.array(order, { minLength: orders, maxLength: orders }),
    });
  });

describe('receive, in any order', () => {
  it('gives byte-identical groups, labels and rewards for every order, split and repetition', () => {
    fc.assert(
      fc.property(explicitRounds, ({ cohort, orders }) => {
        const states = orders.map((sent) => play(cohort, sent));
        const results = states.map((state) =>
          JSON.stringify(
            [0, 1].map((round) => {
              const bucket = state.rounds.get(round);
              if (bucket === undefined) throw new Error(`no round ${round}`);
              return judgeAll(cohort, bucket, ({ id }) => id);
            }),
          ),
        );
        expect(new Set(states.map(freeze)).size).toBe(1);
        expect(new Set(results).size).toBe(1);
        for (const bucket of states[0]?.rounds.values() ?? []) {
          for (const group of bucket.groups.values()) expect(group.state).toBe('complete');
        }
      }),
      { numRuns: 100 },
    );
  });

  it('gives the same label and rewards for the same texts without ids in every order', () => {
    const texts = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 4, maxLength: 4 });
    const both = fc.tuple(texts, texts).chain(([a, b]) => {
      const sent = [...a.map((text) => ['a', text] as const), ...b.map((text) => ['b', text] as const)];
      const order = fc.shuffledSubarray(sent, { minLength: 8, maxLength: 8 });
      return fc.tuple(order, order);
    });
    const cohort = buildCohort({ k: 4 });
    fc.assert(
      fc.property(both, (orders) => {
        const results = orders.map((order) => {
          const sent = order.map(([agent, text]) => ({
            agent,
            arrival: buildArrival('p', [buildAnonymous(text)]),
          }));
          const bucket = play(cohort, sent).rounds.get(0);
          if (bucket === undefined) throw new Error('no bucket');
          return JSON.stringify(judgeAll(cohort, bucket, ({ digest }) => digest));
        });
        expect(results[0]).toBe(results[1]);
      }),
    );
  });

  it('pairs the nth visit of every agent, however their visits and retries interleave', () => {
    const turns = fc.array(fc.record({ agent: fc.constantFrom('a', 'b', 'c'), retry: fc.boolean() }), {
      maxLength: 24,
    });
    const cohort = buildCohort({ agents: ['a', 'b', 'c'] });
    fc.assert(
      fc.property(turns, (all) => {
        const visits = new Map<string, number>();
        let state = emptyPrompt('p');
        for (const [at, { agent, retry }] of all.entries()) {
          const visit = visits.get(agent) ?? 0;
          const again = retry && visit > 0;
          const which = again ? at % visit : visit;
          const rollouts = ['1', '2'].map((answer) => buildRollout(`visit${which}-${answer}`, answer));
          const { prompt, outcome } = receive(
            state,
            buildArrival('p', rollouts),
            buildContext(cohort, agent, { holder: `h${at}` }),
            0,
          );
          if (outcome.kind !== 'stored') throw new Error(outcome.kind);
          expect(outcome.bucket.round).toBe(which);
          expect(outcome.added).toBe(again ? 0 : 2);
          if (!again) visits.set(agent, visit + 1);
          state = prompt;
        }
      }),
    );
  });
});

describe('receive, repeated', () => {
  const arrival = fc.record({
    agent: fc.constantFrom('a', 'b'),
    round: fc.option(fc.nat({ max: 1 })),
    rollouts: fc.array(
      fc.oneof(
        fc.constantFrom('x', 'y').map((text) => buildAnonymous(text)),
        fc.tuple(fc.nat({ max: 3 }), key).map(([id, answer]) => buildRollout(`r${id}`, answer)),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    restarts: fc.boolean(),
    anonymous: fc.boolean(),
    step: fc.option(fc.nat({ max: 2 })),
    finished: fc.boolean(),
    now: fc.nat({ max: 100 }),
  });

  it('changes nothing the second time, whatever came before', () => {
    const cases = fc.record({
      mode: fc.constantFrom('sync' as const, 'last-label' as const),
      k: fc.integer({ min: 1, max: 3 }),
      quorum: fc.constantFrom(null, 1),
      sent: fc.array(arrival, { maxLength: 12 }),
    });
    fc.assert(
      fc.property(cases, ({ mode, k, quorum, sent }) => {
        const cohort = buildCohort({ k, barrier: { mode, quorum } });
        let state = emptyPrompt('p');
        const starts = new Map<string, number>();
        for (const [at, { agent, round, rollouts, step, finished, now, ...start }] of sent.entries()) {
          // Never back to an earlier one: the service refuses those before they come here.
          starts.set(agent, (starts.get(agent) ?? 0) + Number(start.restarts));
          const incarnation = start.anonymous ? null : `i-${starts.get(agent)}`;
          const context = buildContext(cohort, agent, {
            incarnation,
            step,
            holder: `h${at}`,
            finished: new Set(finished ? [agentOf(cohort, agent).name] : []),
          });
          const once = receive(state, buildArrival('p', rollouts, { round }), context, now);
          const twice = receive(once.prompt, buildArrival('p', rollouts, { round }), context, now + 1);
          expect(twice.prompt).toEqual(once.prompt);
          if (once.outcome.kind === 'stored') {
            const { bucket, slots } = once.outcome;
            expect(twice.outcome).toEqual({ kind: 'stored', bucket, slots, added: 0, decided: [] });
          } else expect(twice.outcome).toEqual(once.outcome);
          state = once.prompt;
        }
      }),
      { numRuns: 400 },
    );
  });
});
