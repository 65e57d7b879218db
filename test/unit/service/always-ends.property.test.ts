import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Supervision } from '../../../src/domain/cohort.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { PARTS, type Signals } from '../../../src/domain/signals.ts';
import type { Ticket } from '../../../src/service/submission.ts';
import { decided, groupOf, openService, type Parked, rolloutOf, settleDown } from '../../support/service.ts';

const AGENTS = ['a', 'b', 'c'];
const PROMPTS = ['p', 'q'];
const K = 3;
const DEADLINE_MS = 60_000;

const agent = fc.constantFrom(...AGENTS);
const prompt = fc.constantFrom(...PROMPTS);
const round = fc.constantFrom(null, 0, 1);

/** One thing that may happen in a cohort. */
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      agent,
      prompt,
      round,
      index: fc.nat({ max: K - 1 }),
      answer: fc.constantFrom('1', '2', null),
      incarnation: fc.constantFrom(null, 'i-1', 'i-2'),
      anonymous: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('skip' as const), agent, prompt }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('finish' as const), agent }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat({ max: DEADLINE_MS }) }),
  },
);

const supervision: fc.Arbitrary<Supervision> = fc.oneof(
  fc.record({
    kind: fc.constant('ring' as const),
    direction: fc.constantFrom('predecessor' as const, 'successor' as const),
  }),
  fc.constant({ kind: 'peer-majority' as const }),
  fc.constant({ kind: 'pooled' as const }),
);

const run = fc.record({
  method: fc.constantFrom('co-rl' as const, 'ttrl' as const, 'comas' as const, 'maporl' as const),
  supervision,
  quorum: fc.constantFrom(null, 1, 2),
  mode: fc.constantFrom('sync' as const, 'last-label' as const),
  events: fc.array(event, { minLength: 1, maxLength: 25 }),
});

type Situation = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

/** A place in one discussion, for the methods that reward it as a whole. */
function signalsOf(index: number): Signals {
  return { interaction: 'x', part: PARTS[index] ?? 'solver', tau: 2, turn: index, score: 0.5 };
}

/** Plays the events; every submission is waited for without an end of its own. */
async function play({ method, supervision, quorum, mode, events }: Situation) {
  const scene = await openService({
    agents: AGENTS,
    k: K,
    method,
    supervision,
    barrier: { mode, quorum, graceMs: 5_000, deadlineMs: DEADLINE_MS },
  });
  const tickets: Ticket[] = [];
  const parked: Parked[] = [];
  const refused: unknown[] = [];
  for (const one of events) {
    try {
      switch (one.kind) {
        case 'submit': {
          const id = one.anonymous ? null : one.index;
          const group = groupOf(one.prompt, [rolloutOf(one.answer, id, { signals: signalsOf(one.index) })], {
            round: one.round,
          });
          const ticket = await scene.record(one.agent, [group], { incarnation: one.incarnation });
          tickets.push(ticket);
          parked.push(await scene.park(ticket, Number.POSITIVE_INFINITY));
          break;
        }
        case 'skip':
          await scene.skip(one.agent, one.prompt);
          break;
        case 'finish':
          await scene.finish(one.agent);
          break;
        case 'pass':
          await scene.advance(one.ms);
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refused.push(error.code);
    }
  }
  return { scene, tickets, parked, refused };
}

describe('a barrier', () => {
  it('always ends: whatever was sent, skipped and left, every waiter is answered by the deadline', async () => {
    await fc.assert(
      fc.asyncProperty(run, async (situation) => {
        const { scene, parked, refused } = await play(situation);
        await scene.advance(DEADLINE_MS);
        await settleDown();
        // Figures are written behind everybody's back, in their own time.
        await scene.diagnostics.flush();
        expect(parked.filter(({ over }) => !over)).toEqual([]);
        expect(scene.barrier.held('test')).toBe(0);
        expect(scene.clock.pending).toBe(0);
        const ends = await Promise.allSettled(parked.map(({ result }) => result));
        for (const end of ends) {
          if (end.status === 'fulfilled') expect(end.value.kind).toBe('decided');
          else expect(end.reason).toMatchObject({ code: 'stale_incarnation' });
        }
        for (const code of refused) {
          expect(['rollout_conflict', 'stale_incarnation']).toContain(code);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never mixes outcomes in a group: every answer that names it says the same, then and later', async () => {
    await fc.assert(
      fc.asyncProperty(run, async (situation) => {
        const { scene, parked, tickets } = await play(situation);
        await scene.advance(DEADLINE_MS);
        const ends = await Promise.allSettled(parked.map(({ result }) => result));
        const outcomes = new Map<string, Set<string>>();
        const labels = new Map<string, Set<string>>();
        for (const [at, end] of ends.entries()) {
          const ticket = tickets[at];
          if (end.status === 'rejected' || ticket === undefined) continue;
          for (const result of [end.value, await scene.now(ticket)]) {
            for (const group of decided(result).groups) {
              // What the agent's own label says is known later than its rewards are.
              const { promptId, round, rollouts: _, agrees: __, counts: ___, label, ...outcome } = group;
              const key = `${ticket.agent.name}/${promptId}/${round}`;
              // Nor is the label shown before the own rollouts are all in, of which the last may come late.
              if (label !== null) labels.set(key, (labels.get(key) ?? new Set()).add(label));
              outcomes.set(key, (outcomes.get(key) ?? new Set()).add(JSON.stringify(outcome)));
            }
          }
        }
        for (const said of [...outcomes.values(), ...labels.values()]) expect([...said]).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});
