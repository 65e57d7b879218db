import type { RewardSource } from '../domain/reward-source.ts';
import { applyRewardRules } from './apply-reward-rules.ts';
import { voteOf } from './ballots.ts';
import { EXACT_READING, matchExactly, voteExactly } from './exact-match.ts';
import type { JudgeInput, Judgement } from './method.ts';
import { rewardByLabel, whyNoLabel, withoutAnswers } from './verdicts.ts';

/** Co-rewarding (arXiv 2508.00410): 1 for the majority answer of the one agent that was waited for. */
export function rewardByOther(input: JudgeInput, source: RewardSource): Judgement {
  const { cohort, agent, own, promptId, round } = input;
  const awaited = input.teachers.filter(({ agent: name }) => name !== agent.name);
  const [other] = awaited;
  if (other?.group == null || other.group.state === 'empty') return withoutAnswers(cohort, awaited);
  const isExact = cohort.options.coRewarding.match === 'exact';
  const seed = { promptId, round };
  const vote = (isExact ? voteExactly : voteOf)(other.group, cohort, seed);
  const teachers = [other.agent];
  const judgement = rewardByLabel({
    cohort,
    vote,
    whyNone: whyNoLabel(vote, cohort.vote, teachers),
    teachers,
    source,
    staleness: Math.max(0, round - other.round),
  });
  const matched = isExact ? matchExactly(judgement) : judgement;
  return applyRewardRules(matched, {
    cohort,
    seed,
    own,
    vote,
    groups: [other.group],
    ...(isExact && { reading: EXACT_READING }),
  });
}
