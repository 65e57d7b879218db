import { describe, expect, it } from 'vitest';
import type { ExtractionMode } from '../../../src/answers/modes.ts';
import { readGroupTruth, readingOf, readRollout } from '../../../src/service/read-rollout.ts';
import type { RolloutInput } from '../../../src/service/submission.ts';
import { buildCohort } from '../../support/builders.ts';
import { wholeGroup } from '../../support/service.ts';

const READING = {
  mode: 'boxed',
  pattern: null,
  choices: null,
  reasoning: 'in-completion',
  fallback: 'none',
} as const;

const read = (
  content: RolloutInput['content'],
  overrides: Partial<RolloutInput> = {},
  mode: ExtractionMode = 'boxed',
) =>
  readRollout(
    { id: null, index: null, content, tokens: null, truncated: false, ...overrides },
    { ...READING, mode },
    'fallback',
  );

const completion = (text: string) => ({ kind: 'completion', text }) as const;
const given = (answer: string | null) => ({ kind: 'given', answer }) as const;

describe('what is kept of a rollout', () => {
  it('is the answer of its completion in the mode asked for, with its key', () => {
    expect(read(completion('So it is 3.\n\\boxed{\\frac{1}{2}}'))).toMatchObject({
      answer: '\\frac{1}{2}',
      key: read(given('0.5')).key,
    });
    expect(read(completion('no box here'))).toMatchObject({ answer: null, key: null });
  });

  it('is the answer that was given, or none', () => {
    expect(read(given(' 4 '))).toMatchObject({ answer: '4' });
    expect(read(given('  '))).toMatchObject({ answer: null, key: null });
    expect(read(given(null))).toMatchObject({ answer: null, key: null });
  });

  it('is no answer where the completion cannot be told from its prompt', () => {
    expect(read({ kind: 'unreadable', text: 'Put it in \\boxed{4}.' })).toMatchObject({ answer: null });
  });

  it('is no answer where that was cut off, or is too long to be one', () => {
    const cut = completion('The answer is 4');
    expect(read(cut, { truncated: true }, 'number').answer).toBeNull();
    expect(read(cut, { truncated: false }, 'number').answer).toBe('4');
    expect(read(given('9'.repeat(4_097))).answer).toBeNull();
  });

  it('is read by the pattern of the cohort, and by the option texts of its group', () => {
    const rollout = { id: null, index: null, tokens: null, truncated: false } as const;
    const readAs = (text: string, reading: Parameters<typeof readRollout>[1]) =>
      readRollout({ ...rollout, content: completion(text) }, reading, null).answer;
    expect(readAs('RESULT=7; RESULT=8;', { ...READING, mode: 'regex', pattern: 'RESULT=(\\d+)' })).toBe('8');
    const choices = ['the moon', 'the sun'];
    expect(readAs('The answer is the sun.', { ...READING, mode: 'choice', choices })).toBe('B');
  });

  it('is named by its id, else by its index, else by its place in its submission', () => {
    expect(read(given('4'), { id: 'r', index: 3 })).toMatchObject({ id: 'r', index: 3 });
    expect(read(given('4'), { index: 3 }).id).toBe('#3');
    expect(read(given('4')).id).toBe('fallback');
  });

  it('has a digest of the text, the same for equal texts and kinds only', () => {
    const digests = [
      completion('4'),
      completion('4'),
      completion('5'),
      given('4'),
      given(null),
      given('5'),
    ].map((content) => read(content).digest);
    expect(digests[0]).toBe(digests[1]);
    expect(new Set(digests).size).toBe(5);
    expect(digests.every((digest) => digest.length === 16)).toBe(true);
  });
});

describe('how a group is read', () => {
  const readingIn = (answers: object, group: object = {}) =>
    readingOf(buildCohort({ answers: { mode: 'auto', pattern: null, ...answers } }), {
      ...wholeGroup('p', []),
      ...group,
    });

  it('follows what the group says of reasoning, else the cohort, else the prompt as far as it is seen', () => {
    const seen = { prompt: '<|im_start|>assistant\n<think>\n' };
    expect(readingIn({}).reasoning).toBe('in-completion');
    expect(readingIn({}, seen).reasoning).toBe('opened-by-prompt');
    expect(readingIn({ reasoning: 'none' }, seen).reasoning).toBe('none');
    expect(readingIn({ reasoning: 'none' }, { ...seen, reasoning: 'in-completion' }).reasoning).toBe(
      'in-completion',
    );
  });

  it('takes no answer that nothing announces unless the group or the cohort says so', () => {
    expect(readingIn({}).fallback).toBe('none');
    expect(readingIn({ fallback: 'formula' }).fallback).toBe('formula');
    expect(readingIn({ fallback: 'formula' }, { fallback: 'last' }).fallback).toBe('last');
  });

  it('gives no answer to reasoning that the prompt opened and the completion never closed', () => {
    const rollout = { id: null, index: null, tokens: null, truncated: false } as const;
    const answerOf = (text: string, reasoning: 'opened-by-prompt' | 'in-completion') =>
      readRollout({ ...rollout, content: completion(text) }, { ...READING, reasoning }, null).answer;
    expect(answerOf('maybe \\boxed{12}, but check', 'opened-by-prompt')).toBeNull();
    expect(answerOf('maybe \\boxed{12}</think>\\boxed{13}', 'opened-by-prompt')).toBe('13');
    expect(answerOf('maybe \\boxed{12}, but check', 'in-completion')).toBe('12');
  });
});

describe('the truth of a group', () => {
  it('has a key in the mode of its group, and is none where it has no key', () => {
    const cohort = buildCohort({ answers: { mode: 'boxed', pattern: null } });
    const group = wholeGroup('p', [], { groundTruth: '1/2' });
    expect(readingOf(cohort, group)).toEqual(READING);
    expect(readingOf(cohort, { ...group, mode: 'choice', choices: ['x', 'y'] })).toMatchObject({
      mode: 'choice',
      choices: ['x', 'y'],
    });
    expect(readGroupTruth(group, 'boxed')).toEqual({
      truth: { text: '1/2', mode: 'boxed', key: read(given('0.5')).key },
      fault: null,
    });
    expect(readGroupTruth({ ...group, groundTruth: null }, 'boxed')).toEqual({ truth: null, fault: null });
  });

  it('is none, with the reason, where it cannot be used, and is said not to parse where it does not', () => {
    const group = wholeGroup('p', []);
    expect(readGroupTruth({ ...group, groundTruth: ' ' }, 'boxed')).toEqual({
      truth: null,
      fault: 'The ground truth is not used: it holds no answer.',
    });
    expect(readGroupTruth({ ...group, truthFault: 'is an object' }, 'boxed')).toEqual({
      truth: null,
      fault: 'The ground truth is not used: it is an object.',
    });
    expect(readGroupTruth({ ...group, groundTruth: 'first 3+4=7, then 7*2=14' }, 'boxed')).toMatchObject({
      truth: { text: 'first 3+4=7, then 7*2=14' },
      fault: 'The ground truth does not parse as one answer, so nothing but its own spelling is right.',
    });
  });

  it('is any of a list of accepted answers', () => {
    const group = { ...wholeGroup('p', []), groundTruth: ['NYC', 'New York City'] };
    expect(readGroupTruth(group, 'raw').truth).toMatchObject({ accepted: ['NYC', 'New York City'] });
  });
});
