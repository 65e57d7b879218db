import type { Bucket, Group, Rollout } from '../domain/bucket.ts';
import { goneFrom, isDecided, memberIn } from '../domain/bucket.ts';
import { type Agent, type AgentName, type Cohort, findAgent, type Member } from '../domain/cohort.ts';
import { seesOthers } from '../domain/reveal.ts';
import { isLabelRight } from '../methods/bucket-truth.ts';
import { isTrue } from '../methods/ground-truth.ts';
import type { Judgement, TeacherGroup } from '../methods/method.ts';
import { methodOf } from '../methods/registry.ts';
import { waitsIn } from '../methods/relations.ts';
import type { SubmittedGroup } from '../store/store.ts';
import { countAllLabels, countLabels, countPeers, readVotes, type VotedBucket } from './count-group.ts';
import type { GroupResult, RolloutResult, WaitingFor } from './submission.ts';

export type Readiness =
  | { readonly kind: 'ready'; readonly teachers: readonly TeacherGroup[] }
  | { readonly kind: 'waiting'; readonly waitingFor: readonly WaitingFor[] };

/** Whether the teachers of `agent` are decided in this bucket, or, under `last-label`, chosen. */
export function readiness(bucket: Bucket, now: Member): Readiness {
  const { promptId, round } = bucket;
  const { cohort, agent } = memberIn(bucket, now);
  const own = bucket.groups.get(agent.name);
  if (cohort.barrier.mode === 'last-label' && own?.basis != null) {
    const teachers = own.basis.map(({ agent: name, round: from, group }) => ({
      agent: name,
      round: from,
      group: group !== null && isDecided(group) ? group : null,
    }));
    return { kind: 'ready', teachers };
  }
  const teachers: TeacherGroup[] = [];
  const waitingFor: WaitingFor[] = [];
  for (const name of waitsIn(bucket, { cohort, agent })) {
    const group = bucket.groups.get(name);
    if (isDecided(group)) teachers.push({ agent: name, round, group });
    else waitingFor.push({ agent: name, promptId, round, ...progressOf(cohort, name, group) });
  }
  return waitingFor.length > 0 ? { kind: 'waiting', waitingFor } : { kind: 'ready', teachers };
}

function progressOf(cohort: Cohort, name: AgentName, group: Group | undefined) {
  return {
    have: group?.rollouts.length ?? 0,
    need: group?.k ?? findAgent(cohort, name)?.k ?? 0,
  };
}

/**
 * The judgement of an agent's group, or null while a teacher is undecided or the group does not exist. `now`: the agent as its
 * cohort has it today, which is what an agent goes by that the settings of the bucket do not know.
 */
export function judgeGroup(bucket: Bucket, now: Member): Judgement | null {
  const { cohort, agent } = memberIn(bucket, now);
  const own = bucket.groups.get(agent.name);
  const ready = readiness(bucket, { cohort, agent });
  if (own === undefined || ready.kind === 'waiting') return null;
  return methodOf(cohort.method).judge({
    cohort,
    agent,
    promptId: bucket.promptId,
    round: bucket.round,
    own,
    truth: bucket.truth,
    plan: bucket.plan,
    gone: goneFrom(bucket),
    teachers: ready.teachers,
  });
}

/** The rewards of the rollouts that a submission named, in its order; null as {@link judgeGroup}. */
export function scoreGroup(bucket: Bucket, now: Member, submitted: SubmittedGroup): GroupResult | null {
  const { cohort, agent } = memberIn(bucket, now);
  const judgement = judgeGroup(bucket, { cohort, agent });
  const own = bucket.groups.get(agent.name);
  if (judgement === null || own === undefined) return null;
  const voted = readVotes(bucket, agent.name);
  const rollouts: RolloutResult[] = [];
  for (const id of submitted.rolloutIds) {
    const rollout = findRollout(own, id, submitted.incarnation);
    rollouts.push(
      rollout === undefined
        ? // Replaced by a restart of the trainer: nobody trains on it any more.
          { id, reward: null, answer: null, correct: null, late: true }
        : {
            id,
            reward: judgement.reward(rollout),
            ...(judgement.standIn !== undefined && { standIn: judgement.standIn(rollout) }),
            reason: judgement.reasonOf?.(rollout) ?? null,
            answer: rollout.answer,
            correct: bucket.truth === null ? null : isTrue(rollout.answer, bucket.truth),
            late: rollout.late,
          },
    );
  }
  return {
    promptId: bucket.promptId,
    round: bucket.round,
    status: judgement.status,
    label: seesOthers(cohort, own) ? (judgement.label?.answer ?? null) : null,
    labelShare: judgement.share,
    labelCorrect: isLabelRight(judgement.label, bucket),
    agrees: isDecided(own) ? agreesWith(voted, agent, judgement) : null,
    teachers: judgement.teachers,
    rewardSource: judgement.source,
    staleness: judgement.staleness,
    reason: judgement.reason,
    rewardWeight: judgement.weight ?? 1,
    advantageOffset: judgement.advantageOffset ?? 0,
    emaCoefficient: judgement.emaCoefficient ?? null,
    rollouts,
    counts: {
      decided: isDecided(own),
      own: [
        countLabels(voted, agent, judgement),
        countAllLabels(voted, agent, judgement.label !== null) ?? {},
      ],
      peers: countPeers(voted, agent),
    },
  };
}

function agreesWith({ votes }: VotedBucket, { name }: Agent, { label }: Judgement): boolean | null {
  const own = votes.get(name)?.label ?? null;
  return own === null || label === null ? null : own.key === label.key;
}

function findRollout(group: Group, id: string, incarnation: string | null): Rollout | undefined {
  return group.rollouts.find((rollout) => rollout.id === id && rollout.incarnation === incarnation);
}
