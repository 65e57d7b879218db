import type { toCohortConfig } from '../../config/parse-cohort.ts';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import {
  type AgentCounts,
  NO_AGENT_COUNTS,
  NO_PAIR_COUNTS,
  type PairCounts,
} from '../../domain/diagnostics/counters.ts';
import { AGENT_RATES, PAIR_RATES, type Rate } from '../../domain/diagnostics/rates.ts';
import type { ReadCounts } from '../rollouts/read-rollouts.ts';
import type { ScoreTally } from './count.ts';
import type { MajorityRow } from './majority.ts';

export type Figures = Readonly<Record<string, Rate>>;

/** What `peervote score` found, as `--json` prints it. */
export interface ScoreResult {
  readonly read: ReadCounts;
  readonly seed: number;
  readonly tie: string;
  readonly agents: readonly {
    readonly agent: AgentName;
    readonly groups: number;
    readonly figures: Figures;
  }[];
  /** `sample`: one rollout of each, in the mean over all pairs of them; `label`: what each voted for. */
  readonly pairs: readonly {
    readonly agent: AgentName;
    readonly peer: AgentName;
    readonly basis: 'sample' | 'label';
    readonly figures: Figures;
  }[];
  readonly maj_at_k: readonly MajorityRow[];
  /** The cohort that rewards were computed for; null where no method was asked for. */
  readonly cohort: ReturnType<typeof toCohortConfig> | null;
  readonly notes: readonly string[];
}

type AgentRateName = keyof typeof AGENT_RATES;
type PairRateName = keyof typeof PAIR_RATES;

/** What a file of rollouts says of an agent, under the names of the diagnostics of a run. */
const VOTING = {
  accuracy: 'ground_truth_ratio',
  pass_at_k: 'pass_at_k',
  label_accuracy: 'label_accuracy',
  label_coverage: 'label_coverage',
  parseable_fraction: 'parseable_fraction',
  vote_tie_rate: 'vote_tie_rate',
  top_frequency_mean: 'top_frequency_mean',
  uniform_vote_rate: 'uniform_vote_rate',
} as const satisfies Readonly<Record<string, AgentRateName>>;

/** What the rewards of a method say besides. */
const REWARDED = {
  reward_mean: 'reward_mean',
  reward_accuracy: 'reward_accuracy',
  reward_std_within_pop: 'reward_std_within_pop',
  reward_std_within_unbiased: 'reward_std_within_unbiased',
  frac_reward_zero_std: 'frac_reward_zero_std',
  match_rate: 'match_rate',
  supervision_fraction: 'supervision_fraction',
  unlabeled_fraction: 'unlabeled_fraction',
  expired_fraction: 'expired_fraction',
} as const satisfies Readonly<Record<string, AgentRateName>>;

const SAMPLED = {
  agreement: 'agreement',
  both_parseable_fraction: 'both_labeled_fraction',
  complementarity: 'label_complementarity',
  complementarity_bound: 'complementarity_bound',
  oracle: 'label_oracle',
  both_right: 'both_right',
  both_wrong: 'both_wrong',
  both_wrong_same: 'both_wrong_same',
  answer_match: 'label_match',
  accuracy_agent: 'accuracy_agent',
  accuracy_peer: 'accuracy_peer',
  kappa: 'kappa',
} as const satisfies Readonly<Record<string, PairRateName>>;

/** Figures of all agents, and of all pairs, each agent with itself first. */
export function figuresOf(
  { agents }: Cohort,
  { labels, samples, selves }: ScoreTally,
  rewarded: boolean,
): Pick<ScoreResult, 'agents' | 'pairs'> {
  const names = agents.map(({ name }) => name);
  return {
    agents: names.map((agent) => {
      const counts = labels.agent(agent) ?? NO_AGENT_COUNTS;
      const figures = { ...agentFigures(VOTING, counts), ...(rewarded && agentFigures(REWARDED, counts)) };
      return { agent, groups: counts.groups, figures };
    }),
    pairs: names.flatMap((agent, at) =>
      names.slice(at).flatMap((peer): readonly ScoreResult['pairs'][number][] => {
        if (peer === agent) {
          const counts = selves.get(agent)?.pair(agent, agent) ?? NO_PAIR_COUNTS;
          return [{ agent, peer, basis: 'sample', figures: sampleFigures(counts) }];
        }
        return [
          {
            agent,
            peer,
            basis: 'sample',
            figures: sampleFigures(samples.pair(agent, peer) ?? NO_PAIR_COUNTS),
          },
          { agent, peer, basis: 'label', figures: labelFigures(labels.pair(agent, peer) ?? NO_PAIR_COUNTS) },
        ];
      }),
    ),
  };
}

function agentFigures(names: Readonly<Record<string, AgentRateName>>, counts: AgentCounts): Figures {
  return Object.fromEntries(Object.entries(names).map(([name, rate]) => [name, AGENT_RATES[rate](counts)]));
}

function sampleFigures(counts: PairCounts): Figures {
  return Object.fromEntries(Object.entries(SAMPLED).map(([name, rate]) => [name, PAIR_RATES[rate](counts)]));
}

function labelFigures(counts: PairCounts): Figures {
  return Object.fromEntries(Object.entries(PAIR_RATES).map(([name, rate]) => [name, rate(counts)]));
}
