import type { Agent, AgentName, Aggregate, Cohort } from '../domain/cohort.ts';
import type { Plan } from '../domain/plan.ts';
import { teachersOf } from '../domain/supervision.ts';
import { abstain, witnessesOf } from './abstain.ts';
import { applyRewardRules } from './apply-reward-rules.ts';
import { awaitedBy } from './awaited.ts';
import { distil } from './distil.ts';
import type { JudgeInput, RewardMethod } from './method.ts';
import { mergeLabels, poolRollouts } from './peer-vote.ts';
import { rewardByLabel, unrewarded, withoutAnswers } from './verdicts.ts';

/**
 * Co-RL (arXiv 2608.17253, §3): an agent learns from the label that its peers voted for, each over its
 * own K rollouts. With several teachers the label is the unique plurality of their labels, or the vote
 * over all their rollouts. Teachers that sent nothing are left out; if none did, there is no label. The agent's own
 * group is waited for too where the reward rules read it, or where its rollouts are pooled with the others'. Under
 * supervision `adaptive` the plan of the bucket names the one teacher.
 */
export const coRl: RewardMethod = {
  name: 'co-rl',
  needsTruth: () => false,
  needs: [],
  waitsFor,
  judge(given) {
    const { cohort, agent, own, promptId, round } = given;
    const input = withoutWitnesses(given);
    if (agent.role === 'teacher') return unrewarded();
    if (cohort.reward.kind === 'log-distill') return distil(input);
    const peers = input.teachers.filter(({ agent: name }) => name !== agent.name);
    // Its own rollouts alone would be a self-vote, which is never put in the peers' place.
    if (peers.every(({ group }) => group === null || group.state === 'empty')) {
      return withoutAnswers(cohort, peers);
    }
    const present = (cohort.includeOwn ? input.teachers : peers).flatMap(
      ({ agent: name, round: from, group }) =>
        group === null || group.state === 'empty' ? [] : [{ name, from, group }],
    );
    const groups = present.map(({ group }) => group);
    const teachers = present.map(({ name }) => name);
    const seed = { promptId, round };
    const isOneVote = groups.length === 1 || aggregateOf(cohort) === 'pooled';
    const { rollouts, ...made } = (isOneVote ? poolRollouts : mergeLabels)({
      cohort,
      seed,
      plan: input.plan ?? null,
      groups,
      names: teachers,
    });
    const judgement = rewardByLabel({
      cohort,
      ...made,
      teachers,
      source: 'peer-vote',
      staleness: Math.max(0, ...present.map(({ from }) => round - from)),
    });
    const sure = abstain(
      judgement,
      { cohort, agent, seed, plan: given.plan ?? null },
      rollouts,
      given.teachers,
    );
    return applyRewardRules(sure, { cohort, seed, own, vote: rollouts, groups });
  },
};

/** Rewards that need no label wait for nobody. */
function waitsFor(
  cohort: Cohort,
  agent: Agent,
  plan: Plan | null,
  gone?: ReadonlySet<AgentName>,
): readonly AgentName[] {
  const { kind, weight } = cohort.reward;
  return kind === 'log-distill' && weight === 'none'
    ? []
    : awaitedBy(cohort, agent, [...teachersOf(cohort, agent, plan, gone), ...witnessesOf(cohort, agent)]);
}

/** What it waits for only to tell how probable the label is does not make the label. */
function withoutWitnesses(input: JudgeInput): JudgeInput {
  const { cohort, agent, plan, teachers, gone } = input;
  if (witnessesOf(cohort, agent).length === 0) return input;
  const makers = new Set([agent.name, ...teachersOf(cohort, agent, plan ?? null, gone)]);
  return { ...input, teachers: teachers.filter(({ agent: name }) => makers.has(name)) };
}

function aggregateOf({ supervision }: Cohort): Aggregate {
  if (supervision.kind === 'graph') return supervision.aggregate;
  return supervision.kind === 'pooled' ? 'pooled' : 'peer-majority';
}
