import { describe, expect, it } from 'vitest';
import { Departures } from '../../../src/service/departures.ts';
import type { SubmissionInput } from '../../../src/service/submission.ts';

function inputOf(promptId: string, overrides: Partial<SubmissionInput> = {}): SubmissionInput {
  const content = { kind: 'given', answer: '4' } as const;
  const rollout = { id: null, index: null, content, tokens: null, truncated: false };
  const group = {
    promptId,
    round: null,
    groundTruth: null,
    mode: null,
    choices: null,
    problem: null,
    split: 'train' as const,
  };
  return {
    cohort: 'c',
    agent: 'a',
    submissionId: null,
    incarnation: null,
    step: null,
    groups: [{ ...group, rollouts: [rollout] }],
    ...overrides,
  };
}

/** A recording that ends when it is told to. */
function openRecording() {
  let end: (outcome: string | Error) => void = () => undefined;
  const work = new Promise<string>((resolve, reject) => {
    end = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
  });
  return { record: () => work, end };
}

describe('a retry of rollouts without id', () => {
  it('is stored only after the recording that its caller left', async () => {
    const departures = new Departures();
    const caller = new AbortController();
    const first = openRecording();
    const done = departures.inTurn(inputOf('p'), caller.signal, first.record);
    caller.abort();
    const order: string[] = [];
    const retry = departures.inTurn(inputOf('p'), null, async () => order.push('retry'));
    await Promise.resolve();
    order.push('first');
    first.end('stored');
    await Promise.all([done, retry]);
    expect(order).toEqual(['first', 'retry']);
  });

  it('is not held up by a recording that failed', async () => {
    const departures = new Departures();
    const first = openRecording();
    const failed = departures.inTurn(inputOf('p'), AbortSignal.abort(), first.record);
    const retry = departures.inTurn(inputOf('p'), null, async () => 'stored');
    first.end(new Error('no'));
    await expect(failed).rejects.toThrow('no');
    expect(await retry).toBe('stored');
  });

  it.each([
    ['callers that are still there', inputOf('p'), new AbortController().signal],
    ['other prompts', inputOf('q'), AbortSignal.abort()],
    ['other agents', inputOf('p', { agent: 'b' }), AbortSignal.abort()],
    [
      'submissions with an id, whose rollouts have one',
      inputOf('p', { submissionId: 's' }),
      AbortSignal.abort(),
    ],
  ])('does not wait for %s', async (_case, input, signal) => {
    const departures = new Departures();
    const first = openRecording();
    const done = departures.inTurn(input, signal, first.record);
    expect(await departures.inTurn(inputOf('p'), null, async () => 'stored')).toBe('stored');
    first.end('stored');
    await done;
  });
});
