import { applyRewardRules } from './apply-reward-rules.ts';
import { voteOf } from './ballots.ts';
import type { RewardMethod } from './method.ts';
import { rewardByLabel, unrewarded, whyNoLabel, withoutAnswers } from './verdicts.ts';

/** TTRL (arXiv 2504.16084): an agent's label is the majority of its own K answers. The baseline that collapses. */
export const ttrl: RewardMethod = {
  name: 'ttrl',
  needsTruth: () => false,
  needs: [],
  waitsFor: (_cohort, agent) => (agent.role === 'teacher' ? [] : [agent.name]),
  judge({ cohort, agent, promptId, round, own: group, teachers: awaited }) {
    if (agent.role === 'teacher') return unrewarded();
    const own = awaited[0];
    if (own?.group == null || own.group.state === 'empty') return withoutAnswers(cohort, awaited);
    const seed = { promptId, round };
    const vote = voteOf(own.group, cohort, seed);
    const teachers = [agent.name];
    const judgement = rewardByLabel({
      cohort,
      vote,
      whyNone: whyNoLabel(vote, cohort.vote, teachers),
      teachers,
      source: 'self-vote',
      // The latest label may be of a later round than one that is sent again.
      staleness: Math.max(0, round - own.round),
    });
    return applyRewardRules(judgement, { cohort, seed, own: group, vote, groups: [own.group] });
  },
};
