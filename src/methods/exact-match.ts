import { type Group, type Rollout, votersOf } from '../domain/bucket.ts';
import type { Cohort } from '../domain/cohort.ts';
import { countVotes, type TieSeed, type Vote } from '../domain/vote.ts';
import type { Reading } from './apply-reward-rules.ts';
import type { Judgement } from './method.ts';

/** The vote over the answers as they are written: `0.5` and `1/2` are two answers, as in Co-rewarding's code. */
export function voteExactly(group: Group, { vote }: Cohort, seed: TieSeed): Vote {
  return countVotes(votersOf(group).map(byText), vote, seed);
}

/** The same judgement of a label that such a vote gave, where only its very text is paid. */
export function matchExactly(judgement: Judgement): Judgement {
  const { label } = judgement;
  if (label === null) return judgement;
  return { ...judgement, reward: ({ answer }) => (answer !== null && answer === label.answer ? 1 : 0) };
}

/** How reward rules read answers where they are compared as they are written. */
export const EXACT_READING: Reading = { keyOf: ({ answer }) => answer, voteOf: voteExactly };

function byText({ answer, index }: Rollout) {
  return { key: answer, answer, index };
}
