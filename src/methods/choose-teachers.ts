import type { AdaptiveRules, Agent, AgentName } from '../domain/cohort.ts';
import {
  FEWEST_AGENTS,
  type LabelRow,
  reliabilityOf,
  type TeacherChoice,
  type TeacherFigures,
  weighedBy,
} from '../domain/plan.ts';
import { ringOrder } from '../domain/supervision.ts';
import { answerPosteriors } from './extensions/log-odds.ts';
import type { Trust } from './reliability.ts';

/** Digits of the figures that a choice is made by, so that it can be checked by those that are shown. */
const DIGITS = 6;

export interface ChoiceBasis {
  /** Of the cohort, in ring order. */
  readonly agents: readonly Pick<Agent, 'name' | 'role'>[];
  readonly rules: AdaptiveRules;
  /** Who agreed with whom on the latest prompts. */
  readonly rows: readonly LabelRow[];
  /** How far the agents are to be believed. */
  readonly trust: Trust;
  /** How many answers a prompt is taken to have. */
  readonly classes: number;
  /** The choices of the plan before; empty: the ring. */
  readonly previous: readonly TeacherChoice[];
  /** Of the plan that is being made. */
  readonly version: number;
  /** Whether the teachers stay as they are. */
  readonly frozen: boolean;
}

/**
 * The teacher of each learner, in the order of the cohort: the agent with the highest gain, which is how much more probably
 * its label is right than the student's own, by the posterior of Dawid and Skene without the student, on average over the
 * prompts on which both have one (they gain nothing where they agree). Another one than now is taken only if its gain is
 * higher by more than the margin and the present one has had its dwell. Of equal gains the present teacher's wins, then the
 * one that the ring reaches first. The ring teaches below three agents, where too few witnesses are left, and an agent that
 * shares too few labelled prompts with everybody.
 */
export function chooseTeachers(basis: ChoiceBasis): readonly TeacherChoice[] {
  const names = basis.agents.map(({ name }) => name);
  return basis.agents.flatMap(({ name, role }) => (role === 'learner' ? [choose(name, names, basis)] : []));
}

function choose(agent: AgentName, names: readonly AgentName[], basis: ChoiceBasis): TeacherChoice {
  const { rules, previous, version, frozen } = basis;
  const others = ringOrder(names, agent, rules.fallback);
  const before = previous.find((choice) => choice.agent === agent && others.includes(choice.teacher));
  const ring = others[0] ?? agent;
  const current = before?.teacher ?? ring;
  const known = figuresOf(agent, others, basis);
  const scoreOf = (teacher: AgentName) => known.get(teacher)?.score ?? -1;
  const rivals = [...known.keys()].filter((teacher) => teacher !== current);
  const [rival] = rivals.sort((a, b) => scoreOf(b) - scoreOf(a));
  const take = (teacher: AgentName, why: TeacherChoice['why']): TeacherChoice => {
    const second = teacher === current ? rival : known.has(current) ? current : undefined;
    const figures = second === undefined ? undefined : known.get(second);
    return {
      agent,
      teacher,
      since: teacher === current ? (before?.since ?? null) : version,
      why,
      figures: known.get(teacher) ?? null,
      rival: second === undefined || figures === undefined ? null : { teacher: second, figures },
    };
  };
  if (frozen) return take(current, 'frozen');
  if (names.length < FEWEST_AGENTS) return take(ring, 'few-agents');
  if (isUnknown(basis)) return take(ring, 'alike');
  if (known.size === 0) return take(ring, 'few-prompts');
  if (rival === undefined || scoreOf(rival) <= scoreOf(current)) return take(current, 'best');
  if (round(scoreOf(rival) - scoreOf(current)) <= rules.margin) return take(current, 'margin');
  const since = before?.since ?? null;
  if (since !== null && version - since < rules.minDwell) return take(current, 'dwell');
  return take(rival, 'best');
}

/** There are rows, and nothing can be said of anybody. */
function isUnknown({ rows, trust }: ChoiceBasis): boolean {
  return rows.length > 0 && Object.keys(trust.reliability).length === 0;
}

/** The figures of those who have a label on enough of the student's prompts. */
function figuresOf(
  student: AgentName,
  teachers: readonly AgentName[],
  { rows, trust, classes, rules }: ChoiceBasis,
): ReadonlyMap<AgentName, TeacherFigures> {
  const sums = new Map(teachers.map((teacher) => [teacher, { both: 0, same: 0, gain: 0 }]));
  const plan = { version: 0, rows: 0, teachers: null, ...trust };
  for (const { sides } of rows) {
    if (!Object.hasOwn(sides, student)) continue;
    const own = `${sides[student]}`;
    const others = teachers.filter((teacher) => Object.hasOwn(sides, teacher));
    const witnesses = others.flatMap((name) => weighedBy(plan, name, `${sides[name]}`) ?? []);
    const posterior = answerPosteriors(witnesses, classes);
    for (const teacher of others) {
      const sum = sums.get(teacher);
      if (sum === undefined) continue;
      const label = `${sides[teacher]}`;
      sum.both++;
      if (label === own) sum.same++;
      else sum.gain += posterior(label) - posterior(own);
    }
  }
  const known = [...sums].filter(([, { both }]) => both > 0 && both >= rules.minPrompts);
  return new Map(
    known.map(([teacher, { both, same, gain }]) => {
      const reliability = reliabilityOf(plan, teacher) ?? 0;
      return [teacher, { reliability, agreement: round(same / both), score: round(gain / both) }];
    }),
  );
}

function round(value: number): number {
  return Number(value.toFixed(DIGITS));
}
