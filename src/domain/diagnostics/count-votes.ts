import type { Vote } from '../vote.ts';
import { type AgentCounts, type PairCounts, toSummand } from './counters.ts';

type Label = NonNullable<Vote['label']>;

/** Key under which "no answer" stands for election where a cohort allows it; no answer has it. */
const EMPTY_KEY = '';

/** The ground truth of a prompt, as answers and labels are held against it. */
export interface TruthCase {
  readonly key: string;
  readonly isRight: (answer: string) => boolean;
}

/** One agent's decided group of one prompt: what it voted for, and what it is rewarded against. */
export interface VotedGroup {
  readonly vote: Vote;
  /** Null where there is no such label; methods that pay without one never have it. */
  readonly supervision: Label | null;
  /** Null where none was given, or where it says nothing of a label (programs). */
  readonly truth: TruthCase | null;
}

/** What the vote and the labels of one group count; its rollouts are counted by `countRollouts`. */
export function countVote({ vote, supervision, truth }: VotedGroup): Partial<AgentCounts> {
  const { label, clusters, votes, ballots, tied } = vote;
  const [top] = clusters;
  const voted = votes > 0;
  const keyHit = label !== null && label.key === truth?.key;
  const supervisionHit = supervision !== null && supervision.key === truth?.key;
  return {
    groups: 1,
    rollouts: ballots,
    answered: votes - (clusters.find(({ key }) => key === EMPTY_KEY)?.votes ?? 0),
    votedGroups: Number(voted),
    tiedGroups: Number(voted && tied),
    uniformGroups: Number(voted && clusters.length === 1 && votes === ballots),
    topShares: top === undefined ? 0 : toSummand(top.votes / votes),
    topVotes: top?.votes ?? 0,
    labeled: Number(label !== null),
    truthLabels: Number(label !== null && truth !== null),
    labelHits: Number(isRight(label, truth)),
    labelKeyHits: Number(keyHit),
    labelKeyHitRollouts: keyHit ? ballots : 0,
    supervised: Number(supervision !== null),
    supervisedRollouts: supervision === null ? 0 : ballots,
    supervisedTruths: Number(supervision !== null && truth !== null),
    supervisionHits: Number(supervisionHit),
    supervisionHitRollouts: supervisionHit ? ballots : 0,
    supervisionRight: Number(isRight(supervision, truth)),
  };
}

/**
 * What the labels of two decided groups of one prompt say of each other (Co-RL, appendix A, with the majority label in
 * the place of one sample). `isSame` grades the second label against the first.
 */
export function countPair(
  first: Label | null,
  second: Label | null,
  truth: TruthCase | null,
  isSame: (first: string, second: string) => boolean,
): Partial<PairCounts> {
  const both = first !== null && second !== null;
  const same = both && first.key === second.key;
  const counts = {
    compared: 1,
    firstLabeled: Number(first !== null),
    secondLabeled: Number(second !== null),
    bothLabeled: Number(both),
    same: Number(same),
    equivalent: Number(same || (both && isSame(first.answer, second.answer))),
  };
  if (truth === null) return counts;
  const firstRight = isRight(first, truth);
  const secondRight = isRight(second, truth);
  return {
    ...counts,
    truths: 1,
    bothRight: Number(firstRight && secondRight),
    firstRight: Number(firstRight),
    secondRight: Number(secondRight),
    bothWrong: Number(!firstRight && !secondRight),
    wrongSame: Number(!firstRight && !secondRight && same),
  };
}

/** Fewer different texts than this, or than half of the group, may be alike by chance: answers in a word or two. */
const FEWEST_TEXTS = 3;

/**
 * How many texts two groups of one prompt share: two policies that are sampled apart share none, and copies that are
 * sampled from the same seed share all. Nothing where either has few different texts. By digests, of voters.
 */
export function countTexts(first: readonly string[], second: readonly string[]): Partial<PairCounts> {
  const ones = new Set(first);
  const others = new Set(second);
  const isVaried = (texts: ReadonlySet<string>, all: number) =>
    texts.size >= Math.min(FEWEST_TEXTS, all) && texts.size >= Math.max(2, all / 2);
  if (!isVaried(ones, first.length) || !isVaried(others, second.length)) return {};
  let same = 0;
  for (const text of ones) if (others.has(text)) same++;
  return { texts: Math.min(ones.size, others.size), sameTexts: same };
}

/** What the labels of all agents say of one of them, once all groups of a prompt are decided. */
export function countRound(
  own: Label | null,
  peers: readonly (Label | null)[],
  supervised: boolean,
): Partial<AgentCounts> {
  const peersLabeled = peers.length > 0 && peers.every((label) => label !== null);
  const allLabeled = peersLabeled && own !== null;
  return {
    peersLabeled: Number(peersLabeled),
    peerTies: Number(peersLabeled && !supervised),
    allLabeled: Number(allLabeled),
    unanimous: Number(allLabeled && peers.every((label) => label?.key === own.key)),
  };
}

function isRight(label: Label | null, truth: TruthCase | null): boolean {
  return label !== null && truth !== null && label.answer !== '' && truth.isRight(label.answer);
}
