import { describe, expect, it } from 'vitest';
import type { ArrivalContext, GroupArrival, NewRollout } from '../../../src/domain/arrival.ts';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { holderAt } from '../../../src/domain/find-stored.ts';
import { emptyPrompt, type PromptState } from '../../../src/domain/prompt-state.ts';
import { receive } from '../../../src/domain/receive.ts';
import {
  buildAnonymous,
  buildArrival,
  buildCohort,
  buildContext,
  buildRollouts,
  buildTruth,
  storedBucket,
} from '../../support/builders.ts';

interface Step extends Partial<ArrivalContext> {
  readonly who: string;
  readonly rollouts: readonly NewRollout[];
  readonly arrival?: Partial<GroupArrival>;
  readonly now?: number;
}

/** Plays arrivals into one prompt; tells the state and the outcome after the last. */
function play(cohort: Cohort, ...steps: readonly Step[]) {
  let prompt: PromptState = emptyPrompt('p');
  let last: ReturnType<typeof receive> | null = null;
  for (const { who, rollouts, arrival, now = 0, ...context } of steps) {
    last = receive(
      prompt,
      buildArrival('p', rollouts, { round: 0, ...arrival }),
      buildContext(cohort, who, context),
      now,
    );
    prompt = last.prompt;
  }
  if (last === null) throw new Error('nothing was played');
  return { prompt, outcome: last.outcome };
}

const two = buildRollouts(['4', '5']);
const one = buildRollouts(['4']);

describe('receive', () => {
  it('leaves the state that it was given as it was', () => {
    const cohort = buildCohort();
    const before = play(cohort, { who: 'a', rollouts: one }).prompt;
    const frozen = structuredClone(before);
    receive(before, buildArrival('p', two, { round: 0 }), buildContext(cohort, 'a'), 5);
    expect(before).toEqual(frozen);
  });

  it('opens a group for every teacher, once, with a deadline from now on', () => {
    const cohort = buildCohort({ agents: ['a', 'b', 'c'], supervision: { kind: 'peer-majority' } });
    const { prompt } = play(
      cohort,
      { who: 'a', rollouts: one, now: 100 },
      { who: 'b', rollouts: one, now: 200 },
    );
    const groups = prompt.rounds.get(0)?.groups;
    expect([...(groups?.keys() ?? [])]).toEqual(['a', 'b', 'c']);
    expect(groups?.get('c')).toMatchObject({
      openedAt: 100,
      deadlineAt: 60_100,
      step: null,
      incarnation: null,
    });
  });

  it('opens no group for the students', () => {
    const cohort = buildCohort({ agents: ['a', 'b', 'c'] });
    const { prompt } = play(cohort, { who: 'a', rollouts: one });
    expect([...(prompt.rounds.get(0)?.groups.keys() ?? [])]).toEqual(['a', 'c']);
  });

  it('opens only the own group where nobody is waited for', () => {
    for (const method of ['ttrl', 'ground-truth'] as const) {
      const { prompt, outcome } = play(buildCohort({ method }), { who: 'a', rollouts: two });
      expect([...(prompt.rounds.get(0)?.groups.keys() ?? [])]).toEqual(['a']);
      expect(outcome).toMatchObject({ decided: ['a'] });
    }
  });

  it('gives an awaited group the step and incarnation of its first rollout', () => {
    const { prompt } = play(
      buildCohort(),
      { who: 'a', rollouts: one },
      { who: 'b', rollouts: one, step: 3, incarnation: 'i-1', now: 50 },
    );
    expect(prompt.rounds.get(0)?.groups.get('b')).toMatchObject({ step: 3, incarnation: 'i-1', openedAt: 0 });
  });

  it('gives an awaited group its step also without an incarnation, and a decided one nothing', () => {
    const late = { who: 'b', rollouts: one, step: 3 };
    const open = play(buildCohort(), { who: 'a', rollouts: one }, late);
    expect(open.prompt.rounds.get(0)?.groups.get('b')?.step).toBe(3);
    const finished = { who: 'a', rollouts: one, finished: new Set(['b']) };
    const closed = play(buildCohort(), finished, { ...late, incarnation: 'i-1' });
    expect(closed.prompt.rounds.get(0)?.groups.get('b')).toMatchObject({
      state: 'empty',
      step: null,
      incarnation: null,
    });
  });

  it('tells the step of every rollout, and the first of the group', () => {
    const { prompt } = play(
      buildCohort({ k: 3 }),
      { who: 'a', rollouts: one, step: 3 },
      { who: 'a', rollouts: buildRollouts(['5'], 'r', 1), step: 4 },
    );
    const group = prompt.rounds.get(0)?.groups.get('a');
    expect([group?.step, ...(group?.rollouts.map(({ step }) => step) ?? [])]).toEqual([3, 3, 4]);
  });

  it('replaces an unused vote in a ring of three, where the student has no group yet', () => {
    const cohort = buildCohort({ agents: ['a', 'b', 'c'] });
    const { prompt, outcome } = play(
      cohort,
      { who: 'a', rollouts: two, incarnation: 'i-1' },
      { who: 'a', rollouts: one, incarnation: 'i-2' },
    );
    expect(outcome).toMatchObject({ kind: 'stored', added: 1, decided: [] });
    expect(prompt.rounds.get(0)?.groups.get('a')).toMatchObject({ state: 'open', incarnation: 'i-2' });
  });

  it('keeps a vote that only a student of the agent used, and not one that a teacher’s answers are beside', () => {
    const cohort = buildCohort({ agents: ['a', 'b', 'c'] });
    const restart = { who: 'a', rollouts: two, incarnation: 'i-2' };
    const first = { who: 'a', rollouts: two, incarnation: 'i-1' };
    const besideTeacher = play(cohort, first, { who: 'c', rollouts: two }, restart);
    expect(besideTeacher.outcome).toMatchObject({ decided: ['a'] });
    const besideStudent = play(cohort, first, { who: 'b', rollouts: two }, restart);
    expect(besideStudent.outcome).toMatchObject({ decided: [] });
  });

  it('keeps a vote that one of several students used', () => {
    const cohort = buildCohort({ agents: ['a', 'b', 'c'], supervision: { kind: 'peer-majority' } });
    const { outcome } = play(
      cohort,
      { who: 'a', rollouts: two, incarnation: 'i-1' },
      { who: 'c', rollouts: one },
      { who: 'a', rollouts: two, incarnation: 'i-2' },
    );
    expect(outcome).toMatchObject({ added: 2, decided: [] });
  });

  it('counts what the own vote of ttrl was used for as used', () => {
    const { outcome } = play(
      buildCohort({ method: 'ttrl' }),
      { who: 'a', rollouts: two, incarnation: 'i-1' },
      { who: 'a', rollouts: two, incarnation: 'i-2' },
    );
    expect(
      storedBucket(outcome)
        .groups.get('a')
        ?.rollouts.map(({ late }) => late),
    ).toEqual([false, false, true, true]);
  });

  it('takes a message without incarnation as one of the incarnation that speaks', () => {
    const { prompt, outcome } = play(
      buildCohort({ k: 3 }),
      { who: 'a', rollouts: two, incarnation: 'i-1' },
      { who: 'a', rollouts: buildRollouts(['4', '5', '6']) },
      { who: 'a', rollouts: two, incarnation: 'i-1' },
    );
    expect(outcome).toMatchObject({ added: 0 });
    expect(prompt.visits.get('a')).toMatchObject({ incarnation: 'i-1' });
    expect(prompt.rounds.get(0)?.groups.get('a')).toMatchObject({ state: 'complete', incarnation: 'i-1' });
  });

  it('opens a group without a rollout, and leaves it as it is the next time', () => {
    const cohort = buildCohort();
    const { prompt } = play(cohort, { who: 'a', rollouts: [] });
    expect(prompt.rounds.get(0)?.groups.get('a')).toMatchObject({ state: 'open', rollouts: [] });
    expect(play(cohort, { who: 'a', rollouts: [] }, { who: 'a', rollouts: [] }).prompt).toEqual(prompt);
  });

  it('stores nothing of a group whose truth or text contradicts, not even a new round', () => {
    const cohort = buildCohort();
    const before = play(cohort, { who: 'a', rollouts: one, arrival: { truth: buildTruth('4') } }).prompt;
    const refusals = [
      buildArrival('p', two, { round: 0, truth: buildTruth('5') }),
      buildArrival('p', [...two.slice(1), ...buildRollouts(['9'])], { round: 0 }),
    ];
    for (const arrival of refusals) {
      const { prompt, outcome } = receive(
        before,
        arrival,
        buildContext(cohort, 'a', { paysByTruth: () => true }),
        1,
      );
      expect(outcome.kind).not.toBe('stored');
      expect(prompt).toBe(before);
    }
  });

  it('bounds a group, whatever a trainer sends for one round', () => {
    const cohort = buildCohort();
    const k = buildContext(cohort, 'a').agent.k;
    const visits = Array.from({ length: 20 }, (_, visit) => ({
      who: 'a',
      rollouts: buildRollouts(Array.from({ length: k }, () => '4')).map((rollout) => ({
        ...rollout,
        id: `${visit}/${rollout.id}`,
      })),
    }));
    const { prompt, outcome } = play(cohort, ...visits);
    expect(outcome).toEqual({ kind: 'overfull', limit: 16 * k, round: 0 });
    expect(prompt.rounds.get(0)?.groups.get('a')?.rollouts).toHaveLength(16 * k);
  });

  it('tells two arrivals of one connection apart by their place', () => {
    const cohort = buildCohort({ k: 3 });
    const send = (place: number): Step => ({
      who: 'a',
      rollouts: [buildAnonymous('x')],
      holder: holderAt('connection', place),
    });
    const { prompt } = play(cohort, send(0), send(1), send(0), send(1));
    expect(prompt.rounds.get(0)?.groups.get('a')?.rollouts).toHaveLength(2);
  });

  it('keeps the basis of last-label when a restart replaces an open group', () => {
    const cohort = buildCohort({ barrier: { mode: 'last-label' } });
    const { prompt } = play(
      cohort,
      { who: 'b', rollouts: two },
      { who: 'a', rollouts: one, incarnation: 'i-1', arrival: { round: 1 } },
      { who: 'b', rollouts: two, arrival: { round: 1 } },
      { who: 'a', rollouts: two, incarnation: 'i-2', arrival: { round: 1 } },
    );
    const group = prompt.rounds.get(1)?.groups.get('a');
    expect(group).toMatchObject({ state: 'complete', incarnation: 'i-2', basis: [{ agent: 'b', round: 0 }] });
  });
});
