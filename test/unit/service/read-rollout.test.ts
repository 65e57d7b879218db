import { describe, expect, it } from 'vitest';
import type { ExtractionMode } from '../../../src/answers/modes.ts';
import { readGroupTruth, readingOf, readRollout } from '../../../src/service/read-rollout.ts';
import type { RolloutInput } from '../../../src/service/submission.ts';
import { buildCohort } from '../../support/builders.ts';
import { wholeGroup } from '../../support/service.ts';

const read = (
  content: RolloutInput['content'],
  overrides: Partial<RolloutInput> = {},
  mode: ExtractionMode = 'boxed',
) =>
  readRollout(
    { id: null, index: null, content, tokens: null, truncated: false, ...overrides },
    { mode, pattern: null, choices: null },
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
    expect(readAs('RESULT=7; RESULT=8;', { mode: 'regex', pattern: 'RESULT=(\\d+)', choices: null })).toBe(
      '8',
    );
    const choices = ['the moon', 'the sun'];
    expect(readAs('The answer is the sun.', { mode: 'choice', pattern: null, choices })).toBe('B');
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

describe('the truth of a group', () => {
  it('has a key in the mode of its group, and is none where it has no key', () => {
    const cohort = buildCohort({ answers: { mode: 'boxed', pattern: null } });
    const group = wholeGroup('p', [], { groundTruth: '1/2' });
    expect(readingOf(cohort, group)).toEqual({ mode: 'boxed', pattern: null, choices: null });
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
});
