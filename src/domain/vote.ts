import type { VoteRules } from './cohort.ts';
import { hashKey } from './hash.ts';

/** One rollout as the vote sees it. A null key abstains. `index` is its place in the group, if known. */
export interface Ballot {
  readonly key: string | null;
  readonly answer: string | null;
  readonly index: number | null;
}

/** Answers that count as the same. `answer` is how the earliest of them was written. */
export interface Cluster {
  readonly key: string;
  readonly answer: string;
  readonly votes: number;
}

export interface Vote {
  /** Most votes first; equal counts in tie-break order `first`. */
  readonly clusters: readonly Cluster[];
  /** The winning answer, or null when unlabeled. */
  readonly label: { readonly key: string; readonly answer: string } | null;
  /**
   * Votes of the top cluster over the denominator, 0 to 1; also given when it is below the threshold. Of a weighted vote:
   * its score over all scores.
   */
  readonly share: number;
  /** Ballots with an answer. */
  readonly votes: number;
  /** All ballots. */
  readonly ballots: number;
  /** The top count is shared by several clusters. */
  readonly tied: boolean;
}

/** Seeds the tie rule `random`, so that every replica draws the same. */
export interface TieSeed {
  readonly promptId: string;
  readonly round: number;
}

/** Scores of the answers by key, none below 0; an answer without one has 0. */
export type Scores = ReadonlyMap<string, number>;

const EMPTY_ANSWER = '';

/** Scores are compared to so many digits: sums of floats that should be equal are not, to the last bit. */
const SCORE_DIGITS = 12;

/**
 * Plurality vote over one group (Co-RL reference `_majority_vote`). A label needs a share at or above
 * the threshold and `minVotes` answers. The result depends on the ballots only, never on their order:
 * ties go to the smallest rollout index, and where no index is known to the smallest key hash. With `scores` the answers
 * are ranked by score instead of votes, the share is of all scores, and a score of 0 wins nothing.
 */
export function countVotes(
  ballots: readonly Ballot[],
  rules: VoteRules,
  seed: TieSeed,
  scores: Scores | null = null,
): Vote {
  const voters: CastBallot[] = [];
  for (const ballot of ballots) {
    const key = ballot.key ?? (rules.allowEmptyVote ? EMPTY_ANSWER : null);
    if (key !== null) voters.push({ key, answer: ballot.answer ?? EMPTY_ANSWER, index: ballot.index });
  }
  const scoreOf = ({ key, votes }: Cluster) =>
    scores === null ? votes : Number((scores.get(key) ?? 0).toPrecision(SCORE_DIGITS));
  const clusters = clusterBallots(voters, scoreOf);
  const top = clusters[0];
  const votes = voters.length;
  if (top === undefined)
    return { clusters, label: null, share: 0, votes, ballots: ballots.length, tied: false };

  const leaders = clusters.filter((cluster) => scoreOf(cluster) === scoreOf(top));
  const tied = leaders.length > 1;
  const share =
    scores === null
      ? top.votes / (rules.denominator === 'all' ? ballots.length : votes)
      : shareOfScores(scoreOf(top), clusters.map(scoreOf));
  const winner = tied ? breakTie(top, leaders, rules.tie, seed) : top;
  const accepted =
    winner !== null && scoreOf(winner) > 0 && share >= rules.threshold && votes >= rules.minVotes;
  return {
    clusters,
    label: accepted ? { key: winner.key, answer: winner.answer } : null,
    share,
    votes,
    ballots: ballots.length,
    tied,
  };
}

interface CastBallot {
  readonly key: string;
  readonly answer: string;
  readonly index: number | null;
}

/** A Map, since a plain object would reorder integer-like keys and has `__proto__`. */
function clusterBallots(voters: readonly CastBallot[], scoreOf: (cluster: Cluster) => number): Cluster[] {
  const members = new Map<string, CastBallot[]>();
  for (const voter of voters) {
    const known = members.get(voter.key);
    if (known === undefined) members.set(voter.key, [voter]);
    else known.push(voter);
  }
  return [...members.values()]
    .map((cluster) => {
      const first = cluster.reduce((a, b) => (compareMembers(b, a) < 0 ? b : a));
      return { cluster: { key: first.key, answer: first.answer, votes: cluster.length }, first };
    })
    .sort((a, b) => scoreOf(b.cluster) - scoreOf(a.cluster) || compareClusters(a.first, b.first))
    .map(({ cluster }) => cluster);
}

function shareOfScores(top: number, scores: readonly number[]): number {
  const total = scores.reduce((sum, score) => sum + score, 0);
  return total === 0 ? 0 : top / total;
}

function compareClusters(a: CastBallot, b: CastBallot): number {
  return compareIndex(a.index, b.index) || hashKey(a.key) - hashKey(b.key) || compareText(a.key, b.key);
}

function compareMembers(a: CastBallot, b: CastBallot): number {
  return compareIndex(a.index, b.index) || compareText(a.answer, b.answer);
}

function compareIndex(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null ? -1 : a - b;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function breakTie(
  first: Cluster,
  leaders: readonly Cluster[],
  tie: VoteRules['tie'],
  seed: TieSeed,
): Cluster | null {
  switch (tie) {
    case 'first':
      return first;
    case 'discard':
      return null;
    case 'random': {
      const draw = (cluster: Cluster) => hashKey(`${seed.promptId}\u0000${seed.round}\u0000${cluster.key}`);
      return leaders.reduce((a, b) => (draw(b) < draw(a) ? b : a));
    }
  }
}

/**
 * Unique plurality of several agents' labels (Co-RL reference `_peer_majority_vote`): null labels are
 * dropped, and a shared top count leaves the prompt unlabeled. `share` is of the labels that exist, or of all `scores`.
 */
export function countLabels(
  labels: readonly ({ readonly key: string; readonly answer: string } | null)[],
  scores: Scores | null = null,
): Pick<Vote, 'label' | 'share' | 'tied'> {
  const ballots = labels.map((label) => ({
    key: label?.key ?? null,
    answer: label?.answer ?? null,
    index: null,
  }));
  const rules: VoteRules = {
    threshold: 0,
    denominator: 'parseable',
    minVotes: 1,
    tie: 'discard',
    allowEmptyVote: false,
  };
  const { label, share, tied } = countVotes(ballots, rules, { promptId: '', round: 0 }, scores);
  return { label, share, tied };
}
