import { voteOf } from './ballots.ts';
import type { RewardMethod } from './method.ts';
import { rewardByLabel, unrewarded, whyNoLabel, withoutAnswers } from './verdicts.ts';

/** TTRL (arXiv 2504.16084): an agent's label is the majority of its own K answers. The baseline that collapses. */
export const ttrl: RewardMethod = {
  name: 'ttrl',
  needsTruth: () => false,
  needs: [],
  waitsFor: (_cohort, agent) => (agent.role === 'teacher' ? [] : [agent.name]),
  judge({ cohort, agent, promptId, round, teachers: awaited }) {
    if (agent.role === 'teacher') return unrewarded();
    const own = awaited[0];
    if (own?.group == null || own.group.state === 'empty') return withoutAnswers(cohort, awaited);
    const vote = voteOf(own.group, cohort, { promptId, round });
    const teachers = [agent.name];
    return rewardByLabel({
      cohort,
      vote,
      whyNone: whyNoLabel(vote, cohort.vote, teachers),
      teachers,
      source: 'self-vote',
      // The latest label may be of a later round than one that is sent again.
      staleness: Math.max(0, round - own.round),
    });
  },
};
