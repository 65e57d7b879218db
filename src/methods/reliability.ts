import type { AgentName } from '../domain/cohort.ts';
import type { LabelRow, ReliabilityRules } from '../domain/plan.ts';
import { DAWID_SKENE_DEFAULTS, dawidSkene } from './extensions/dawid-skene.ts';

/** Digits that an estimate is kept with: more would only take room in every bucket. */
const DIGITS = 6;

/**
 * How reliable each agent's labels are, from who agreed with whom: one-coin Dawid-Skene under a Beta prior. An agent that
 * is in no row has the mode of the prior.
 */
export function estimateReliability(
  rows: readonly LabelRow[],
  agents: readonly AgentName[],
  { classes, prior }: ReliabilityRules,
): Readonly<Record<AgentName, number>> {
  const labels = rows.map(({ sides }) =>
    agents.map((agent) => (Object.hasOwn(sides, agent) ? `${sides[agent]}` : null)),
  );
  const { accuracy } = dawidSkene(labels, { ...DAWID_SKENE_DEFAULTS, classes, prior });
  return Object.fromEntries(agents.map((agent, at) => [agent, Number((accuracy[at] ?? 0).toFixed(DIGITS))]));
}
