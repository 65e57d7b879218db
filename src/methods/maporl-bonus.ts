import type { BonusRules } from '../domain/method-options.ts';
import type { Place, TurnScores } from './maporl-returns.ts';

/** Above: right. Below: wrong. Exactly this: neither, and no bonus hangs on it. */
const MIDDLE = 0.5;

/**
 * What an answer earns beside its return for changing well, and for what the others do next (MAPoRL, `bonus_rule` of
 * its code). Scores are correctness in [0, 1]. Turn 0 earns nothing, and the last turn nothing for what follows.
 */
export function turnBonus(
  scores: TurnScores,
  { turn, agent, finish }: Place,
  { alpha, convention }: BonusRules,
): number {
  if (turn <= 0 || turn > finish) return 0;
  const persuaded = ownChange(scores, turn, agent, alpha);
  const persuading = turn < finish ? othersChange(scores, turn, agent, alpha) : 0;
  const sign = convention === 'paper' ? -1 : 1;
  const bonus = persuaded + sign * persuading || 0;
  // The code marks dropped answers with -1 and moves a bonus that happens to be one.
  return convention === 'code' && bonus === -1 ? -0.999 : bonus;
}

/** The agent's own answer turned right (+) or wrong (-): a0 along with the others' majority, a1 against it. */
function ownChange(scores: TurnScores, turn: number, agent: number, [a0, a1]: BonusRules['alpha']): number {
  const before = scores[turn - 1]?.[agent] ?? MIDDLE;
  const now = scores[turn]?.[agent] ?? MIDDLE;
  const around = meanOfOthers(scores, turn - 1, agent);
  if (isWrong(now) && isRight(before)) {
    if (around === null || isRight(around)) return -a1;
    return isWrong(around) ? -a0 : 0;
  }
  if (isRight(now) && isWrong(before)) {
    if (around === null || isWrong(around)) return a1;
    return isRight(around) ? a0 : 0;
  }
  return 0;
}

/** The others turned right or wrong after this answer, with the signs of the code: a3 where it opposed them or helped. */
function othersChange(
  scores: TurnScores,
  turn: number,
  agent: number,
  [, , a2, a3]: BonusRules['alpha'],
): number {
  const own = scores[turn]?.[agent] ?? MIDDLE;
  const now = meanOfOthers(scores, turn, agent);
  const next = meanOfOthers(scores, turn + 1, agent);
  if (now === null || next === null) return 0;
  if (isWrong(now) && isRight(next)) return isRight(own) ? -a3 : isWrong(own) ? -a2 : 0;
  if (isRight(now) && isWrong(next)) return isWrong(own) ? a3 : isRight(own) ? a2 : 0;
  return 0;
}

/** Null for an agent that is alone. */
function meanOfOthers(scores: TurnScores, turn: number, agent: number): number | null {
  const others = (scores[turn] ?? []).filter((_, at) => at !== agent);
  return others.length === 0 ? null : others.reduce((a, b) => a + b, 0) / others.length;
}

function isRight(score: number): boolean {
  return score > MIDDLE;
}

function isWrong(score: number): boolean {
  return score < MIDDLE;
}
