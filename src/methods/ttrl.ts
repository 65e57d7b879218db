import { votersOf } from '../domain/bucket.ts';
import { countVotes } from '../domain/vote.ts';
import type { RewardMethod } from './method.ts';
import { rewardByLabel, unrewarded, withoutAnswers } from './verdicts.ts';

/** TTRL (arXiv 2504.16084): an agent's label is the majority of its own K answers. The baseline that collapses. */
export const ttrl: RewardMethod = {
  name: 'ttrl',
  needsTruth: false,
  waitsFor: (_cohort, agent) => (agent.role === 'teacher' ? [] : [agent.name]),
  judge({ cohort, agent, promptId, round, teachers }) {
    if (agent.role === 'teacher') return unrewarded();
    const own = teachers[0];
    if (own?.group == null || own.group.state === 'empty') return withoutAnswers(cohort, teachers);
    return rewardByLabel({
      cohort,
      vote: countVotes(votersOf(own.group), cohort.vote, { promptId, round }),
      teachers: [agent.name],
      source: 'self-vote',
      staleness: round - own.round,
    });
  },
};
