import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import { type Plan, weighedBy } from '../domain/plan.ts';
import type { TieSeed, Vote } from '../domain/vote.ts';
import { voteOf } from './ballots.ts';
import { posteriorOf } from './extensions/log-odds.ts';
import type { Judgement, TeacherGroup } from './method.ts';
import { whyNoLabel, withoutLabel } from './verdicts.ts';

interface Place {
  readonly cohort: Cohort;
  readonly agent: Agent;
  readonly seed: TieSeed;
  readonly plan: Plan | null;
}

/** The agents whose labels say how probable the label is: all peers, where the cohort asks for a probability. */
export function witnessesOf({ reliability, agents }: Cohort, agent: Agent): readonly AgentName[] {
  if (reliability.minPosterior === 0 || agent.role === 'teacher') return [];
  return agents.flatMap(({ name }) => (name === agent.name ? [] : [name]));
}

/**
 * The judgement, or the same without its label: when the teacher's vote is tied, or its label is too improbable given the
 * labels of all peers (Dawid and Skene). The student's own label is left out, or it would confirm itself. Without
 * a plan that knows the peers nothing is improbable.
 */
export function abstain(
  judgement: Judgement,
  { cohort, agent, seed, plan }: Place,
  vote: Vote | null,
  heard: readonly TeacherGroup[],
): Judgement {
  const { reliability } = cohort;
  const witnesses = witnessesOf(cohort, agent);
  if (judgement.label === null || witnesses.length === 0) return judgement;
  if (vote?.tied) {
    return withoutLabel(judgement, cohort, whyNoLabel(vote, cohort.vote, judgement.teachers));
  }
  const labels = heard.flatMap(({ agent: name, group }) => {
    if (group === null || !witnesses.includes(name)) return [];
    return weighedBy(plan, name, voteOf(group, cohort, seed).label?.key ?? null) ?? [];
  });
  if (labels.length === 0) return judgement;
  const posterior = posteriorOf(judgement.label.key, labels, reliability.classes);
  if (posterior >= reliability.minPosterior) return judgement;
  const reason = `The label of ${judgement.teachers.join(', ')} is right with a probability of ${posterior.toFixed(3)} by the labels of all peers, and min_posterior asks for ${reliability.minPosterior}.`;
  return withoutLabel(judgement, cohort, reason);
}
