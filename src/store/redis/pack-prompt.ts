import type { Bucket, Group, Rollout } from '../../domain/bucket.ts';
import type { KeptPrompt } from '../../domain/kept-prompt.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Signals } from '../../domain/signals.ts';

/** First character of every packed prompt. Another layout gets another one, and never this one again. */
export const PACK_FORMAT = '1';

export const GROUP_STATES = ['open', 'complete', 'partial', 'empty'] as const satisfies Group['state'][];
export const CAUSES = ['k', 'quorum', 'skip', 'finish', 'deadline'] as const satisfies Group['cause'][];

export const TRUNCATED = 1;
export const LATE = 2;
export const ANONYMOUS = 4;

/** The fields of `Signals` in the order that packed prompts count them by: new ones go to the end. */
export const SIGNALS = [
  'entropy',
  'selfCertainty',
  'peerLogprob',
  'score',
  'fault',
  'interaction',
  'part',
  'tau',
  'turn',
  'novelty',
  'passed',
] as const satisfies readonly (keyof Signals)[];

/** A place in a table, counted from 1; 0 is null. */
type Ref = number;

/**
 * A prompt as the text that Redis holds: a format character and JSON of nested lists, which keeps every
 * text exactly, lone surrogates too. Texts and groups that occur more than once are written once; times are
 * distances. `unpackPrompt` reads it.
 */
export function packPrompt({ state, touchedAt, usedAt }: KeptPrompt): string {
  const texts = new Table<string>();
  const groups = new Map<Group, Ref>();
  const packed: unknown[] = [];
  const refOf = (group: Group): Ref => {
    const known = groups.get(group);
    if (known !== undefined) return known;
    // What it refers to goes first, so that whoever reads has met it.
    const basis = group.basis?.map(({ agent, round, group: from }) => [
      texts.ref(agent),
      round,
      from === null ? 0 : refOf(from),
    ]);
    const previous = group.previous === null ? 0 : refOf(group.previous);
    packed.push(packGroup(group, [basis ?? 0, previous], texts, usedAt));
    groups.set(group, packed.length);
    return packed.length;
  };
  const rounds = [...state.rounds.values()].map((bucket) => [
    bucket.round,
    usedAt - (touchedAt.get(bucket.round) ?? usedAt),
    packTruth(bucket, texts),
    [...bucket.groups.values()].map(refOf),
    ...packTerms(bucket, texts),
  ]);
  const visits = [...state.visits].map(([agent, { round, incarnation, step }]) => [
    texts.ref(agent),
    round,
    texts.ref(incarnation),
    step,
  ]);
  const labels = [...state.labels].map(([agent, { round, group }]) => [
    texts.ref(agent),
    round,
    refOf(group),
  ]);
  return PACK_FORMAT + JSON.stringify([usedAt, texts.values, packed, rounds, visits, labels]);
}

/** The plan and the edition of the settings: nothing where there is none and it is the first, which is nearly always. */
function packTerms({ plan, settings: { edition } }: Bucket, texts: Table<string>): readonly unknown[] {
  const packed = packPlan(plan, texts);
  if (edition > 0) return [packed ?? 0, edition];
  return packed === null ? [] : [packed];
}

function packPlan(plan: Plan | null, texts: Table<string>): readonly unknown[] | null {
  if (plan === null) return null;
  const entries = Object.entries(plan.reliability).map(([agent, value]) => [texts.ref(agent), value]);
  const teachers = Object.entries(plan.teachers ?? {}).flatMap((pair) => pair.map((name) => texts.ref(name)));
  const base = [plan.version, plan.rows, entries.flat()];
  if (plan.parts === undefined) return [...base, ...(plan.teachers === null ? [] : [teachers])];
  const parts = Object.entries(plan.parts).flatMap(([agent, part]) => [texts.ref(agent), part]);
  return [...base, plan.teachers === null ? 0 : teachers, parts];
}

function packTruth({ truth }: Bucket, texts: Table<string>): unknown {
  if (truth === null) return 0;
  const { text, key, mode, accepted = [], disputedBy } = truth;
  const list = accepted.map((one) => texts.ref(one));
  const others = disputedBy === undefined ? (list.length === 0 ? [] : [list]) : [list, texts.ref(disputedBy)];
  return [texts.ref(text), texts.ref(key), texts.ref(mode), ...others];
}

function packGroup(
  group: Group,
  references: readonly unknown[],
  texts: Table<string>,
  usedAt: number,
): unknown[] {
  const { openedAt, quorumAt, decidedAt } = group;
  return [
    texts.ref(group.agent),
    group.k,
    GROUP_STATES.indexOf(group.state),
    group.cause === null ? -1 : CAUSES.indexOf(group.cause),
    texts.ref(group.incarnation),
    group.step,
    usedAt - openedAt,
    group.deadlineAt - openedAt,
    quorumAt === null ? null : quorumAt - openedAt,
    decidedAt === null ? null : decidedAt - openedAt,
    group.rollouts.map((rollout) => packRollout(rollout, group, texts)),
    ...references,
  ];
}

/** Columns in order of how seldom they have their default, which is left out at the end of a row. */
function packRollout(rollout: Rollout, group: Group, texts: Table<string>): unknown[] {
  const { id, index, answer, key, tokens, truncated, late, anonymous } = rollout;
  const row: unknown[] = [
    rollout.digest,
    texts.ref(answer),
    key === answer ? 0 : 1 + texts.ref(key),
    id === `#${index}` ? 0 : texts.ref(id),
    index,
    tokens,
    (truncated ? TRUNCATED : 0) | (late ? LATE : 0) | (anonymous ? ANONYMOUS : 0),
    rollout.incarnation === group.incarnation ? 0 : 1 + texts.ref(rollout.incarnation),
    rollout.step === group.step ? 0 : [rollout.step],
    rollout.holder ?? 0,
    packSignals(rollout.signals, texts),
    rollout.askedAt?.map((at) => at - group.openedAt) ?? 0,
  ];
  while (row.length > 0 && isDefault(row)) row.pop();
  return row;
}

/** Pairs of a field's place in {@link SIGNALS} and its value, a text by reference; 0 for null. */
function packSignals(signals: Signals | null, texts: Table<string>): unknown {
  if (signals === null) return 0;
  return SIGNALS.flatMap((name, place) => {
    const value = signals[name];
    if (value === undefined) return [];
    return [place, typeof value === 'string' ? texts.ref(value) : value];
  });
}

/** A column that is left out says: no index, no length, and otherwise 0. */
function isDefault(row: readonly unknown[]): boolean {
  const column = row.length - 1;
  return row.at(-1) === (column === 4 || column === 5 ? null : 0);
}

/** Values in order of their first use. */
class Table<T> {
  readonly values: T[] = [];
  readonly #refs = new Map<T, Ref>();

  ref(value: T | null): Ref {
    if (value === null) return 0;
    const known = this.#refs.get(value);
    if (known !== undefined) return known;
    this.values.push(value);
    this.#refs.set(value, this.values.length);
    return this.values.length;
  }
}
