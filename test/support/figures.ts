import type { Bucket } from '../../src/domain/bucket.ts';
import type { Cohort } from '../../src/domain/cohort.ts';
import {
  type AgentCounts,
  addAgentCounts,
  addPairCounts,
  NO_AGENT_COUNTS,
  NO_PAIR_COUNTS,
  type PairCounts,
} from '../../src/domain/diagnostics/counters.ts';
import { agentFigures, pairFigures } from '../../src/domain/diagnostics/figures.ts';
import type { Rate } from '../../src/domain/diagnostics/rates.ts';
import { Tally } from '../../src/domain/diagnostics/tally.ts';
import {
  countAllLabels,
  countBoth,
  countLabels,
  countVoters,
  readVotes,
} from '../../src/service/count-group.ts';
import { judgeGroup } from '../../src/service/judge-groups.ts';

/** All of these together. */
export function sumAgents(...all: readonly Partial<AgentCounts>[]): AgentCounts {
  const sum = { ...NO_AGENT_COUNTS };
  for (const counts of all) addAgentCounts(sum, counts);
  return sum;
}

/** All of these together. */
export function sumPairs(...all: readonly Partial<PairCounts>[]): PairCounts {
  const sum = { ...NO_PAIR_COUNTS };
  for (const counts of all) addPairCounts(sum, counts);
  return sum;
}

/** What the service counts of buckets in which every group is decided. */
export function tallyBuckets(cohort: Cohort, buckets: readonly Bucket[]): Tally {
  const tally = new Tally();
  for (const given of buckets) {
    const bucket = { ...given, settings: cohort };
    const voted = readVotes(bucket);
    for (const [at, agent] of cohort.agents.entries()) {
      const judgement = judgeGroup(bucket, { cohort, agent });
      if (judgement === null) throw new Error(`the group of ${agent.name} cannot be judged`);
      const group = bucket.groups.get(agent.name);
      if (group === undefined) continue;
      const counted = [
        countLabels(voted, agent, judgement),
        ...countVoters(voted, group, judgement),
        countAllLabels(voted, agent, judgement.label !== null) ?? {},
      ];
      for (const counts of counted) tally.add({ kind: 'agent', agent: agent.name, counts });
      for (const { name: second } of cohort.agents.slice(at + 1)) {
        const pair = countBoth(voted, agent.name, second);
        if (pair !== null) tally.add({ kind: 'pair', first: agent.name, second, counts: pair });
      }
    }
  }
  return tally;
}

/** One figure of an agent, which must exist. */
export function figureOf(cohort: Cohort, tally: Tally, agent: string, name: string): Rate {
  return known(agentFigures(cohort, agent, NO_AGENT_COUNTS, null).read(tally).get(name), name);
}

/** One figure of a pair, which must exist. */
export function pairFigureOf(tally: Tally, agent: string, peer: string, name: string): Rate {
  return known(pairFigures(agent, peer, null).read(tally).get(name), name);
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`no figure ${name}`);
  return found;
}
