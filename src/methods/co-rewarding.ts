import type { RewardSource } from '../domain/reward-source.ts';
import { voteOf } from './ballots.ts';
import { matchExactly, voteExactly } from './exact-match.ts';
import type { JudgeInput, Judgement } from './method.ts';
import { rewardByLabel, whyNoLabel, withoutAnswers } from './verdicts.ts';

/** Co-rewarding (arXiv 2508.00410): 1 for the majority answer of the one agent that was waited for. */
export function rewardByOther(input: JudgeInput, source: RewardSource): Judgement {
  const { cohort, promptId, round } = input;
  const [other] = input.teachers;
  if (other?.group == null || other.group.state === 'empty') return withoutAnswers(cohort, input.teachers);
  const isExact = cohort.options.coRewarding.match === 'exact';
  const vote = (isExact ? voteExactly : voteOf)(other.group, cohort, { promptId, round });
  const teachers = [other.agent];
  const judgement = rewardByLabel({
    cohort,
    vote,
    whyNone: whyNoLabel(vote, cohort.vote, teachers),
    teachers,
    source,
    staleness: Math.max(0, round - other.round),
  });
  return isExact ? matchExactly(judgement) : judgement;
}
