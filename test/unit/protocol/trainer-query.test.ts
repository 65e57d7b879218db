import { describe, expect, it } from 'vitest';
import { isCutOff, readTrainerQuery, trainerQuerySchema } from '../../../src/protocol/trainer-query.ts';

describe('trainerQuerySchema', () => {
  it('reads numbers from their digits and every split word but train as eval', () => {
    const query = trainerQuerySchema.parse({
      inc: 'i-1',
      split: 'val',
      step: '12',
      round: '0',
      policy: 'a',
    });
    expect(readTrainerQuery(query)).toEqual({
      incarnation: 'i-1',
      split: 'eval',
      step: 12,
      round: 0,
      eos: [],
    });
    expect(readTrainerQuery(trainerQuerySchema.parse({ split: 'train' })).split).toBe('train');
  });

  it('prefers the long name of the incarnation', () => {
    expect(readTrainerQuery({ inc: 'a', incarnation: 'b' }).incarnation).toBe('b');
  });

  it('says nothing where nothing is given', () => {
    expect(readTrainerQuery(trainerQuerySchema.parse({}))).toEqual({
      incarnation: null,
      split: null,
      step: null,
      round: null,
      eos: [],
    });
  });

  it.each([
    { step: '' },
    { step: '-1' },
    { round: '1.5' },
    { round: ['1', '2'] },
    { inc: '' },
    { split: 'holdout' },
    { eos: '' },
  ])('refuses %j rather than guess', (query) => {
    expect(trainerQuerySchema.safeParse(query).success).toBe(false);
  });
});

describe('a response that the length limit cut', () => {
  const cutAt = (response: string, end: number, eos?: string | string[]) =>
    isCutOff(response, end, readTrainerQuery(trainerQuerySchema.parse({ eos })));

  it('is told by the end mark that is missing, where the URL says what ends a finished one', () => {
    expect(cutAt('it is 4<|im_end|>\n', 7, '<|im_end|>')).toBe(false);
    expect(cutAt('it is 4', 7, '<|im_end|>')).toBe(true);
    expect(cutAt('it is <|im_end|> 4', 18, '<|im_end|>')).toBe(true);
    expect(cutAt('it is 4<|endoftext|>', 7, ['<|im_end|>', '<|endoftext|>'])).toBe(false);
    expect(cutAt('<answer>4</answer>\n', 18, '</answer>')).toBe(false);
  });

  it('is never guessed where the URL does not say it', () => {
    expect(cutAt('it is 4', 7)).toBe(false);
  });
});
