import type { Rollout } from '../domain/bucket.ts';
import { voteOf } from './ballots.ts';
import { disagreementWeight } from './extensions/disagreement.ts';
import { logDistill } from './extensions/log-distill.ts';
import { sharesOf } from './extensions/shares.ts';
import type { JudgeInput, Judgement } from './method.ts';
import { poolRollouts } from './peer-vote.ts';

/**
 * Rewards by the peer's log-probabilities, which the trainer sends with its rollouts: no label is needed, and nobody is
 * waited for unless the rewards are weighed by disagreement.
 */
export function distil({ cohort, own, promptId, round, agent, teachers }: JudgeInput): Judgement {
  const seed = { promptId, round };
  const present = teachers.flatMap(({ agent: name, group }) =>
    group === null || group.state === 'empty' || name === agent.name ? [] : [{ name, group }],
  );
  const groups = present.map(({ group }) => group);
  const names = present.map(({ name }) => name);
  const { rollouts: vote } = poolRollouts({ cohort, seed, plan: null, groups, names });
  const { weight: kind, minWeight, scale } = cohort.reward;
  const weight =
    kind === 'none' || vote === null
      ? 1
      : disagreementWeight(sharesOf(voteOf(own, cohort, seed)), sharesOf(vote), kind, minWeight);
  return {
    status: 'scored',
    label: null,
    share: null,
    teachers: names,
    source: 'peer-logprob',
    staleness: 0,
    reason: null,
    weight,
    reward: ({ signals, tokens }: Rollout) =>
      logDistill(signals?.peerLogprob ?? null, tokens) * weight * scale + 0,
  };
}
