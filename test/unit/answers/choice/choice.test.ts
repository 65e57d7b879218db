import { describe, expect, it } from 'vitest';
import { extractChoice } from '../../../../src/answers/choice/choice.ts';

const SEVERAL = [
  '(A) or (B)',
  'The answer is B) 12 or C) 13',
  'The answer is (B) twelve, or (C) thirteen.',
  'The answer is (C) or (A).',
  '\\boxed{A} or \\boxed{B}',
  '$\\boxed{A}$ or $\\boxed{B}$',
  '\\boxed{A} and \\boxed{C}',
  '\\boxed{A}, \\boxed{B}, \\boxed{C}',
  '\\boxed{A}\\boxed{B}',
  '\\boxed{A \\text{ or } B}',
  '\\boxed{A, B, C, D}',
  '\\boxed{A. B. C. D.}',
  '\\boxed{A B C D}',
  '\\boxed{A/B/C/D}',
  '\\boxed{A|B}',
  '\\boxed{A-D}',
  '\\boxed{A \\lor B}',
  '\\boxed{A\\,B}',
  '\\boxed{(A)(B)}',
  '<answer>A or B</answer>',
  '<answer>A B</answer>',
  'Either A or B',
  'Either A or B.',
  'A and C',
  'A/B',
  'A–D',
  'A\nB\nC\nD',
  'A\n\nB\n\nC\n\nD',
  'Options:\nA\nB\nC\nD',
  'The answer is A or B or C.',
  'The answer is A and/or B.',
  'The answer is option A or option B.',
  'Answer: A, B, C, D',
  'Answer: A & D',
  'Both (B) and (D) are correct.',
  'A and B are both the right answer',
  'I would go with B or maybe C.',
  'The answer is B. Or C.',
  'The answer is B.\n\nOr maybe D.',
  '\\boxed{B} (or perhaps \\boxed{C})',
  'The answer is B, but it might be C.',
  'Die Antwort ist A oder B.',
  'La respuesta es A o C.',
  'La réponse est A ou B.',
  '答案是A或B。',
  '答案：A、B',
  '정답은 A 또는 B입니다',
  '正解はAまたはBです',
  'Ответ: A или B',
  'Đáp án là A hoặc B',
  'Jawabannya adalah A atau B',
];

const DENIED = [
  'The correct answer is not (A).',
  'The answer is not A.',
  'The answer is not necessarily A.',
  "The answer can't be D.",
  'The answer cannot be D.',
  "I don't think the answer is B.",
  'I would rule out (D).',
  'We can eliminate (C).',
  'The wrong answer is C.',
  'The incorrect option is (C).',
  'It is anything but B. Hard to say.',
  'all except B',
  'The answer is all except B.',
  'Everything other than (B).',
  'Neither D nor B is right; the answer is neither D nor B',
  'None of A, B, C or D.',
  'A is incorrect. B is incorrect.',
  'A: wrong. B: wrong.',
  '\\boxed{B} is wrong.',
  'not \\boxed{B}',
  'The answer is $\\neg B$',
  'The answer is \\cancel{B}',
  'The answer is B. No, B is wrong.',
  'The answer is B. So the answer is not B.',
  'Die Antwort ist nicht A.',
  'A ist falsch.',
  'La respuesta no es la A.',
  "La réponse n'est pas A.",
  'La risposta non è A.',
  'A resposta não é A.',
  'Ответ не A.',
  'Odpowiedź to nie A.',
  'Het antwoord is niet A.',
  'Cevap A değil.',
  'Đáp án không phải là A.',
  'Jawabannya bukan A.',
  '答案不是A。',
  'A是错误的。',
  '正解はAではありません。',
  '정답은 A가 아닙니다.',
  'الإجابة ليست A',
  'उत्तर A नहीं है',
];

const DOUBTED = [
  'The answer might be B',
  'It could be B.',
  'It may be (B).',
  "I think it might be B but I'm not sure",
  'Maybe B.',
  'Perhaps the answer is B.',
  'Is the answer B?',
  'The answer is B?',
  'Alternatively, the answer is B? Let me look at C again, since',
  'If the answer is B, then x is 3, which fails.',
  'We must see whether (B) is correct.',
  'Why is B the right answer? Hard to say.',
  'Vielleicht ist die Antwort B.',
  'La respuesta podría ser B.',
  '答案可能是B。',
];

const STATED: ReadonlyArray<readonly [text: string, letter: string]> = [
  ['not A but C', 'C'],
  ['It is not A, but C.', 'C'],
  ["It isn't A; it's C", 'C'],
  ["It's not B, it's C.", 'C'],
  ['The answer is C, not B.', 'C'],
  ['The answer is C rather than B.', 'C'],
  ['The answer is not B but rather (C).', 'C'],
  ['The answer is D, A is wrong.', 'D'],
  ['A is incorrect. B is incorrect. D is incorrect. So C.', 'C'],
  ['A, B and D are wrong. Hence (C).', 'C'],
  ['None of A, B, D works; hence C is correct.', 'C'],
  ['A, B, and D can be eliminated, leaving C.', 'C'],
  ['A: wrong\nB: wrong\nC: correct\nD: wrong', 'C'],
  ['Selected: B', 'B'],
  ['Selected option: B', 'B'],
  ['My choice: (D)', 'D'],
  ['I choose D.', 'D'],
  ["I'll go with B.", 'B'],
  ['The answer is A. Wait, the answer is actually B.', 'B'],
  ['B is correct. Or maybe C. Actually the answer is B.', 'B'],
  ['Both A and B are plausible, but B is the best answer.', 'B'],
  ['The correct option from the list is B.', 'B'],
  ['\\boxed{B}. If A were true, it would move.', 'B'],
  ['\\boxed{B} does not depend on A or C.', 'B'],
  ["The answer is 'B'.", 'B'],
  ['**The answer is (B)**', 'B'],
  ['只有选项C是对的。', 'C'],
  ['故选C', 'C'],
  ['因此，本题选B。', 'B'],
  ['不是A而是C', 'C'],
  ['答案不是A，而是C。', 'C'],
  ['选项C正确', 'C'],
  ['答: B', 'B'],
  ['답: B', 'B'],
  ['정답은 B입니다', 'B'],
  ['정답은 A가 아니라 B입니다', 'B'],
  ['正解はBです', 'B'],
  ['正解はAではなくBです', 'B'],
  ['Doğru cevap A.', 'A'],
  ["Doğru cevap B'dir.", 'B'],
  ['Doğru cevap A değil, B.', 'B'],
  ['Jawaban yang benar adalah C.', 'C'],
  ['Jawaban: A', 'A'],
  ['Đáp án: D', 'D'],
  ['Đáp án đúng là B.', 'B'],
  ['Chọn C.', 'C'],
  ['Het juiste antwoord is C.', 'C'],
  ['La opción correcta es la D.', 'D'],
  ['La respuesta no es la A, sino la B.', 'B'],
  ['La bonne réponse est C', 'C'],
  ["La réponse n'est pas A mais B.", 'B'],
  ['Die richtige Antwort ist B', 'B'],
  ['Die Antwort ist nicht A, sondern D.', 'D'],
  ['Risposta corretta: A', 'A'],
  ['A resposta correta é a letra C', 'C'],
  ['Правильный ответ: B', 'B'],
  ['Ответ не A, а B.', 'B'],
  ['الإجابة الصحيحة هي B', 'B'],
  ['सही उत्तर C है', 'C'],
  ['Poprawna odpowiedź to C', 'C'],
];

const LAST_LINE: ReadonlyArray<readonly [text: string, letter: string | null]> = [
  ['Let me think.\nBoth look fine.\n\nC', 'C'],
  ['Step one. Step two.\n\n**C**', 'C'],
  ['It follows from the second law.\n\nD. 12 N', 'D'],
  ['It follows from the second law.\nD', 'D'],
  ['So by elimination:\n\nA', 'A'],
  ['I think about it.\n\n$\\text{B}$', 'B'],
  ['A. first\nB. second\nC. third\n\nIt is the last but one.\n\nB', 'B'],
  ['A. first\nB. second\nC. third\n\nB', 'B'],
  ['Let the first set be called\nA', null],
  ['A. first\nB. second\n\nC. third', null],
  ['We go through them.\n\nA\n\nC', null],
];

describe('extractChoice', () => {
  for (const text of SEVERAL) {
    it(`chooses none of several options: ${JSON.stringify(text)}`, () => {
      expect(extractChoice(text)).toBeNull();
    });
  }

  for (const text of DENIED) {
    it(`does not choose what is denied: ${JSON.stringify(text)}`, () => {
      expect(extractChoice(text)).toBeNull();
    });
  }

  for (const text of DOUBTED) {
    it(`does not choose what is only supposed: ${JSON.stringify(text)}`, () => {
      expect(extractChoice(text)).toBeNull();
    });
  }

  for (const [text, letter] of STATED) {
    it(`chooses ${letter} from ${JSON.stringify(text)}`, () => {
      expect(extractChoice(text)).toBe(letter);
    });
  }

  for (const [text, letter] of LAST_LINE) {
    it(`reads ${letter} alone on the last line of ${JSON.stringify(text)}`, () => {
      expect(extractChoice(text)).toBe(letter);
    });
  }

  it('repeats the text of an option only where that is not denied', () => {
    const choices = ['a warm cat', 'a cold dog'];
    expect(extractChoice('The correct answer is a cold dog.', choices)).toBe('B');
    expect(extractChoice('The correct answer is not a cold dog.', choices)).toBeNull();
  });
});
