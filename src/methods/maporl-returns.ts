import type { ReturnRules } from '../domain/method-options.ts';

/** Scores of one conversation: `scores[turn][agent]`, every turn with all agents. */
export type TurnScores = readonly (readonly number[])[];

/** One answer of a conversation: its turn and its agent, counted from 0, and the turn that the conversation ended at. */
export interface Place {
  readonly turn: number;
  readonly agent: number;
  readonly finish: number;
}

/**
 * The return of one agent's answer at one turn (MAPoRL, arXiv 2502.18439, `score_rule` of its code). With x the turn
 * that the conversation ended at, `discounted` is
 * (s(t,a) + Σ_{t'=t+1..x} γ^{t'−t} · mean_j s(t',j)) / Σ_{t'=t..x} γ^{t'−t}; `individual` takes s(t',a) for the mean;
 * `last` and `current` are the plain scores at x and at t. Null after x, where the reference drops the answer. At
 * t = x before the last turn the reference crashes; the formula gives s(t,a).
 */
export function turnReturn(
  scores: TurnScores,
  { turn, agent, finish }: Place,
  { gamma, horizon, share }: ReturnRules,
): number | null {
  const end = Math.min(finish, scores.length - 1);
  const current = scores[turn]?.[agent];
  if (turn > end || current === undefined) return null;
  const shared = (at: number): number => {
    const row = scores[at] ?? [];
    return share === 'individual' ? (row[agent] ?? 0) : row.reduce((a, b) => a + b, 0) / row.length;
  };
  switch (horizon) {
    case 'last':
      return shared(end);
    case 'current':
      return shared(turn);
    case 'discounted': {
      let sum = current;
      let weights = 1;
      for (let later = turn + 1; later <= end; later++) {
        const weight = gamma ** (later - turn);
        sum += weight * shared(later);
        weights += weight;
      }
      return sum / weights;
    }
  }
}
