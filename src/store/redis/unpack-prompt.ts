import type { Basis, Bucket, Group, Rollout, Truth } from '../../domain/bucket.ts';
import type { Cohort } from '../../domain/cohort.ts';
import type { KeptPrompt } from '../../domain/kept-prompt.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Visit } from '../../domain/prompt-state.ts';
import { type CheckedList, parseList, UnreadableValueError } from './checked-list.ts';
import { ANONYMOUS, CAUSES, GROUP_STATES, LATE, PACK_FORMAT, TRUNCATED } from './pack-prompt.ts';
import { readSignals } from './unpack-signals.ts';

/**
 * Reads what `packPrompt` wrote; `settingsOf` knows the editions of its cohort. Throws UnreadableValueError on anything else, as a newer version's format:
 * a prompt that is not understood must not be changed.
 */
export function unpackPrompt(
  promptId: string,
  packed: string,
  settingsOf: (edition: number) => Cohort,
): KeptPrompt {
  if (packed[0] !== PACK_FORMAT) {
    throw new UnreadableValueError(`unknown format "${packed[0]}" of a packed prompt`);
  }
  const whole = parseList(packed.slice(1)).atMost(6);
  const usedAt = whole.number(0);
  const texts = readTexts(whole.list(1));
  const groups: Group[] = [];
  for (const list of whole.list(2).lists()) groups.push(readGroup(list.atMost(13), texts, groups, usedAt));

  const rounds = new Map<number, Bucket>();
  const touchedAt = new Map<number, number>();
  for (const list of whole.list(3).lists()) {
    list.atMost(6);
    const round = list.number(0);
    touchedAt.set(round, usedAt - list.number(1));
    const members = list.list(3);
    const byAgent = new Map<string, Group>();
    for (let place = 0; place < members.length; place++) {
      const group = members.refer(place, groups);
      byAgent.set(group.agent, group);
    }
    rounds.set(round, {
      promptId,
      round,
      truth: readTruth(list, texts),
      settings: settingsOf(list.length < 6 ? 0 : list.number(5)),
      plan: readPlan(list, texts),
      groups: byAgent,
    });
  }
  const visits = new Map<string, Visit>();
  for (const list of whole.list(4).lists()) {
    const visit = {
      round: list.number(1),
      incarnation: list.referOrNull(2, texts),
      step: list.numberOrNull(3),
    };
    visits.set(list.refer(0, texts), visit);
  }
  const labels = new Map<string, { readonly round: number; readonly group: Group }>();
  for (const list of whole.list(5).lists()) {
    labels.set(list.refer(0, texts), { round: list.number(1), group: list.refer(2, groups) });
  }
  return { state: { promptId, rounds, visits, labels }, touchedAt, usedAt };
}

function readNumbers(list: CheckedList): number[] {
  return Array.from({ length: list.length }, (_, place) => list.number(place));
}

function readTexts(list: CheckedList): string[] {
  return Array.from({ length: list.length }, (_, place) => list.text(place));
}

function readPlan(round: CheckedList, texts: readonly string[]): Plan | null {
  if (round.length < 5 || round.at(4) === 0) return null;
  const list = round.list(4).atMost(5);
  return {
    version: list.number(0),
    rows: list.number(1),
    reliability: readByAgent(list.list(2), texts),
    teachers: list.length < 4 || list.at(3) === 0 ? null : readTeachers(list.list(3), texts),
    ...(list.length > 4 && { parts: readByAgent(list.list(4), texts) }),
  };
}

function readByAgent(list: CheckedList, texts: readonly string[]): Readonly<Record<string, number>> {
  const pairs: [string, number][] = [];
  for (let at = 0; at < list.length; at += 2) pairs.push([list.refer(at, texts), list.number(at + 1)]);
  return Object.fromEntries(pairs);
}

function readTeachers(list: CheckedList, texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (let at = 0; at < list.length; at += 2) pairs.push([list.refer(at, texts), list.refer(at + 1, texts)]);
  return Object.fromEntries(pairs);
}

function readTruth(round: CheckedList, texts: readonly string[]): Truth | null {
  if (round.at(2) === 0) return null;
  const list = round.list(2).atMost(5);
  const truth = { text: list.refer(0, texts), key: list.refer(1, texts), mode: list.refer(2, texts) };
  if (list.length < 4) return truth;
  const others = list.list(3);
  const accepted = Array.from({ length: others.length }, (_, at) => others.refer(at, texts));
  return {
    ...truth,
    ...(accepted.length > 0 && { accepted }),
    ...(list.length > 4 && { disputedBy: list.refer(4, texts) }),
  };
}

function readGroup(
  list: CheckedList,
  texts: readonly string[],
  earlier: readonly Group[],
  usedAt: number,
): Group {
  const openedAt = usedAt - list.number(6);
  const since = (place: number) => {
    const distance = list.numberOrNull(place);
    return distance === null ? null : openedAt + distance;
  };
  const incarnation = list.referOrNull(4, texts);
  const step = list.numberOrNull(5);
  const state = GROUP_STATES[list.number(2)];
  const cause = list.number(3) === -1 ? null : CAUSES[list.number(3)];
  if (state === undefined || cause === undefined) throw new UnreadableValueError('unknown state of a group');
  return {
    agent: list.refer(0, texts),
    k: list.number(1),
    state,
    cause,
    incarnation,
    step,
    openedAt,
    deadlineAt: openedAt + list.number(7),
    quorumAt: since(8),
    decidedAt: since(9),
    rollouts: list
      .list(10)
      .lists()
      .map((row) => readRollout(row.atMost(12), { incarnation, step, openedAt }, texts)),
    basis: list.at(11) === 0 ? null : readBasis(list.list(11), texts, earlier),
    previous: list.referOrNull(12, earlier),
  };
}

function readBasis(list: CheckedList, texts: readonly string[], groups: readonly Group[]): Basis[] {
  return list.lists().map((one) => ({
    agent: one.refer(0, texts),
    round: one.number(1),
    group: one.referOrNull(2, groups),
  }));
}

function readRollout(
  row: CheckedList,
  group: Pick<Group, 'incarnation' | 'step' | 'openedAt'>,
  texts: readonly string[],
): Rollout {
  const number = (column: number) => (column < row.length ? row.number(column) : 0);
  const numberOrNull = (column: number) => (column < row.length ? row.numberOrNull(column) : null);
  const isGiven = (column: number) => column < row.length && row.at(column) !== 0;
  /** 0: as `same`; 1: null; from 2 on a text. */
  const shifted = (column: number, same: string | null) => {
    const ref = number(column);
    if (ref === 0) return same;
    return ref === 1 ? null : textAt(texts, ref - 1);
  };
  const answer = number(1) === 0 ? null : textAt(texts, number(1));
  const index = numberOrNull(4);
  const flags = number(6);
  return {
    id: number(3) === 0 ? `#${index}` : textAt(texts, number(3)),
    index,
    incarnation: shifted(7, group.incarnation),
    step: isGiven(8) ? row.list(8).numberOrNull(0) : group.step,
    answer,
    key: shifted(2, answer),
    digest: row.text(0),
    tokens: numberOrNull(5),
    truncated: (flags & TRUNCATED) !== 0,
    late: (flags & LATE) !== 0,
    anonymous: (flags & ANONYMOUS) !== 0,
    holder: isGiven(9) ? row.text(9) : null,
    signals: isGiven(10) ? readSignals(row.list(10), texts) : null,
    askedAt: isGiven(11) ? readNumbers(row.list(11)).map((distance) => group.openedAt + distance) : null,
  };
}

function textAt(texts: readonly string[], ref: number): string {
  const text = texts[ref - 1];
  if (text === undefined) throw new UnreadableValueError(`there is no text ${ref}`);
  return text;
}
