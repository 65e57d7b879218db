import { describe, expect, it } from 'vitest';
import { askedQuantity } from '../../../../src/external/rephrase/asked-quantity.ts';
import { checkRewrite } from '../../../../src/external/rephrase/check-rewrite.ts';

const EGGS =
  'Janet’s ducks lay 16 eggs per day. She eats three for breakfast and sells the rest for $2 each. How much in dollars does she make every day?';

const codesOf = (original: string, rewrite: string) =>
  checkRewrite(original, rewrite).map(({ code }) => code);

describe('a rewrite', () => {
  it.each([
    [
      EGGS,
      'Every day, 16 eggs are laid by the ducks of Janet. After having 3 of them for breakfast, she sells all others at $2 a piece. How many dollars does she earn daily?',
    ],
    [
      'Find the sum of all $x$ with $x^2 = 4$. Put the answer within \\boxed{}.',
      'Determine the sum of every $x$ such that $x^2=4$, and write your answer within \\boxed{}.',
    ],
    [
      'What is the capital of France?\nA) Paris\nB) Rome',
      'Which city is the French capital?\nA) Paris\nB) Rome',
    ],
    [
      'How many minutes does a trip of 2 hours take?',
      'A trip takes 2 hours. What is that as a number of minutes?',
    ],
    [
      'How long is it?: A) 16 hours, B) 18 hours, C) 24 hours Answer in English only.',
      'What is its length?: (A) 16 hours; (B) 18 hours; (C) 24 hours Answer in English only.',
    ],
  ])('that keeps what the answer depends on passes: %j', (original, rewrite) => {
    expect(checkRewrite(original, rewrite)).toEqual([]);
  });

  it.each([
    [EGGS, EGGS.replace('16', '18'), ['numbers']],
    [EGGS, EGGS.replace('three', 'four'), ['numbers']],
    [
      EGGS,
      EGGS.replace('How much in dollars does she make', 'How many eggs does she sell'),
      ['asked_quantity'],
    ],
    [EGGS, EGGS.replace('in dollars', 'in cents'), ['asked_quantity']],
    [EGGS, EGGS.replace('?', ''), ['unchanged']],
    [EGGS, ' ', ['no_rewrite']],
    [EGGS, `${EGGS} ${'Let us think. '.repeat(60)}`, ['length']],
    ['Is $x^2 = 4$ for $x = 2$, yes or no?', 'Does $x^2 = 2$ hold for $x = 4$, yes or no?', ['formulas']],
    ['Find it. Put it within \\boxed{}.', 'Find the value of it and write it down.', ['formulas']],
    ['Which?\nA) red\nB) blue', 'Which one?\nA) blue\nB) red', ['options']],
    ['Which one is it?\nA) red\nB) blue', 'Which is the one?\nB) blue\nA) red', ['options']],
    [
      'Which is it? A) red, B) blue, C) red. Answer.',
      'Which one is it? A) blue, B) red, C) red. Answer.',
      ['options'],
    ],
    ['Which one is it? A) red, B) blue', 'Is it red or blue?', ['options']],
    ['How many of the 5 cats are left?', 'How many of the 5 cats did he take?', ['asked_quantity']],
    ['What percent of 8 is 2?', 'What fraction of 8 is 2?', ['asked_quantity']],
    ['What is the least of 3 and 4?', 'Which is the greatest of 3 and 4?', ['asked_quantity']],
  ])('of %j as %j is faulted', (original, rewrite, codes) => {
    expect(codesOf(original, rewrite)).toEqual(codes);
  });

  it('is not read any further when it is endless', () => {
    expect(codesOf(EGGS, 'how '.repeat(500_000))).toEqual(['length']);
  });

  it('is told what is wrong in words that help to mend it', () => {
    expect(checkRewrite('Add 16 and 3 to 2.', 'Add 18 and 3 to 2, please.')).toEqual([
      {
        code: 'numbers',
        message:
          'Keep all numbers as they are, each as often as it was; missing: 16; not in the original: 18.',
      },
    ]);
  });
});

describe('what a problem asks for', () => {
  it.each([
    ['He runs 3 miles in 2 hours. How many hours will 9 miles take?', ['hours']],
    ['How long does it take, in minutes?', ['minutes']],
    ['What is the average speed in miles per hour?', ['a speed', 'an average', 'miles']],
    ['Bob is 3 years old. How old is Ann?', ['an age']],
    ['How many more apples does she have?', ['a difference']],
    ['Compute 1 + 2.', []],
    ['', []],
  ])('is read from %j', (text, asked) => {
    expect(askedQuantity(text)).toEqual(asked);
  });
});
