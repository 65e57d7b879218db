import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import { type Plan, reliabilityOf } from '../domain/plan.ts';
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

/** The agents whose labels say how probable that of the teacher is: all peers, where the cohort asks for a probability. */
export function witnessesOf({ supervision, agents }: Cohort, agent: Agent): readonly AgentName[] {
  if (supervision.kind !== 'adaptive' || supervision.minPosterior === 0 || agent.role === 'teacher')
    return [];
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
  const { supervision, reliability } = cohort;
  const witnesses = witnessesOf(cohort, agent);
  if (supervision.kind !== 'adaptive' || judgement.label === null || witnesses.length === 0) return judgement;
  if (vote?.tied) {
    return withoutLabel(judgement, cohort, whyNoLabel(vote, cohort.vote, judgement.teachers));
  }
  const labels = heard.flatMap(({ agent: name, group }) => {
    const known = reliabilityOf(plan, name);
    if (group === null || known === null || !witnesses.includes(name)) return [];
    return [{ key: voteOf(group, cohort, seed).label?.key ?? null, reliability: known }];
  });
  if (labels.length === 0) return judgement;
  const posterior = posteriorOf(judgement.label.key, labels, reliability.classes);
  if (posterior >= supervision.minPosterior) return judgement;
  const reason = `The label of ${judgement.teachers.join(', ')} is right with a probability of ${posterior.toFixed(3)} by the labels of all peers, and adaptive.min_posterior asks for ${supervision.minPosterior}.`;
  return withoutLabel(judgement, cohort, reason);
}
