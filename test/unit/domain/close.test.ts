import { describe, expect, it } from 'vitest';
import { closeRound, skipPrompt } from '../../../src/domain/close.ts';
import { releaseHolder } from '../../../src/domain/hold.ts';
import { emptyPrompt, type PromptState } from '../../../src/domain/prompt-state.ts';
import { receive } from '../../../src/domain/receive.ts';
import { agentOf, buildArrival, buildCohort, buildContext, buildRollouts } from '../../support/builders.ts';

const cohort = buildCohort({ k: 2 });
const start = emptyPrompt('p');

function send(
  prompt: PromptState,
  who: string,
  answers: readonly string[],
  options = {},
  round: number | null = null,
) {
  const rollouts = buildRollouts(answers, `${answers.join('')}-`);
  return receive(prompt, buildArrival('p', rollouts, { round }), buildContext(cohort, who, options), 0)
    .prompt;
}

function skip(prompt: PromptState, options: { step?: number; round?: number; incarnation?: string } = {}) {
  const { incarnation = null, step = null, round = null } = options;
  const skipper = { cohort, agent: agentOf(cohort, 'a'), incarnation };
  return skipPrompt(prompt, { promptId: 'p', round, step }, skipper, 7);
}

describe('closeRound', () => {
  it('decides an open group and remembers its vote as latest label, unless it is empty', () => {
    const prompt = send(start, 'a', ['4']);
    const partial = closeRound(prompt, 0, 'a', 'deadline', 9);
    expect(partial.decision?.decided).toEqual(['a']);
    expect(partial.prompt.rounds.get(0)?.groups.get('a')).toMatchObject({
      state: 'partial',
      cause: 'deadline',
      decidedAt: 9,
    });
    expect(partial.prompt.labels.get('a')?.round).toBe(0);
    const empty = closeRound(prompt, 0, 'b', 'deadline', 9);
    expect(empty.prompt.rounds.get(0)?.groups.get('b')).toMatchObject({ state: 'empty', cause: 'deadline' });
    expect(empty.prompt.labels.has('b')).toBe(false);
  });

  it('changes nothing of what is decided or unknown', () => {
    const prompt = send(start, 'a', ['4', '5']);
    for (const [round, agent] of [
      [0, 'a'],
      [0, 'z'],
      [3, 'a'],
    ] as const) {
      expect(closeRound(prompt, round, agent, 'deadline', 9)).toEqual({ prompt, decision: null });
    }
  });
});

describe('skipPrompt', () => {
  it('skips the first visit before it began: the bucket that waits, else the lowest, else round 0', () => {
    expect(skip(start).round).toBe(0);
    let prompt = send(send(start, 'b', ['4', '5'], {}, 3), 'b', ['4', '5'], {}, 2);
    expect(skip(prompt).round).toBe(2);
    for (const round of [2, 3]) prompt = closeRound(prompt, round, 'a', 'deadline', 9).prompt;
    expect(skip(prompt)).toMatchObject({ round: 2, decision: null });
  });

  it('notes the visit with its step and incarnation', () => {
    const { prompt } = skip(start, { step: 4, incarnation: 'i-1' });
    expect(prompt.visits.get('a')).toEqual({ round: 0, step: 4, incarnation: 'i-1' });
    expect(prompt.rounds.get(0)?.groups.get('a')).toMatchObject({
      state: 'empty',
      cause: 'skip',
      step: 4,
      incarnation: 'i-1',
      decidedAt: 7,
    });
  });

  it('takes a step as that of the visit when the visit has none', () => {
    const ongoing = send(start, 'a', ['4']);
    expect(skip(ongoing, { step: 4 }).round).toBe(0);
  });

  it('finds the visit of an earlier step by its rollouts, also late ones of a replay', () => {
    let prompt = send(send(start, 'a', ['4', '5'], { incarnation: 'i-1', step: 8 }), 'b', ['4', '5']);
    prompt = send(prompt, 'a', ['6', '7'], { incarnation: 'i-2', step: 6 });
    prompt = send(prompt, 'a', ['8', '9'], { incarnation: 'i-2', step: 9 });
    expect(skip(prompt, { step: 6, incarnation: 'i-2' })).toMatchObject({ round: 0, decision: null });
    expect(skip(prompt, { step: 10, incarnation: 'i-2' }).round).toBe(2);
  });

  it('goes to the next visit when the last one is no longer kept', () => {
    const prompt = { ...send(start, 'a', ['4', '5']), rounds: new Map() };
    expect(skip(prompt).round).toBe(1);
  });

  it('of a restarted agent skips its replay, not the visit after it', () => {
    const used = send(send(start, 'a', ['4', '5'], { incarnation: 'i-1' }), 'b', ['4', '5']);
    expect(skip(used, { incarnation: 'i-2' })).toMatchObject({ round: 0, decision: null });
    expect(skip(send(used, 'b', ['6', '7']), { incarnation: 'i-2' }).round).toBe(1);
  });
});

describe('releaseHolder', () => {
  it('returns the same state when the connection holds nothing there', () => {
    const prompt = send(start, 'a', ['4']);
    expect(releaseHolder(prompt, 0, 'a', 'connection')).toBe(prompt);
    expect(releaseHolder(prompt, 0, 'z', 'connection')).toBe(prompt);
    expect(releaseHolder(prompt, 5, 'a', 'connection')).toBe(prompt);
  });
});
