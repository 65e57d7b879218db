import type { Cohort } from '../domain/cohort.ts';
import {
  type LabelRow,
  MOST_CHANGES,
  type PlanRecord,
  type TeacherChange,
  type TeacherChoice,
  type TeacherOrder,
} from '../domain/plan.ts';
import { teachersOf } from '../domain/supervision.ts';
import { chooseTeachers } from './choose-teachers.ts';
import { countAnchors, estimateTrust } from './reliability.ts';

/** What of a cohort its plans depend on. */
export type Supervised = Pick<Cohort, 'agents' | 'supervision' | 'reliability'>;

/** What a plan is made from, and when; `at` in milliseconds since the epoch. */
export interface PlanBasis {
  readonly previous: PlanRecord | null;
  /** The latest label rows, oldest first. */
  readonly rows: readonly LabelRow[];
  /** Label rows that have ever been noted. */
  readonly noted: number;
  readonly at: number;
}

/** The plan that follows from the latest labels. A function of what it is given only, so that it can be checked. */
export function nextPlan(cohort: Supervised, { previous, rows, noted, at }: PlanBasis): PlanRecord {
  const names = cohort.agents.map(({ name }) => name);
  const { supervision } = cohort;
  const version = (previous?.version ?? 0) + 1;
  const since = noted - (previous?.rows ?? 0);
  const anchors = countAnchors(previous?.anchors, since > 0 ? rows.slice(-since) : []);
  const trust = estimateTrust(rows, names, cohort.reliability, anchors);
  const frozen = previous?.frozen ?? false;
  const choices =
    supervision.kind === 'adaptive'
      ? chooseTeachers({
          agents: cohort.agents,
          rules: supervision,
          rows,
          trust,
          classes: cohort.reliability.classes,
          previous: previous?.choices ?? [],
          version,
          frozen,
        })
      : [];
  const learned = { ...trust, ...(anchors !== undefined && { anchors }) };
  return assemble(cohort, previous, { version, rows: noted, ...learned, frozen, choices }, at);
}

/** The plan with teachers set by hand: the rest is as in the one before. The cohort's supervision is `adaptive`. */
export function orderedPlan(
  cohort: Supervised,
  previous: PlanRecord | null,
  { teachers, frozen }: TeacherOrder,
  at: number,
): PlanRecord {
  const { version: before, choices: _, changes: __, ...learned } = previous ?? emptyPlan(cohort);
  const version = before + 1;
  const ordered = presentChoices(cohort, previous).map((choice): TeacherChoice => {
    const teacher = Object.hasOwn(teachers, choice.agent) ? teachers[choice.agent] : undefined;
    if (teacher === undefined) {
      const why = frozen ? 'frozen' : choice.why === 'frozen' ? 'set' : choice.why;
      return { ...choice, why };
    }
    const isSame = teacher === choice.teacher;
    const figures = isSame ? choice.figures : choice.rival?.teacher === teacher ? choice.rival.figures : null;
    return { agent: choice.agent, teacher, since: version, why: 'set', figures, rival: null };
  });
  return assemble(cohort, previous, { ...learned, version, frozen, choices: ordered }, at);
}

/** The choices that hold now, one for each learner: those of the plan, and the ring where it has none. */
export function presentChoices(cohort: Supervised, plan: PlanRecord | null): readonly TeacherChoice[] {
  const names = cohort.agents.map(({ name }) => name);
  return emptyPlan(cohort).choices.map(
    (ring) =>
      plan?.choices.find(({ agent, teacher }) => agent === ring.agent && names.includes(teacher)) ?? ring,
  );
}

/** The plan without what a person froze, and with nothing that keeps the next choice from another teacher. */
export function releasedPlan(previous: PlanRecord): PlanRecord {
  return {
    ...previous,
    frozen: false,
    choices: previous.choices.map((choice) => ({ ...choice, since: null })),
  };
}

/** What goes until there is a plan: version 0, and the ring. */
export function emptyPlan(cohort: Supervised): PlanRecord {
  const base = { version: 0, rows: 0, reliability: {}, frozen: false };
  if (cohort.supervision.kind !== 'adaptive') return { ...base, teachers: null, choices: [], changes: [] };
  const choices = chooseTeachers({
    agents: cohort.agents,
    rules: cohort.supervision,
    rows: [],
    trust: { reliability: {} },
    classes: cohort.reliability.classes,
    previous: [],
    version: 0,
    frozen: false,
  });
  return assemble(cohort, null, { ...base, choices }, 0);
}

function assemble(
  cohort: Supervised,
  previous: PlanRecord | null,
  made: Omit<PlanRecord, 'teachers' | 'changes'>,
  at: number,
): PlanRecord {
  const changes = made.choices.flatMap((choice): TeacherChange[] => {
    const agent = cohort.agents.find(({ name }) => name === choice.agent);
    const [from] = agent === undefined ? [] : teachersOf(cohort, agent, previous);
    if (from === undefined || from === choice.teacher) return [];
    const { figures, rival, why } = choice;
    return [
      {
        version: made.version,
        at,
        agent: choice.agent,
        from,
        to: choice.teacher,
        why,
        fromFigures: rival?.teacher === from ? rival.figures : null,
        toFigures: figures,
      },
    ];
  });
  return {
    ...made,
    teachers:
      cohort.supervision.kind === 'adaptive'
        ? Object.fromEntries(made.choices.map(({ agent, teacher }) => [agent, teacher]))
        : null,
    changes: [...(previous?.changes ?? []), ...changes].slice(-MOST_CHANGES),
  };
}
