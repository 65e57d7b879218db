import { describe, expect, it } from 'vitest';
import { readTrainerQuery, trainerQuerySchema } from '../../../src/protocol/trainer-query.ts';

describe('trainerQuerySchema', () => {
  it('reads numbers from their digits and every split word but train as eval', () => {
    const query = trainerQuerySchema.parse({
      inc: 'i-1',
      split: 'val',
      step: '12',
      round: '0',
      policy: 'a',
    });
    expect(readTrainerQuery(query)).toEqual({ incarnation: 'i-1', split: 'eval', step: 12, round: 0 });
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
    });
  });

  it.each([
    { step: '' },
    { step: '-1' },
    { round: '1.5' },
    { round: ['1', '2'] },
    { inc: '' },
    { split: 'holdout' },
  ])('refuses %j rather than guess', (query) => {
    expect(trainerQuerySchema.safeParse(query).success).toBe(false);
  });
});
