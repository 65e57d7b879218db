/** A rollout as the novelty reward sees it. */
export interface NoveltyCase {
  /** Its answer is the label. */
  readonly majority: boolean;
  /** Has an answer at all. */
  readonly answered: boolean;
  /** 1 - (half the mean similarity within its class + half the largest similarity to any), from embeddings. */
  readonly novelty: number;
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

const UNANSWERED = -1;

/**
 * EVOL-RL's reward (YujunZhou/EVOL-RL, semantic_novelty.py): novelty is scaled to [0, 1] between the least and the
 * most novel rollout of the same class; the majority is paid 0.5 + half of it, the others -1 + half of it, and a rollout
 * without an answer -1. A class of one gets the upper end of its range, one of equal novelties the middle.
 * `group` is the whole group, which gives the scale; the function it returns pays rollouts of it, and later ones,
 * whose novelty is taken to lie within the scale.
 */
export function noveltyRewards(group: readonly NoveltyCase[]): (rollout: NoveltyCase) => number {
  const answered = group.filter((rollout) => rollout.answered);
  const majority = rangeOf(answered.filter((rollout) => rollout.majority));
  const minority = rangeOf(answered.filter((rollout) => !rollout.majority));
  return (rollout) => {
    if (!rollout.answered) return UNANSWERED;
    return rollout.majority
      ? 0.5 + scaled(rollout.novelty, majority) / 2
      : UNANSWERED + scaled(rollout.novelty, minority) / 2;
  };
}

function rangeOf(rollouts: readonly NoveltyCase[]): Range {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { novelty } of rollouts) [min, max] = [Math.min(min, novelty), Math.max(max, novelty)];
  return { min, max, count: rollouts.length };
}

function scaled(novelty: number, { min, max, count }: Range): number {
  if (count <= 1) return 1;
  if (max <= min) return 0.5;
  return Math.min(1, Math.max(0, (novelty - min) / (max - min)));
}
