import { describe, expect, it } from 'vitest';
import { isPlainLead, readLabel, readLead } from '../../../../src/answers/math/label.ts';

const words = (phrase: string): string[] => phrase.split(' ');

describe('readLabel', () => {
  const dropped =
    'cm|hours|square meters|miles per hour|years old|packs of gum|different ways|apples in total|red apples|apples left|' +
    'dollars left|days remaining|cups of flour for the cake|people|is the answer|widgets|baseball cards each|of the cake|Stunden';
  for (const phrase of dropped.split('|')) {
    it(`drops "${phrase}"`, () => {
      expect(readLabel(words(phrase)).sense).toBe('unit');
    });
  }

  const turning =
    'loss|dollars profit|units down|steps to the left|left|meters left|years ago|years from now|above sea level|BCE|squared|' +
    'factorial|is wrong|does not work|is impossible|times two|thousandths|clockwise|counterclockwise|northeast|southward|' +
    'backwards|minutes late|apples lost|heads|square|of nothing but zero|links|izquierda|hours too many';
  for (const phrase of turning.split('|')) {
    it(`keeps "${phrase}", and says that it turns the number`, () => {
      expect(readLabel(words(phrase)).sense).toBe('turn');
      expect(readLabel(words(phrase)).text).not.toBe('');
    });
  }

  for (const phrase of ['red', 'zorp', 'blue paint', 'feet deep', 'alcohol']) {
    it(`keeps "${phrase}" as an unknown noun`, () => {
      expect(readLabel(words(phrase)).sense).toBe('noun');
    });
  }

  it('folds singular and plural, case and articles', () => {
    for (const phrase of ['Apples', 'apple', 'the apples', 'of the apple']) {
      expect(readLabel(words(phrase)).text).toBe('apple');
    }
    expect(readLabel(['berries']).text).toBe(readLabel(['berry']).text);
    expect(readLabel(['children']).text).toBe('child');
  });

  it('takes left for what remains where the sentence told of a possession', () => {
    expect(readLabel(['left'], true).sense).toBe('unit');
  });

  it('reads no unit from a long sentence', () => {
    expect(readLabel(Array.from({ length: 100 }, () => 'apples')).sense).toBe('turn');
  });
});

describe('a lead', () => {
  for (const phrase of ['james took', 'the maximum is', 'she will have', 'after paying she has']) {
    it(`"${phrase}" leaves its number alone`, () => {
      expect(isPlainLead(words(phrase))).toBe(true);
    });
  }

  for (const phrase of ['the reciprocal of', 'he lost', 'no more than', 'half', 'not', 'the day after']) {
    it(`"${phrase}" does not`, () => {
      expect(isPlainLead(words(phrase))).toBe(false);
    });
  }

  it('before a colon is a label', () => {
    expect(readLead('The chickens')).toEqual({ sense: 'unit', text: 'chicken' });
    expect(readLead('Loss').sense).toBe('turn');
  });
});
