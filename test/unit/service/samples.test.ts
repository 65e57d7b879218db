import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/domain/sample.ts';
import { makeSample } from '../../../src/service/make-sample.ts';
import type { RolloutInput } from '../../../src/service/submission.ts';
import { groupOf, openService } from '../../support/service.ts';

const PLACE = { promptId: 'p', round: 0, agent: 'a', rolloutId: 'r0', incarnation: null, key: null };

function completed(text: string, overrides: Partial<RolloutInput> = {}): RolloutInput {
  return {
    id: null,
    index: 0,
    content: { kind: 'completion', text },
    tokens: null,
    truncated: false,
    ...overrides,
  };
}

/** The marked part, where there is one. */
function marked(text: string, answer: string | null): string | null {
  const sample = makeSample({ ...PLACE, answer }, completed(text));
  return sample?.span == null
    ? null
    : `${sample.text.slice(0, sample.span.start)}«${sample.text.slice(sample.span.start)}`;
}

describe('a completion that is kept', () => {
  it.each([
    ['so \\boxed{4}, since 4 is 4', '4', 'so \\boxed{«4}, since 4 is 4'],
    ['14 and 4 and 44', '4', '14 and «4 and 44'],
    ['x4y', '4', 'x«4y'],
    ['4', '4', '«4'],
    ['four', '4', null],
  ])('has its answer marked: %s', (text, answer, expected) => {
    expect(marked(text, answer)).toBe(expected);
  });

  it('says why there is no mark', () => {
    const note = (answer: string | null, input: RolloutInput) =>
      makeSample({ ...PLACE, answer }, input)?.note;
    expect(note(null, completed('well'))).toMatch(/abstains/);
    expect(note(null, completed('well', { truncated: true }))).toMatch(/length limit/);
    expect(note('5', completed('five'))).toMatch(/does not stand/);
    const unreadable = completed('x', { content: { kind: 'unreadable', text: 'x' } });
    expect(note(null, unreadable)).toMatch(/prompt/);
    expect(note('4', completed('4'))).toBeNull();
  });

  it('is at most 4,000 characters of any text, and its mark is the answer', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6_000 }),
      fc.nat(30_000).map((n) => '\u{1f600}4 '.repeat(n / 4)),
    );
    fc.assert(
      fc.property(texts, fc.string({ minLength: 1, maxLength: 4 }), (text, answer) => {
        const sample = makeSample({ ...PLACE, answer }, completed(text));
        if (sample === null) throw new Error('a text was not kept');
        expect(sample.text.length).toBeLessThanOrEqual(4_000);
        expect(sample.text.isWellFormed()).toBe(true);
        expect(sample.text.length + (sample.cut?.characters ?? 0)).toBe(text.length);
        if (sample.span !== null) expect(sample.text.slice(sample.span.start, sample.span.end)).toBe(answer);
        else expect(sample.note).not.toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it('is none where the trainer sent the answer alone', () => {
    expect(
      makeSample({ ...PLACE, answer: '4' }, completed('', { content: { kind: 'given', answer: '4' } })),
    ).toBeNull();
  });
});

describe('the completions that are kept', () => {
  const group = (promptId: string, k = 4) =>
    groupOf(
      promptId,
      Array.from({ length: k }, (_, index) => completed(`\\boxed{${index}}`, { index })),
    );
  const placesOf = (samples: readonly Sample[]) =>
    samples.map(({ promptId, rolloutId }) => `${promptId} ${rolloutId}`);

  it('are the first two of a group, once, however often it is sent', async () => {
    const scene = await openService({ k: 4, answers: { mode: 'boxed', pattern: null } });
    await scene.record('a', [group('p')]);
    await scene.record('a', [group('p')]);
    expect(await scene.store.samples.read(scene.cohort.name)).toEqual([]);
    await scene.advance(1_000);
    await scene.samples.flush();
    const kept = await scene.store.samples.read(scene.cohort.name);
    expect(placesOf(kept)).toEqual(['p #0', 'p #1']);
    expect(kept[1]).toMatchObject({ answer: '1', key: '1', text: '\\boxed{1}', span: { start: 7, end: 8 } });
  });

  it('are of the same prompts for every agent, when more come than are kept', async () => {
    const scene = await openService({ k: 4, answers: { mode: 'boxed', pattern: null } });
    const ids = Array.from({ length: 60 }, (_, at) => `p${at}`);
    await scene.record(
      'a',
      ids.map((id) => group(id)),
    );
    await scene.record(
      'b',
      ids.toReversed().map((id) => group(id)),
    );
    await scene.samples.flush();
    const kept = await scene.store.samples.read(scene.cohort.name);
    const promptsOf = (name: string) =>
      new Set(kept.flatMap((each) => (each.agent === name ? each.promptId : [])));
    expect(promptsOf('a').size).toBe(16);
    expect(promptsOf('b')).toEqual(promptsOf('a'));
  });

  it('never fail a submission: a store that is away loses them, and is tried again', async () => {
    let fails = true;
    const scene = await openService({
      k: 4,
      wrapStore: (store) => {
        const add = store.samples.add.bind(store.samples);
        store.samples.add = async (...args) => {
          if (fails) throw new Error('away');
          await add(...args);
        };
        return store;
      },
    });
    await scene.record('a', [group('p')]);
    await scene.samples.flush();
    expect(scene.logger.lines).toEqual([{ level: 'error', message: 'Completions could not be kept.' }]);
    fails = false;
    await scene.record('a', [group('q')]);
    await scene.samples.flush();
    expect(placesOf(await scene.store.samples.read(scene.cohort.name))).toEqual(['q #0', 'q #1']);
  });

  it('are none of an evaluation', async () => {
    const scene = await openService({ k: 4 });
    await scene.record('a', [{ ...group('p'), split: 'eval' }]);
    await scene.samples.flush();
    expect(await scene.store.samples.read(scene.cohort.name)).toEqual([]);
  });
});
