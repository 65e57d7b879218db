import {
  type Anchors,
  CHOICE_REASONS,
  type ChoiceReason,
  type PlanRecord,
  type TeacherChange,
  type TeacherChoice,
  type TeacherFigures,
} from '../../domain/plan.ts';
import { type CheckedList, parseList, UnreadableValueError } from './checked-list.ts';

/** A plan as the text that Redis holds: lists in lists. {@link decodePlan} reads it. */
export function encodePlan(plan: PlanRecord): string {
  const { version, rows, reliability, parts = {}, teachers, anchors = {}, frozen, choices, changes } = plan;
  const learned = [
    Object.entries(parts).flat(),
    Object.entries(anchors).flatMap(([agent, { right, seen }]) => [agent, right, seen]),
  ];
  const base = [version, rows, Object.entries(reliability).flat()];
  if (teachers === null) return JSON.stringify([...base, null, ...learned]);
  return JSON.stringify([
    ...base,
    Object.entries(teachers).flat(),
    Number(frozen),
    choices.map(({ agent, teacher, since, why, figures, rival }) => [
      agent,
      teacher,
      since,
      why,
      packFigures(figures),
      rival === null ? null : [rival.teacher, packFigures(rival.figures)],
    ]),
    changes.map((change) => [
      change.version,
      change.at,
      change.agent,
      change.from,
      change.to,
      change.why,
      packFigures(change.fromFigures),
      packFigures(change.toFigures),
    ]),
    ...learned,
  ]);
}

/**
 * Reads what {@link encodePlan} wrote, and what was written before plans named teachers, parts and anchors. Throws
 * UnreadableValueError.
 */
export function decodePlan(text: string): PlanRecord {
  const list = parseList(text);
  const base = { version: list.number(0), rows: list.number(1), reliability: readNumbers(list.at(2)) };
  const none = { teachers: null, frozen: false, choices: [], changes: [] };
  if (list.length < 4) return { ...base, ...none };
  if (list.at(3) === null) return { ...base, ...none, ...readLearned(list, 4) };
  return {
    ...base,
    ...readLearned(list, 7),
    teachers: readNames(list.list(3)),
    frozen: list.number(4) === 1,
    choices: list.list(5).lists().map(readChoice),
    changes: list.list(6).lists().map(readChange),
  };
}

/** From this place on: parts and anchors, each left out where there are none. */
function readLearned(list: CheckedList, place: number): Pick<PlanRecord, 'parts' | 'anchors'> {
  if (list.length <= place) return {};
  const parts = readNumbers(list.at(place));
  const flat = list.list(place + 1);
  const anchors: [string, Anchors][] = [];
  for (let at = 0; at < flat.length; at += 3) {
    anchors.push([flat.text(at), { right: flat.number(at + 1), seen: flat.number(at + 2) }]);
  }
  return {
    ...(Object.keys(parts).length > 0 && { parts }),
    ...(anchors.length > 0 && { anchors: Object.fromEntries(anchors) }),
  };
}

/** Reads names and numbers in turn. Throws UnreadableValueError. */
export function readNumbers(flat: unknown): Readonly<Record<string, number>> {
  if (!Array.isArray(flat)) throw new UnreadableValueError('names and numbers are no list');
  const pairs: [string, number][] = [];
  for (let at = 0; at < flat.length; at += 2) {
    const [name, value]: unknown[] = flat.slice(at, at + 2);
    if (typeof name !== 'string' || typeof value !== 'number') {
      throw new UnreadableValueError('names and numbers are something else');
    }
    pairs.push([name, value]);
  }
  return Object.fromEntries(pairs);
}

function readNames(list: CheckedList): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (let at = 0; at < list.length; at += 2) pairs.push([list.text(at), list.text(at + 1)]);
  return Object.fromEntries(pairs);
}

function readChoice(list: CheckedList): TeacherChoice {
  const rival = list.at(5) === null ? null : list.list(5);
  const rivalFigures = rival === null ? null : readFigures(rival, 1);
  return {
    agent: list.text(0),
    teacher: list.text(1),
    since: list.numberOrNull(2),
    why: readReason(list.text(3)),
    figures: readFigures(list, 4),
    rival: rival === null || rivalFigures === null ? null : { teacher: rival.text(0), figures: rivalFigures },
  };
}

function readChange(list: CheckedList): TeacherChange {
  return {
    version: list.number(0),
    at: list.number(1),
    agent: list.text(2),
    from: list.text(3),
    to: list.text(4),
    why: readReason(list.text(5)),
    fromFigures: readFigures(list, 6),
    toFigures: readFigures(list, 7),
  };
}

function packFigures(figures: TeacherFigures | null): unknown {
  return figures === null ? null : [figures.reliability, figures.agreement, figures.score];
}

function readFigures(list: CheckedList, place: number): TeacherFigures | null {
  if (list.at(place) === null) return null;
  const figures = list.list(place);
  return { reliability: figures.number(0), agreement: figures.number(1), score: figures.number(2) };
}

function readReason(text: string): ChoiceReason {
  const why = CHOICE_REASONS.find((reason) => reason === text);
  if (why === undefined)
    throw new UnreadableValueError(`a teacher was chosen for an unknown reason: ${text}`);
  return why;
}
