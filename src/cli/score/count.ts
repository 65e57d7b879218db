import type { Bucket } from '../../domain/bucket.ts';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { Tally } from '../../domain/diagnostics/tally.ts';
import type { Judgement } from '../../methods/method.ts';
import { countSamplePair, type SampleCounts } from '../../methods/sample-pairs.ts';
import { countAllLabels, countBoth, countLabels, countVoters, readVotes } from '../../service/count-group.ts';
import { judgeGroup } from '../../service/judge-groups.ts';

/** Figures of the labels, and of single samples against each other; of an agent against itself too. */
export interface ScoreTally {
  readonly labels: Tally;
  readonly samples: Tally;
  readonly selves: ReadonlyMap<AgentName, Tally>;
}

export function newTally(cohort: Cohort): ScoreTally {
  return {
    labels: new Tally(),
    samples: new Tally(),
    selves: new Map(cohort.agents.map(({ name }) => [name, new Tally()])),
  };
}

/** The judgement of every agent that has rollouts in a bucket whose groups are all decided. */
export function judgeAll(cohort: Cohort, bucket: Bucket): ReadonlyMap<AgentName, Judgement> {
  const judgements = new Map<AgentName, Judgement>();
  for (const agent of cohort.agents) {
    const group = bucket.groups.get(agent.name);
    const judgement =
      group === undefined || group.rollouts.length === 0 ? null : judgeGroup(bucket, { cohort, agent });
    if (judgement !== null) judgements.set(agent.name, judgement);
  }
  return judgements;
}

/** Adds what one bucket says, as the server counts it. */
export function countBucket(
  tally: ScoreTally,
  cohort: Cohort,
  bucket: Bucket,
  samples: ReadonlyMap<AgentName, SampleCounts>,
  judgements: ReadonlyMap<AgentName, Judgement>,
): void {
  const voted = readVotes(bucket);
  for (const [at, agent] of cohort.agents.entries()) {
    const judgement = judgements.get(agent.name);
    const group = bucket.groups.get(agent.name);
    const own = samples.get(agent.name);
    if (judgement === undefined || group === undefined || own === undefined) continue;
    const counted = [
      countLabels(voted, agent, judgement),
      ...countVoters(voted, group, judgement),
      countAllLabels(voted, agent, judgement.label !== null) ?? {},
    ];
    for (const counts of counted) tally.labels.add({ kind: 'agent', agent: agent.name, counts });
    const self = countSamplePair(own, own, true);
    if (self !== null) {
      tally.selves
        .get(agent.name)
        ?.add({ kind: 'pair', first: agent.name, second: agent.name, counts: self });
    }
    for (const { name: second } of cohort.agents.slice(at + 1)) {
      const peer = samples.get(second);
      if (peer === undefined) continue;
      const labels = countBoth(voted, agent.name, second);
      if (labels !== null) tally.labels.add({ kind: 'pair', first: agent.name, second, counts: labels });
      const pair = countSamplePair(own, peer);
      if (pair !== null) tally.samples.add({ kind: 'pair', first: agent.name, second, counts: pair });
    }
  }
}
