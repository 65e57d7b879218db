import type { AgentName } from '../domain/cohort.ts';
import { type Anchors, FEWEST_AGENTS, type LabelRow, type ReliabilityRules } from '../domain/plan.ts';
import { groupAlike } from './alike.ts';
import { DAWID_SKENE_DEFAULTS, dawidSkene } from './extensions/dawid-skene.ts';

/** Digits that an estimate is kept with: more would only take room in every bucket. */
const DIGITS = 6;
/** Labels of an agent on known truths beyond which earlier ones count less: agents change while they train. */
const MOST_ANCHORS = 60;
/** Prompts with a known truth that go before what agreement says. */
const FEWEST_ANCHORS = 5;

const NONE: Anchors = { right: 0, seen: 0 };

type ByAgent<T> = Readonly<Record<AgentName, T>>;

/** How far the labels of agents are to be believed. */
export interface Trust {
  /** Probability that an agent's label is right; empty where nothing can be said. */
  readonly reliability: ByAgent<number>;
  /** As in a plan; absent where each agent is one witness. */
  readonly parts?: ByAgent<number>;
}

/**
 * How reliable each agent's labels are. By known truths where there are any, under the Beta prior; else by who agreed with
 * whom: one-coin Dawid-Skene under that prior, agents that err alike being one witness. An agent that is in no row has the
 * mode of the prior. Nobody is reliable or not where agreement is all there is and fewer than three witnesses are left.
 */
export function estimateTrust(
  rows: readonly LabelRow[],
  agents: readonly AgentName[],
  rules: ReliabilityRules,
  anchors: ByAgent<Anchors> | undefined,
): Trust {
  const groups = groupAlike(rows, agents);
  const parts =
    groups.length === agents.length
      ? {}
      : { parts: Object.fromEntries(groups.flatMap((all) => all.map((agent) => [agent, 1 / all.length]))) };
  const known = agents.map((agent) => {
    // Own keys only: an agent may be called `constructor`.
    return (anchors !== undefined && Object.hasOwn(anchors, agent) && anchors[agent]) || NONE;
  });
  if (known.some(({ seen }) => seen >= FEWEST_ANCHORS)) {
    const [alpha, beta] = rules.prior;
    const values = known.map(({ right, seen }) => {
      const weight = seen + alpha + beta - 2;
      return weight === 0 ? DAWID_SKENE_DEFAULTS.start : (right + alpha - 1) / weight;
    });
    return { reliability: byAgent(agents, values), ...parts };
  }
  if (groups.length < agents.length && groups.length < FEWEST_AGENTS) return { reliability: {}, ...parts };
  const labels = rows.map(({ sides }) =>
    groups.map((all) => {
      const speaker = all.find((agent) => Object.hasOwn(sides, agent));
      return speaker === undefined ? null : `${sides[speaker]}`;
    }),
  );
  const { classes, prior } = rules;
  const { accuracy } = dawidSkene(labels, { ...DAWID_SKENE_DEFAULTS, classes, prior });
  const values = agents.map((agent) => accuracy[groups.findIndex((all) => all.includes(agent))] ?? 0);
  return { reliability: byAgent(agents, values), ...parts };
}

/** The anchors with those of the rows that came since; at most {@link MOST_ANCHORS} of an agent, the earlier ones thinned out. */
export function countAnchors(
  before: ByAgent<Anchors> | undefined,
  fresh: readonly LabelRow[],
): ByAgent<Anchors> | undefined {
  const counts = new Map(Object.entries(before ?? {}));
  for (const { sides, right } of fresh) {
    if (right === undefined) continue;
    for (const agent of Object.keys(sides)) {
      const known = counts.get(agent) ?? NONE;
      const keep = Math.min(1, (MOST_ANCHORS - 1) / Math.max(1, known.seen));
      counts.set(agent, {
        right: round(known.right * keep + Number(right.includes(agent))),
        seen: round(known.seen * keep + 1),
      });
    }
  }
  return counts.size === 0 ? undefined : Object.fromEntries(counts);
}

function byAgent(agents: readonly AgentName[], values: readonly number[]): ByAgent<number> {
  return Object.fromEntries(agents.map((agent, at) => [agent, round(values[at] ?? 0)]));
}

function round(value: number): number {
  return Number(value.toFixed(DIGITS));
}
