import { describe, expect, it } from 'vitest';
import { Inspector } from '../../../src/service/inspect.ts';
import { buildCohort } from '../../support/builders.ts';
import { openService, wholeGroup } from '../../support/service.ts';

describe('Cohorts', () => {
  it('finds a cohort and an agent, and says which there are', async () => {
    const { cohorts, cohort } = await openService();
    expect(await cohorts.find('test', 'a')).toEqual({ cohort, agent: cohort.agents[0] });
    await expect(cohorts.get('other')).rejects.toMatchObject({
      code: 'unknown_cohort',
      message: expect.stringContaining('PUT /v1/cohorts/other'),
    });
    await expect(cohorts.find('test', 'z')).rejects.toMatchObject({
      code: 'unknown_agent',
      details: { agents: ['a', 'b'] },
    });
  });

  it('creates, leaves as it is, and replaces a cohort in which nothing is open', async () => {
    const { cohorts } = await openService();
    expect(await cohorts.put(buildCohort())).toBe('unchanged');
    expect(await cohorts.put(buildCohort({ k: 3 }))).toBe('replaced');
    expect(await cohorts.put(buildCohort({ name: 'other' }))).toBe('created');
    expect((await cohorts.list()).map(({ name }) => name)).toEqual(['other', 'test']);
  });

  it('changes no cohort whose agents wait, but takes the same settings again', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await expect(scene.cohorts.put(buildCohort({ k: 3 }))).rejects.toMatchObject({ code: 'cohort_in_use' });
    expect(await scene.cohorts.put(buildCohort())).toBe('unchanged');
  });

  it('holds as many cohorts as it may, and room again after a delete', async () => {
    const { cohorts, telemetry } = await openService();
    for (let at = 1; at < 10; at++) await cohorts.put(buildCohort({ name: `c${at}` }));
    await expect(cohorts.put(buildCohort({ name: 'one-more' }))).rejects.toMatchObject({
      code: 'too_many_cohorts',
    });
    expect(await cohorts.put(buildCohort({ k: 5 }))).toBe('replaced');
    await cohorts.delete('c3');
    expect(telemetry.forgotten).toEqual(['c3']);
    expect(await cohorts.put(buildCohort({ name: 'one-more' }))).toBe('created');
    await expect(cohorts.delete('c3')).rejects.toMatchObject({ code: 'unknown_cohort' });
  });

  it('lets a deleted cohort start anew', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.cohorts.delete('test');
    await scene.cohorts.put(scene.cohort);
    expect(await scene.store.readPrompt('test', 'p')).toEqual([]);
  });
});

describe('Inspector', () => {
  async function inspected() {
    const scene = await openService();
    return { scene, inspector: new Inspector(scene.store, scene.cohorts, scene.clock, scene.planner) };
  }

  it('explains every round of a prompt: votes, label and rewards, null while a teacher is undecided', async () => {
    const { scene, inspector } = await inspected();
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.record('b', [wholeGroup('p', ['5', '5'])]);
    await scene.record('a', [wholeGroup('p', ['7', '7'])]);
    const rounds = await inspector.explain('test', 'p');
    expect(
      rounds.map(({ bucket, explained }) => [
        bucket.round,
        explained.map(({ agent, vote, judgement }) => [agent, vote.label?.answer, judgement?.label?.answer]),
      ]),
    ).toEqual([
      [
        0,
        [
          ['a', '4', '5'],
          ['b', '5', '4'],
        ],
      ],
      [
        1,
        [
          ['a', '7', undefined],
          ['b', undefined, '7'],
        ],
      ],
    ]);
    await expect(inspector.explain('test', 'q')).rejects.toMatchObject({ code: 'unknown_bucket' });
    await expect(inspector.explain('nowhere', 'p')).rejects.toMatchObject({ code: 'unknown_cohort' });
  });

  it('shows who waits for whom since when, and lists open buckets up to a limit', async () => {
    const { scene, inspector } = await inspected();
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.advance(1_000);
    await scene.record('a', [wholeGroup('q', ['4', '5'])]);
    const now = scene.clock.now();
    expect(await inspector.live(scene.cohort)).toMatchObject({
      now,
      openBuckets: 2,
      activity: [{ agent: 'a', rollouts: 4, lastArrivalAt: now }, { agent: 'b' }],
      waits: [
        {
          student: 'a',
          teacher: 'b',
          prompts: [
            { promptId: 'p', round: 0, since: now - 1_000 },
            { promptId: 'q', round: 0, since: now },
          ],
        },
      ],
    });
    const { total, buckets } = await inspector.open('test', 1);
    expect([total, buckets.map(({ promptId }) => promptId)]).toEqual([2, ['p']]);
  });
});
