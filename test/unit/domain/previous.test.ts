import { describe, expect, it } from 'vitest';
import { emptyPrompt, type PromptState } from '../../../src/domain/prompt-state.ts';
import { receive } from '../../../src/domain/receive.ts';
import { DEFAULT_REWARD_RULES } from '../../../src/domain/reward-rules.ts';
import { buildArrival, buildCohort, buildContext, buildRollouts } from '../../support/builders.ts';

const gated = buildCohort({
  reward: {
    ...DEFAULT_REWARD_RULES,
    flipGate: { flipPenalty: 1, confidentPenalty: 1, tauFlip: 0, tauShare: 0, floor: 0 },
  },
});
const visit = (prompt: PromptState, agent: string, round: number, answers: string[], isGated = true) =>
  receive(
    prompt,
    buildArrival('p', buildRollouts(answers), { round }),
    buildContext(isGated ? gated : buildCohort(), agent),
    0,
  ).prompt;
const groupOf = (prompt: PromptState, round: number, agent: string) =>
  prompt.rounds.get(round)?.groups.get(agent);

describe('the group of the round before', () => {
  it('is remembered by the next one, without what it remembers itself', () => {
    let prompt = visit(emptyPrompt('p'), 'a', 0, ['1', '1']);
    prompt = visit(prompt, 'a', 1, ['2', '2']);
    prompt = visit(prompt, 'a', 2, ['3', '3']);
    expect(groupOf(prompt, 0, 'a')?.previous).toBeNull();
    expect(groupOf(prompt, 1, 'a')?.previous).toEqual(groupOf(prompt, 0, 'a'));
    expect(groupOf(prompt, 2, 'a')?.previous).toEqual({ ...groupOf(prompt, 1, 'a'), previous: null });
  });

  it('is remembered by a teacher that is only waited for, too', () => {
    let prompt = visit(emptyPrompt('p'), 'b', 0, ['1', '1']);
    prompt = visit(prompt, 'a', 1, ['2', '2']);
    expect(groupOf(prompt, 1, 'b')?.previous?.rollouts.map(({ key }) => key)).toEqual(['1', '1']);
  });

  it('is not remembered where nobody asks', () => {
    let prompt = visit(emptyPrompt('p'), 'a', 0, ['1', '1'], false);
    prompt = visit(prompt, 'a', 1, ['2', '2'], false);
    expect(groupOf(prompt, 1, 'a')?.previous).toBeNull();
  });
});
