import type { Random } from '../support/random.ts';
import { groupRollouts, type Rollout } from './rollouts.ts';

/** One submission of the native protocol: any mix of prompts, any part of their groups. */
export interface Submission {
  readonly id: string;
  readonly rollouts: readonly Rollout[];
}

/** Groups that are under way at a time, so that some finish long before the last one starts. */
const GROUPS_UNDER_WAY = 8;
const SIZES = [1, 2, 3, 5, 8, 24];
const MOST_REPEATED = 6;
const REPEATS_SOME = 0.3;
const REPEATS_WHOLE = 0.15;

/** Rollouts in shuffled, split and partly repeated submissions; each of them at least once. */
export function planSubmissions(
  rollouts: readonly Rollout[],
  { random, prefix }: { readonly random: Random; readonly prefix: string },
): Submission[] {
  const queue = shuffleNearby(rollouts, random);
  const submissions: Submission[] = [];
  const sent: Rollout[] = [];
  while (queue.length > 0) {
    const fresh = queue.splice(0, random.pick(SIZES));
    const repeated = random.chance(REPEATS_SOME)
      ? random.shuffle(sent).slice(0, random.between(1, MOST_REPEATED))
      : [];
    const submission = {
      id: `${prefix}-${submissions.length}`,
      rollouts: random.shuffle([...fresh, ...repeated]),
    };
    submissions.push(submission);
    if (random.chance(REPEATS_WHOLE)) submissions.push(submission);
    sent.push(...fresh);
  }
  return submissions;
}

/** The body of a submission. */
export function writeSubmission({ id, rollouts }: Submission, incarnation: string | null): string {
  const groups = [...groupRollouts(rollouts).values()].map((group) => ({
    prompt_id: group[0]?.promptId,
    round: group[0]?.round,
    ground_truth: group[0]?.gold,
    rollouts: group.map(({ index, completion }) => ({ id: idOf(index), index, completion })),
  }));
  return JSON.stringify({ submission_id: id, groups, ...(incarnation !== null && { incarnation }) });
}

/** The id of a rollout on the wire, unique in its group. */
export function idOf(index: number): string {
  return `k${index}`;
}

function shuffleNearby(rollouts: readonly Rollout[], random: Random): Rollout[] {
  const placed = random
    .shuffle([...groupRollouts(rollouts).values()])
    .flatMap((group, place) =>
      group.map((rollout) => ({ rollout, at: place + random.next() * GROUPS_UNDER_WAY })),
    );
  return placed.sort((a, b) => a.at - b.at).map(({ rollout }) => rollout);
}
