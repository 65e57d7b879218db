import type { AgentName } from './cohort.ts';

/**
 * What a cohort has come to think of its agents. Made now and then from the latest labels, once for all replicas; a
 * bucket goes by the plan that it was opened under, for ever.
 */
export interface Plan {
  /** 1 for the first. */
  readonly version: number;
  /** Label rows that had been noted when it was made. */
  readonly rows: number;
  /** Estimated probability that an agent's label is right, 0 to 1, for every agent of the cohort. */
  readonly reliability: Readonly<Record<AgentName, number>>;
  /**
   * Which part of a witness an agent's label is, above 0 to 1: agents that err alike are one witness together. Absent: each is
   * one.
   */
  readonly parts?: Readonly<Record<AgentName, number>>;
  /** Who teaches each learner; null where the cohort's supervision says so by itself. */
  readonly teachers: Readonly<Record<AgentName, AgentName>> | null;
}

/** What a teacher was weighed by. */
export interface TeacherFigures {
  /** Estimated probability that its label is right, 0 to 1. */
  readonly reliability: number;
  /** Share of the prompts on which it has the same label as the student, of those on which both have one. */
  readonly agreement: number;
  /**
   * Gain: how much more probably its label is right than the student's own, on average over those prompts, by the labels of
   * all but the student; −1 to 1.
   */
  readonly score: number;
}

/**
 * Why an agent has its teacher: `best` gain; another is better, but not by more than the `margin`, or the teacher has to
 * stay for its `dwell`; the ring, for `few-agents`, `few-prompts`, or since so many agents are `alike` that fewer than three
 * witnesses are left; a person has `set` or `frozen` it.
 */
export const CHOICE_REASONS = [
  'best',
  'margin',
  'dwell',
  'few-agents',
  'few-prompts',
  'alike',
  'set',
  'frozen',
] as const;
export type ChoiceReason = (typeof CHOICE_REASONS)[number];

export interface TeacherChoice {
  readonly agent: AgentName;
  readonly teacher: AgentName;
  /** Version of the plan that brought this teacher; null where it need not stay. */
  readonly since: number | null;
  readonly why: ChoiceReason;
  /** Null where too few prompts have a label of both. */
  readonly figures: TeacherFigures | null;
  /** The best other agent, if its figures are known. */
  readonly rival: { readonly teacher: AgentName; readonly figures: TeacherFigures } | null;
}

export interface TeacherChange {
  /** Of the plan that brought it. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly agent: AgentName;
  readonly from: AgentName;
  readonly to: AgentName;
  readonly why: ChoiceReason;
  /** What each was weighed by at that time. */
  readonly fromFigures: TeacherFigures | null;
  readonly toFigures: TeacherFigures | null;
}

/** The latest plan with what a person wants to know of it. */
export interface PlanRecord extends Plan {
  /** Teachers stay as they are until somebody says otherwise. */
  readonly frozen: boolean;
  /** How the labels did on prompts whose truth may be known for this. Absent: there were none. */
  readonly anchors?: Readonly<Record<AgentName, Anchors>>;
  /** One for each learner, in the order of the cohort; empty but under supervision `adaptive`. */
  readonly choices: readonly TeacherChoice[];
  /** The latest {@link MOST_CHANGES}, oldest first. */
  readonly changes: readonly TeacherChange[];
}

export const MOST_CHANGES = 20;

/** Labels of one agent that were held against known truths; both may be fractions, as earlier ones count less. */
export interface Anchors {
  readonly right: number;
  readonly seen: number;
}

/** Below this nobody can tell from agreement who is right. */
export const FEWEST_AGENTS = 3;

/** What a person wants of the teachers; agents that are left out keep theirs. */
export interface TeacherOrder {
  readonly teachers: Readonly<Record<AgentName, AgentName>>;
  readonly frozen: boolean;
}

/** What a bucket keeps of the plan that it is opened under. */
export function toPlan({ version, rows, reliability, parts, teachers }: PlanRecord): Plan {
  return { version, rows, reliability, ...(parts !== undefined && { parts }), teachers };
}

/**
 * Who agrees with whom on one decided bucket: agents with the same label have the same number, and one without a label
 * is missing. What the labels are does not matter, and takes room.
 */
export interface LabelRow {
  readonly promptId: string;
  readonly round: number;
  readonly sides: Readonly<Record<AgentName, number>>;
  /** Whose labels are right. Absent: the truth is not known, or not for this. */
  readonly right?: readonly AgentName[];
}

/** How reliabilities are estimated, for cohorts that go by them. */
export interface ReliabilityRules {
  /** Decided buckets after which a new plan is made. */
  readonly every: number;
  /** Latest decided buckets that it is made from. */
  readonly window: number;
  /** How many answers a prompt is taken to have, at least 2. */
  readonly classes: number;
  /** Beta prior of an agent's accuracy; both at least 1. */
  readonly prior: readonly [alpha: number, beta: number];
  /** A label that is less probable than this, 0 to 1, teaches nothing. Above 0 all other agents are waited for. */
  readonly minPosterior: number;
  /** Share of the prompts, 0 to 1, whose ground truth may say how reliable the agents are. No reward is made of it. */
  readonly truthShare: number;
}

export const DEFAULT_RELIABILITY_RULES: ReliabilityRules = {
  every: 50,
  window: 500,
  classes: 10,
  prior: [4, 2],
  minPosterior: 0,
  truthShare: 0,
};

/** A label with what the plan says of who gave it, as it counts among others; null where the plan does not know the agent. */
export function weighedBy(plan: Plan | null, agent: AgentName, key: string | null): WeighedLabel | null {
  const reliability = reliabilityOf(plan, agent);
  if (reliability === null) return null;
  const { parts } = plan ?? {};
  const part = parts !== undefined && Object.hasOwn(parts, agent) ? (parts[agent] ?? 1) : 1;
  return { key, reliability, part };
}

/** An agent's label, null for none, how often its labels are right, and which part of a witness it is. */
export interface WeighedLabel {
  readonly key: string | null;
  readonly reliability: number;
  readonly part?: number;
}

/** What the plan says of this agent; null without a plan, or where it was made for other agents. */
export function reliabilityOf(plan: Plan | null, agent: AgentName): number | null {
  // Own keys only: an agent may be called `constructor`.
  return plan !== null && Object.hasOwn(plan.reliability, agent) ? (plan.reliability[agent] ?? null) : null;
}
