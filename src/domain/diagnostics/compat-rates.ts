import type { AgentName, MethodName } from '../cohort.ts';
import type { AgentCounts, PairCounts } from './counters.ts';
import { AGENT_RATES, PAIR_RATES, type Rate, type Rates, rateOf } from './rates.ts';

/** Another agent of the cohort, and what was counted of both, `first` being the agent that looks. */
export interface Peer {
  readonly agent: AgentName;
  readonly counts: PairCounts;
}

type Named = readonly [name: string, rate: Rate];

const REFERENCES: ReadonlyMap<string, (own: AgentCounts, peers: readonly Peer[]) => readonly Named[]> =
  new Map([
    ['co-rl', coLabeling],
    ['ttrl', selfLabeling],
    ['co-rewarding-i', coReward],
    ['co-rewarding-ii', coReward],
  ]);

/**
 * Figures under the names and with the denominators of the method's reference implementation, so that its dashboards go
 * on; empty for a method without one. Names depend on the method and the agents alone, never on what was counted.
 */
export function compatRates(method: MethodName, own: AgentCounts, peers: readonly Peer[]): Rates {
  return new Map(REFERENCES.get(method)?.(own, peers));
}

/** Co-RL. With two agents the peer's figures carry no name; the reference gives some of the rest for three or more only. */
function coLabeling(own: AgentCounts, peers: readonly Peer[]): readonly Named[] {
  const isPair = peers.length === 1;
  const named = peers.flatMap(({ agent, counts }): Named[] => {
    const suffix = isPair ? '' : `/${agent}`;
    return [
      [`co_labeling/peer_agreement${suffix}`, PAIR_RATES.agreement(counts)],
      [`co_labeling/labeled_fraction_peer${suffix}`, rateOf(counts.secondLabeled, counts.compared)],
      ...(isPair
        ? [['co_labeling/both_labeled_fraction', PAIR_RATES.both_labeled_fraction(counts)] as const]
        : []),
    ];
  });
  return [
    ...named,
    ['co_labeling/labeled_fraction_me', AGENT_RATES.label_coverage(own)],
    // The reference leaves labels without a truth in the denominator; `label_accuracy` does not.
    ['co_labeling/oracle_accuracy_me', rateOf(own.labelKeyHits, own.labeled)],
    ['co_labeling/supervision_fraction', AGENT_RATES.supervision_fraction(own)],
    // Identically 0 in a ring; it tells of peer-majority and pooled, where labeled peers may still tie.
    ['co_labeling/peer_tie_rate', AGENT_RATES.peer_tie_rate(own)],
    ['co_labeling/unanimous_rate', AGENT_RATES.unanimous_rate(own)],
    ['co_labeling/supervision_contains_truth', AGENT_RATES.supervision_contains_truth(own)],
    ['co_labeling/rendezvous_wait_seconds', AGENT_RATES.barrier_wait_mean_s(own)],
  ];
}

/** The TTRL baseline of the Co-RL reference. A label without a truth counts as wrong there. */
function selfLabeling(own: AgentCounts): readonly Named[] {
  return [
    ['self_labeling/fraction_labeled', AGENT_RATES.label_coverage(own)],
    ['self_labeling/top_frequency_mean', AGENT_RATES.top_frequency_mean(own)],
    ['self_labeling/parseable_fraction', AGENT_RATES.parseable_fraction(own)],
    ['self_labeling/pseudo_label_matches_gt', rateOf(own.labelHits, own.labeled)],
  ];
}

/** Co-rewarding counts labels by the rollouts of their groups, with or without a truth. */
function coReward(own: AgentCounts): readonly Named[] {
  return [
    ['coreward/pseudo_nonempty_rate', rateOf(own.supervised, own.groups)],
    ['coreward/pseudo_acc', rateOf(own.supervisionHitRollouts, own.rollouts)],
    ['coreward/pseudo_ref_acc', rateOf(own.supervisionHitRollouts, own.rollouts)],
    ['coreward/pseudo_policy_acc', rateOf(own.labelKeyHitRollouts, own.rollouts)],
    ['coreward/pass_acc', AGENT_RATES.match_rate(own)],
  ];
}
