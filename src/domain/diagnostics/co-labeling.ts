import type { Vote } from '../vote.ts';
import { countCase, type Ratio, type Ratios } from './ratios.ts';

type Label = NonNullable<Vote['label']>;

/** What another agent voted for in the same bucket. */
export interface PeerLabel {
  readonly agent: string;
  /** False while its group is open: then it counts nowhere, so that names stay constant. */
  readonly decided: boolean;
  readonly label: Label | null;
}

/** One bucket, as one of its agents sees it. */
export interface CoLabelingCase {
  readonly own: Label | null;
  /** All other agents of the cohort, in its order. */
  readonly peers: readonly PeerLabel[];
  /** The label that the agent is rewarded against; null when there is none. */
  readonly supervision: Label | null;
  /** Canonical key of the ground truth; null where none was given, or where keys say nothing (code). */
  readonly truthKey: string | null;
}

/**
 * The `co_labeling/*` metrics that the Co-RL reference logs for one agent (co_rl_trainer.py; labels are
 * compared by key). With two agents the peer's metrics carry no name and `both_labeled_fraction` is there;
 * with more they end in the peer's name. The group-wide ones, which the reference gives for three agents
 * or more, are given for two as well.
 */
export function countCoLabeling(bucket: CoLabelingCase): Ratios {
  const { own, peers, supervision, truthKey } = bucket;
  const allDecided = peers.every(({ decided }) => decided);
  const peersLabeled = allDecided && peers.length > 0 && peers.every(({ label }) => label !== null);
  const unanimous = own !== null && peers.every(({ label }) => label?.key === own.key);
  return prefix([
    ...comparePeers(bucket),
    ['labeled_fraction_me', countCase(own !== null)],
    ['supervision_fraction', countCase(supervision !== null)],
    // Identically 0 in a ring; it tells of peer-majority and pooled, where labelled peers may still tie.
    ['peer_tie_rate', countCase(peersLabeled ? supervision === null : null)],
    ['unanimous_rate', countCase(peersLabeled && own !== null ? unanimous : null)],
    [
      'supervision_contains_truth',
      countCase(supervision === null || truthKey === null ? null : supervision.key === truthKey),
    ],
    // The reference leaves groups without a truth in the denominator; `label_accuracy` does not.
    ['oracle_accuracy_me', countCase(own === null ? null : own.key === truthKey)],
  ]);
}

function comparePeers({ own, peers }: CoLabelingCase): [string, Ratio][] {
  const [first] = peers;
  if (first !== undefined && peers.length === 1) {
    const both = own !== null && first.label !== null;
    return [
      ...comparePeer(own, first, ''),
      ['both_labeled_fraction', countCase(first.decided ? both : null)],
    ];
  }
  return peers.flatMap((peer) => comparePeer(own, peer, `/${peer.agent}`));
}

function comparePeer(own: Label | null, peer: PeerLabel, suffix: string): [string, Ratio][] {
  const { decided, label } = peer;
  const comparable = decided && own !== null && label !== null;
  return [
    [`peer_agreement${suffix}`, countCase(comparable ? own.key === label.key : null)],
    [`labeled_fraction_peer${suffix}`, countCase(decided ? label !== null : null)],
  ];
}

function prefix(entries: readonly (readonly [string, Ratio])[]): Ratios {
  return new Map(entries.map(([name, ratio]) => [`co_labeling/${name}`, ratio]));
}
