import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Basis, Bucket, Group, Rollout, Truth } from '../../../../src/domain/bucket.ts';
import type { KeptPrompt } from '../../../../src/domain/kept-prompt.ts';
import type { Plan } from '../../../../src/domain/plan.ts';
import { PARTS, type Signals } from '../../../../src/domain/signals.ts';
import { UnreadableValueError } from '../../../../src/store/redis/checked-list.ts';
import { CAUSES, GROUP_STATES, packPrompt } from '../../../../src/store/redis/pack-prompt.ts';
import { unpackPrompt } from '../../../../src/store/redis/unpack-prompt.ts';
import { buildCohort } from '../../../support/builders.ts';

/** Two editions of one cohort. */
const SETTINGS = [buildCohort(), buildCohort({ edition: 1, k: 3 })] as const;
const settingsOf = (edition: number) => SETTINGS[edition === 1 ? 1 : 0];

/** Any text a client may send: also the halves that cutting an emoji leaves. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('\ud83d', '', '0', '__proto__'),
);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const time = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
const agent = fc.constantFrom('a', 'b', 'qwen');

const signals: fc.Arbitrary<Signals> = fc.record(
  {
    entropy: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
    selfCertainty: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
    peerLogprob: fc.double({ noNaN: true, noDefaultInfinity: true, max: -1 }),
    score: fc.integer({ min: -10, max: 10 }),
    fault: text,
    interaction: text,
    part: fc.constantFrom(...PARTS),
    tau: fc.constantFrom(1, 2, 3),
    turn: fc.nat(9),
    novelty: fc.double({ noNaN: true, min: 0, max: 1 }),
  },
  { requiredKeys: [] },
);

const rollout: fc.Arbitrary<Rollout> = fc.record({
  id: fc.oneof(text, fc.constantFrom('#0', '#1', '#null', '~3')),
  index: orNull(fc.integer({ min: -2, max: 9 })),
  incarnation: orNull(fc.constantFrom('i-1', 'i-2')),
  step: orNull(fc.integer({ min: 0, max: 3 })),
  answer: orNull(text),
  key: orNull(text),
  digest: text,
  tokens: orNull(fc.nat()),
  truncated: fc.boolean(),
  late: fc.boolean(),
  anonymous: fc.boolean(),
  holder: orNull(text),
  askedAt: orNull(fc.array(fc.nat())),
  signals: orNull(signals),
});

const buildGroup = (
  basis: fc.Arbitrary<readonly Basis[] | null>,
  previous: fc.Arbitrary<Group | null> = fc.constant(null),
): fc.Arbitrary<Group> =>
  fc.record({
    agent,
    k: fc.integer({ min: 1, max: 64 }),
    state: fc.constantFrom(...GROUP_STATES),
    cause: orNull(fc.constantFrom(...CAUSES)),
    incarnation: orNull(fc.constantFrom('i-1', 'i-2')),
    step: orNull(fc.integer({ min: 0, max: 3 })),
    openedAt: time,
    deadlineAt: time,
    quorumAt: orNull(time),
    decidedAt: orNull(time),
    rollouts: fc.array(rollout, { maxLength: 4 }),
    basis,
    previous,
  });

const flatGroup = buildGroup(fc.constant(null));
const group = buildGroup(
  orNull(fc.array(fc.record({ agent, round: fc.nat(9), group: orNull(flatGroup) }), { maxLength: 2 })),
  orNull(flatGroup),
);
const truth: fc.Arbitrary<Truth> = fc.record(
  {
    text,
    key: text,
    mode: fc.constantFrom('boxed', 'raw'),
    accepted: fc.array(text, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['text', 'key', 'mode'] },
);

const byAgent = fc.dictionary(agent, fc.double({ noNaN: true, min: 0, max: 1 }), { noNullPrototype: true });
const plan: fc.Arbitrary<Plan> = fc.record(
  {
    version: fc.nat(),
    rows: fc.nat(),
    reliability: byAgent,
    teachers: orNull(fc.dictionary(agent, agent, { noNullPrototype: true })),
    parts: byAgent,
  },
  { requiredKeys: ['version', 'rows', 'reliability', 'teachers'] },
);

const kept: fc.Arbitrary<KeptPrompt> = fc
  .record({
    buckets: fc.uniqueArray(
      fc.record({
        round: fc.nat(20),
        truth: orNull(truth),
        plan: orNull(plan),
        groups: fc.array(group, { maxLength: 3 }),
        at: time,
      }),
      { selector: ({ round }) => round, maxLength: 3 },
    ),
    visits: fc.array(
      fc.tuple(agent, fc.record({ round: fc.nat(9), incarnation: orNull(text), step: orNull(fc.nat(9)) })),
    ),
    labels: fc.array(fc.tuple(agent, fc.record({ round: fc.nat(9), group }))),
    usedAt: time,
  })
  .map(({ buckets, visits, labels, usedAt }) => {
    const rounds = new Map<number, Bucket>();
    const touchedAt = new Map<number, number>();
    for (const { round, truth: known, plan: made, groups, at } of buckets) {
      const byAgent = new Map(groups.map((one) => [one.agent, one]));
      rounds.set(round, {
        promptId: 'p',
        round,
        truth: known,
        settings: settingsOf(round % 2),
        plan: made,
        groups: byAgent,
      });
      touchedAt.set(round, at);
    }
    const state = { promptId: 'p', rounds, visits: new Map(visits), labels: new Map(labels) };
    return { state, touchedAt, usedAt };
  });

describe('a packed prompt', () => {
  it('unpacks to what was packed, whatever it holds and in the same order', () => {
    fc.assert(
      fc.property(kept, (prompt) => {
        const copy = unpackPrompt('p', packPrompt(prompt), settingsOf);
        expect(copy).toEqual(prompt);
        expect([...copy.state.rounds.keys()]).toEqual([...prompt.state.rounds.keys()]);
        expect(packPrompt(copy)).toBe(packPrompt(prompt));
      }),
    );
  });

  it('holds a group once that is a bucket’s group and a label, and gives it back as one', () => {
    fc.assert(
      fc.property(group, (one) => {
        const bucket: Bucket = {
          promptId: 'p',
          round: 0,
          truth: null,
          settings: settingsOf(0),
          plan: null,
          groups: new Map([[one.agent, one]]),
        };
        const alone = { promptId: 'p', rounds: new Map([[0, bucket]]), visits: new Map(), labels: new Map() };
        const prompt = { state: alone, touchedAt: new Map([[0, one.openedAt]]), usedAt: one.openedAt };
        const labels = new Map([[one.agent, { round: 0, group: one }]]);
        const labeled = { ...prompt, state: { ...alone, labels } };
        expect(packPrompt(labeled).length - packPrompt(prompt).length).toBeLessThan(16);
        const { state } = unpackPrompt('p', packPrompt(labeled), settingsOf);
        expect(state.labels.get(one.agent)?.group).toBe(state.rounds.get(0)?.groups.get(one.agent));
      }),
    );
  });

  it('is refused when its format is another, or when it is cut or changed anywhere', () => {
    fc.assert(
      fc.property(kept, fc.nat(), fc.constantFrom('', '[', '"', 'x', '99'), (prompt, place, patch) => {
        const whole = packPrompt(prompt);
        expect(() => unpackPrompt('p', `2${whole.slice(1)}`, settingsOf)).toThrow(UnreadableValueError);
        expect(() => unpackPrompt('p', whole.slice(0, place % whole.length), settingsOf)).toThrow(
          UnreadableValueError,
        );
        const at = place % whole.length;
        const changed = whole.slice(0, at) + patch + whole.slice(at + 1);
        try {
          unpackPrompt('p', changed, settingsOf);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableValueError);
        }
      }),
    );
  });
});
