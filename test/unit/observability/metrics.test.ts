import { describe, expect, it } from 'vitest';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { Metrics } from '../../../src/observability/metrics.ts';
import { buildCohort } from '../../support/builders.ts';

it('replacements of workers are counted by reason, each from 0 on', async () => {
  const metrics = new Metrics();
  metrics.workerReplaced('canary');
  const text = await metrics.registry.metrics();
  const counts = text.match(/^peervote_code_workers_replaced_total\{.*$/gm);
  expect(counts?.sort()).toEqual(
    ['canary', 'crashed', 'start', 'suspect', 'timeout'].map(
      (reason) => `peervote_code_workers_replaced_total{reason="${reason}"} ${reason === 'canary' ? 1 : 0}`,
    ),
  );
});

describe('the series of a cohort', () => {
  const sources = (...cohorts: Cohort[]) => ({
    cohorts: async () => cohorts,
    openBuckets: async () => 0,
    held: () => 0,
    findings: () => [],
    programsPending: () => 0,
    redisUp: () => null,
    judge: () => null,
    redisMemory: async () => null,
    awaited: () => [],
  });
  const valuesOf = (text: string, metric: string) =>
    [...text.matchAll(new RegExp(`^${metric}(?:_count)?\\{([^}]*)\\} (\\S+)$`, 'gm'))].map(
      ([, labels, value]) => `${labels} ${value}`,
    );

  it('are there at 0 from its first scrape on, for every agent and pair', async () => {
    const metrics = new Metrics();
    const text = await metrics.expose(sources(buildCohort({ agents: ['a', 'b', 'c'] })));
    expect(valuesOf(text, 'peervote_groups_settled_total')).toHaveLength(3 * 4);
    expect(valuesOf(text, 'peervote_agreement_total')).toHaveLength(3 * 2);
    expect(valuesOf(text, 'peervote_pairs_graded_total')).toHaveLength(3 * 5);
    expect(valuesOf(text, 'peervote_reward_std_within')).toHaveLength(3);
    for (const metric of [
      'groups_settled_total',
      'agreement_total',
      'pairs_graded_total',
      'reward',
      'answers_total',
    ]) {
      expect(valuesOf(text, `peervote_${metric}`).every((line) => line.endsWith(' 0'))).toBe(true);
    }
  });

  it('keep what was counted before they were scraped', async () => {
    const metrics = new Metrics();
    const cohort = buildCohort();
    const [agent, peer] = cohort.agents.map(({ name }) => name);
    metrics.pairCompared({
      cohort: cohort.name,
      agent: agent ?? '',
      peer: peer ?? '',
      agree: true,
      chance: { compared: 4, same: 1 },
    });
    metrics.waited({ cohort: cohort.name, agent: agent ?? '', outcome: 'decided', ms: 5 });
    const text = await metrics.expose(sources(cohort));
    expect(valuesOf(text, 'peervote_agreement_total').map((line) => line.at(-1))).toEqual(['1', '0']);
    expect(
      valuesOf(text, 'peervote_barrier_wait_seconds')
        .map((line) => line.at(-1))
        .sort(),
    ).toEqual(['0', '1']);
  });

  it('go from every replica once the cohort is gone, and begin anew where it gets other agents', async () => {
    const metrics = new Metrics();
    const [one, other] = ['one', 'other'].map((name) => ({ ...buildCohort(), name }));
    if (one === undefined || other === undefined) throw new Error('two cohorts');
    await metrics.expose(sources(one, other));
    const left = await metrics.expose(sources(other));
    expect(left).not.toContain('cohort="one"');
    expect(left).toContain('cohort="other"');
    const wider = { ...buildCohort({ agents: ['a', 'b', 'z'] }), name: 'other' };
    expect(await metrics.expose(sources(wider))).toContain('agent="z"');
  });
});
