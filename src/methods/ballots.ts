import { attachDecimals } from '../answers/attach-decimals.ts';
import { canonicalKey } from '../answers/canonical-key.ts';
import { type Group, votersOf } from '../domain/bucket.ts';
import type { AnswerSettings, Cohort } from '../domain/cohort.ts';
import { type Ballot, countVotes, type TieSeed, type Vote } from '../domain/vote.ts';

/** Modes with a key of their own, which no rounding touches: option letters, programs, the reference's rules. */
const EXACT_MODES: ReadonlySet<string> = new Set(['choice', 'code', 'qwen', 'vlm']);

/** A decimal with three places or more: only such an answer can stand for an exact one. */
const ROUNDED = /\d\.\d{3}/;

/**
 * The ballots of one vote, where a rounded decimal votes for the exact answer that it rounds, if just one of
 * them does (docs/answers.md). Rewards do not use this: an answer is paid for being the label, not for being near it.
 */
export function castBallots(ballots: readonly Ballot[], { mode }: AnswerSettings): readonly Ballot[] {
  if (EXACT_MODES.has(mode) || !ballots.some(({ answer }) => answer !== null && ROUNDED.test(answer))) {
    return ballots;
  }
  const attached = attachDecimals(ballots.map(({ answer }) => answer));
  const own = ballots.map(({ answer }) => (answer === null ? null : canonicalKey(answer)));
  return ballots.map((ballot, at) => {
    const key = attached[at];
    if (ballot.key === null || key == null || key === own[at]) return ballot;
    // The anchor's ballot says how this group's mode writes that key.
    const anchor = ballots[own.indexOf(key)];
    return anchor === undefined ? ballot : { ...ballot, key: anchor.key, answer: anchor.answer };
  });
}

/** What one agent's group votes for, by the rules of its cohort: the one vote that labels, metrics and pages show. */
export function voteOf(group: Group, { answers, vote }: Cohort, seed: TieSeed): Vote {
  return countVotes(castBallots(votersOf(group), answers), vote, seed);
}
