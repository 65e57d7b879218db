import { describe, expect, it } from 'vitest';
import type { ArrivalContext, NewRollout } from '../../../src/domain/arrival.ts';
import { chooseRound, firstRound, nextRound } from '../../../src/domain/choose-round.ts';
import { closeRound } from '../../../src/domain/close.ts';
import type { Cohort } from '../../../src/domain/cohort.ts';
import { emptyPrompt, type PromptState } from '../../../src/domain/prompt-state.ts';
import { receive } from '../../../src/domain/receive.ts';
import {
  buildAnonymous,
  buildArrival,
  buildCohort,
  buildContext,
  buildRollouts,
} from '../../support/builders.ts';

const K4 = buildCohort({ k: 4 });

function send(
  prompt: PromptState,
  who: string,
  rollouts: readonly NewRollout[],
  {
    round = null,
    cohort = K4,
    ...context
  }: Partial<ArrivalContext> & { round?: number | null; cohort?: Cohort } = {},
): PromptState {
  return receive(prompt, buildArrival('p', rollouts, { round }), buildContext(cohort, who, context), 0)
    .prompt;
}

function choose(prompt: PromptState, rollouts: readonly NewRollout[], context: Partial<ArrivalContext> = {}) {
  return chooseRound(prompt, buildArrival('p', rollouts), buildContext(K4, 'a', context));
}

const start = emptyPrompt('p');
const full = buildRollouts(['1', '2', '3', '4']);
const other = buildRollouts(['5', '6', '7', '8'], 's');

describe('chooseRound', () => {
  it('takes a round that was sent, whatever is known', () => {
    const prompt = send(start, 'a', full);
    expect(chooseRound(prompt, buildArrival('p', full, { round: 9 }), buildContext(K4, 'a'))).toBe(9);
  });

  it('starts at 0, in the lowest bucket that waits for the agent, else in the lowest there is', () => {
    expect(choose(start, full)).toBe(0);
    let prompt = send(start, 'b', full, { round: 5 });
    prompt = send(prompt, 'b', full, { round: 3 });
    prompt = send(prompt, 'b', full, { round: 7 });
    expect(choose(prompt, full)).toBe(3);
    for (const round of [3, 5, 7]) prompt = closeRound(prompt, round, 'a', 'deadline', 9).prompt;
    expect(choose(prompt, full)).toBe(3);
    expect(firstRound(prompt)).toBe(3);
  });

  it('takes part of a group with new rollouts as a retry of the round that has the rest', () => {
    let prompt = send(start, 'a', full.slice(0, 2), { round: 0 });
    prompt = send(prompt, 'a', other, { round: 1 });
    expect(choose(prompt, full.slice(1, 4))).toBe(0);
  });

  it('takes one id and text that recur among others as the next visit', () => {
    const prompt = send(start, 'a', full);
    expect(choose(prompt, [...full.slice(0, 1), ...buildRollouts(['9'], 'r', 1)])).toBe(1);
  });

  it('finds the latest of two rounds with the same rollouts, and by step the right one', () => {
    let prompt = send(start, 'a', full, { step: 1 });
    prompt = send(prompt, 'a', full, { step: 2 });
    expect(choose(prompt, full)).toBe(1);
    expect(choose(prompt, full, { step: 1 })).toBe(0);
    expect(choose(prompt, full, { step: 3 })).toBe(2);
  });

  it('takes a request without ids as a retry when all of it was left behind, not a part', () => {
    const texts = ['w', 'x', 'y', 'z'].map((text) => buildAnonymous(text));
    const prompt = send(start, 'a', texts, { holder: 'h1' });
    expect(choose(prompt, texts, { holder: 'h1' })).toBe(0);
    expect(choose(prompt, texts, { holder: 'h2' })).toBe(1);
    expect(choose(prompt, [...texts.slice(0, 2), buildAnonymous('new')], { holder: 'h1' })).toBe(1);
    const mixed = send(start, 'a', [...full.slice(0, 3), buildAnonymous('x')], { holder: 'h1' });
    expect(choose(mixed, [...full.slice(0, 1), buildAnonymous('x')], { holder: 'h1' })).toBe(0);
    expect(choose(mixed, [...full.slice(0, 1), buildAnonymous('new')], { holder: 'h1' })).toBe(1);
  });

  it('keeps to the visit whose step is unknown on either side', () => {
    const known = send(start, 'a', full.slice(0, 1), { step: 3 });
    expect(choose(known, full.slice(1, 2))).toBe(0);
    const unknown = send(start, 'a', full.slice(0, 1));
    expect(choose(unknown, full.slice(1, 2), { step: 3 })).toBe(0);
  });

  it('gives a straggler of an earlier step its own visit, unless that is full or closed by the agent', () => {
    let prompt = send(start, 'a', full.slice(0, 3), { step: 1 });
    prompt = send(prompt, 'a', other.slice(0, 1), { step: 2 });
    expect(choose(prompt, full.slice(3), { step: 1 })).toBe(0);
    expect(choose(prompt, other.slice(2), { step: 1 })).toBe(2);
    const skipped = closeRound(prompt, 0, 'a', 'skip', 0).prompt;
    expect(choose(skipped, full.slice(3), { step: 1 })).toBe(2);
  });

  it('passes over rounds in which the agent has rollouts already', () => {
    let prompt = send(start, 'a', full, { round: 0 });
    prompt = send(prompt, 'a', full, { round: 1 });
    prompt = send(prompt, 'a', full, { round: 2 });
    expect(nextRound(prompt, 'a', 0)).toBe(3);
    expect(nextRound(prompt, 'b', 0)).toBe(1);
  });

  describe('after a restart', () => {
    const old = { incarnation: 'i-1', step: 5 };
    const restarted = { incarnation: 'i-2', step: 5 };

    it('replays the last visit while its vote is open or unused', () => {
      expect(choose(send(start, 'a', full.slice(0, 1), old), full, restarted)).toBe(0);
      const ring = buildCohort({ agents: ['a', 'b', 'c'], k: 4 });
      const unused = send(start, 'a', full, { ...old, cohort: ring });
      expect(chooseRound(unused, buildArrival('p', full), buildContext(ring, 'a', restarted))).toBe(0);
    });

    it('replays an open visit before it joins a later bucket that waits for it', () => {
      let prompt = send(start, 'a', full.slice(0, 1), old);
      prompt = send(prompt, 'b', full, { round: 0 });
      prompt = send(prompt, 'b', full, { round: 1 });
      expect(choose(prompt, other, restarted)).toBe(0);
    });

    it('joins a bucket that waits for it when its last vote was used, else replays', () => {
      const used = send(send(start, 'a', full, old), 'b', full);
      expect(choose(used, other, restarted)).toBe(0);
      expect(choose(send(used, 'b', other), other, restarted)).toBe(1);
    });

    it('goes on when its step is later, or when its last visit is no longer kept', () => {
      const used = send(send(start, 'a', full, old), 'b', full);
      expect(choose(used, other, { ...restarted, step: 6 })).toBe(1);
      expect(choose({ ...used, rounds: new Map() }, other, restarted)).toBe(1);
    });

    it('fills its replay from several submissions, and then goes on', () => {
      const used = send(send(start, 'a', full, old), 'b', full);
      let prompt = send(used, 'a', other.slice(0, 2), restarted);
      expect(choose(prompt, other.slice(2), restarted)).toBe(0);
      prompt = send(prompt, 'a', other.slice(2), restarted);
      expect(choose(prompt, buildRollouts(['9'], 't'), restarted)).toBe(1);
    });

    it('finds stragglers of its replay after its next visit began', () => {
      const used = send(send(start, 'a', full, old), 'b', full);
      let prompt = send(used, 'a', other.slice(0, 2), { incarnation: 'i-2', step: 4 });
      prompt = send(prompt, 'a', full, { incarnation: 'i-2', step: 6 });
      expect(choose(prompt, other.slice(2), { incarnation: 'i-2', step: 4 })).toBe(0);
    });
  });
});
