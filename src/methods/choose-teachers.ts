import type { AdaptiveRules, Agent, AgentName } from '../domain/cohort.ts';
import { FEWEST_AGENTS, type LabelRow, type TeacherChoice, type TeacherFigures } from '../domain/plan.ts';
import { ringOrder } from '../domain/supervision.ts';

/** Digits of the figures that a choice is made by, so that it can be checked by those that are shown. */
const DIGITS = 6;

export interface ChoiceBasis {
  /** Of the cohort, in ring order. */
  readonly agents: readonly Pick<Agent, 'name' | 'role'>[];
  readonly rules: AdaptiveRules;
  /** Who agreed with whom on the latest prompts. */
  readonly rows: readonly LabelRow[];
  /** Estimated probability that an agent's label is right, 0 to 1. */
  readonly reliability: Readonly<Record<AgentName, number>>;
  /** The choices of the plan before; empty: the ring. */
  readonly previous: readonly TeacherChoice[];
  /** Of the plan that is being made. */
  readonly version: number;
  /** Whether the teachers stay as they are. */
  readonly frozen: boolean;
}

/**
 * The teacher of each learner, in the order of the cohort: the agent with the highest reliability × (1 − agreement with
 * the student) (methods reference, §10). Another one than now is taken only if its score is higher by more than the
 * margin and the present one has had its dwell. Of equal scores the present teacher's wins, then the one that the ring
 * reaches first. The ring teaches below three agents, and an agent that shares too few labelled prompts with everybody.
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
  const known = new Map(
    others.flatMap((teacher) => {
      const figures = figuresOf(agent, teacher, basis);
      return figures === null ? [] : [[teacher, figures] as const];
    }),
  );
  const scoreOf = (teacher: AgentName) => known.get(teacher)?.score ?? 0;
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
  if (known.size === 0) return take(ring, 'few-prompts');
  if (rival === undefined || scoreOf(rival) <= scoreOf(current)) return take(current, 'best');
  if (round(scoreOf(rival) - scoreOf(current)) <= rules.margin) return take(current, 'margin');
  const since = before?.since ?? null;
  if (since !== null && version - since < rules.minDwell) return take(current, 'dwell');
  return take(rival, 'best');
}

/** Null where too few prompts have a label of both. */
function figuresOf(
  student: AgentName,
  teacher: AgentName,
  { rows, reliability, rules }: ChoiceBasis,
): TeacherFigures | null {
  let [both, same] = [0, 0];
  for (const { sides } of rows) {
    if (!Object.hasOwn(sides, student) || !Object.hasOwn(sides, teacher)) continue;
    both++;
    if (sides[student] === sides[teacher]) same++;
  }
  if (both === 0 || both < rules.minPrompts) return null;
  const right = Object.hasOwn(reliability, teacher) ? (reliability[teacher] ?? 0) : 0;
  const agreement = round(same / both);
  return { reliability: round(right), agreement, score: round(right * (1 - agreement)) };
}

function round(value: number): number {
  return Number(value.toFixed(DIGITS));
}
