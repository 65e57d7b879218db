import type { Bucket } from '../../src/domain/bucket.ts';
import type { Cohort } from '../../src/domain/cohort.ts';
import { mergeAgentCounts, NO_AGENT_COUNTS } from '../../src/domain/diagnostics/counters.ts';
import { agentFigures, pairFigures } from '../../src/domain/diagnostics/figures.ts';
import type { Rate } from '../../src/domain/diagnostics/rates.ts';
import { Tally } from '../../src/domain/diagnostics/tally.ts';
import { countAllLabels, countBoth, countGroup, readVotes } from '../../src/service/count-group.ts';
import { judgeGroup } from '../../src/service/judge-groups.ts';

/** What the service counts of buckets in which every group is decided. */
export function tallyBuckets(cohort: Cohort, buckets: readonly Bucket[]): Tally {
  const tally = new Tally();
  for (const bucket of buckets) {
    const voted = readVotes(cohort, bucket);
    for (const [at, agent] of cohort.agents.entries()) {
      const judgement = judgeGroup(cohort, agent, bucket);
      if (judgement === null) throw new Error(`the group of ${agent.name} cannot be judged`);
      const counts = mergeAgentCounts(
        countGroup(voted, agent, judgement),
        countAllLabels(voted, agent, judgement.label !== null),
      );
      tally.add({ kind: 'agent', agent: agent.name, counts });
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
  return known(agentFigures(cohort, agent, NO_AGENT_COUNTS).get(name), name)(tally);
}

/** One figure of a pair, which must exist. */
export function pairFigureOf(tally: Tally, agent: string, peer: string, name: string): Rate {
  return known(pairFigures(agent, peer).get(name), name)(tally);
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`no figure ${name}`);
  return found;
}
