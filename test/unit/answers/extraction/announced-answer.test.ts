import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/answers/extract.ts';
import { grade } from '../../../../src/answers/grade.ts';

/** A completion, the truth that its answer equals (null: none is asked for), and numbers that it must not be taken for. */
type Row = readonly [completion: string, truth: string | null, ...others: string[]];

const ROWS: readonly Row[] = [
  ['So the final answer is \\boxed{8} packs of gum for 30 days.', '8', '30'],
  ['Final answer: \\boxed{689} (out of 82)', '689', '82'],
  ['Thus the answer is $\\frac{3}{4}$ of the 12 apples.', '\\frac34', '12'],
  ['The answer is \\(12\\) in 5 rows.', '12', '5'],
  ['The answer is 5, not 6', '5', '6'],
  ['The answer is not 7', null, '7'],
  ['The answer is 12, which is 3 more than 9', '12', '9', '3'],
  ['The answer is $100$ for $2$ people', '100', '2'],
  ['The answer is $100 for 2 people', '100', '2'],
  ['The answer is 3 and 5.', '3,5', '5', '3'],
  ['The answer is x = 5.', '5'],
  ['The answer is 7 or 8.', '7,8', '8'],
  ['The answer is 1,234 dollars after 5 years.', '1234', '5'],
  ['The answer is not 6 but 7.', '7', '6'],
  ["The answer isn't 6, it's 7.", null, '6'],
  ['The answer is 7 instead of 22', '7', '22'],
  ['The answer is anything other than 4', null, '4'],
  ['The answer is definitely not 9.', null, '9'],
  ['The answer is never 9.', null, '9'],
  ['The answer is between 3 and 5.', null, '5', '3'],
  ['The answer is more than 17.', null, '17'],
  ['The answer is at most 30 apples', null, '30'],
  ['The answer is 30 or more.', null, '30'],
  ['The answer is 3 + 4 = 7', '7', '3'],
  ['The answer is 3 + 4 = 7 apples for 2 kids', '7', '2'],
  ['The final answer is x = 5', '5'],
  ['The answer is that James has 17 apples.', '17'],
  ['The answer is that she needs 8 packs for 30 days.', '8', '30'],
  ['The answer is $x = 3$, $y = 4$.', 'x=3,y=4', '4'],
  ['The answer is $3$, $4$ and $5$', '3,4,5', '5'],
  ['The answer is \\$45, since each of the 9 costs \\$5.', '45', '5', '9'],
  ['The answer is 45% of the 300 people.', '45%', '300'],
  ['The answer is 3/4, or 75%.', null, '75'],
  ['The answer is 12 cm.', '12'],
  ['The answer is 12.5.', '12.5'],
  ['The answer is 2.5 hours per day over 7 days', '2.5', '7'],
  ['The answer is $x^2 + 3x$ where $x > 0$', 'x^2+3x', 'x>0'],
  ['The answer is (3, 4), which lies on 5 lines.', '(3,4)', '5'],
  ['The answer is [2, 5) as 5 is excluded', '[2,5)', '5'],
  ['The answer is about 5.', '5'],
  ['The answer is therefore 42.', '42'],
  ['The answer must be 42.', '42'],
  ['The answer would be 42 because 42 = 6*7', '42', '7', '6'],
  ['The answer is 10 (ten).', '10'],
  ['The answer is 4 (2 from each of 2 boxes)', '4', '2'],
  ['The answer is 50: 20 from one and 30 from the other.', '50', '30', '20'],
  ['The answer is 50; the other 30 are lost.', '50', '30'],
  ['The answer is 18 eggs sold at 2 dollars each', '18', '2'],
  ['The answer is twelve.', '12'],
  ['The answer is \\frac{2}{5}.', '2/5'],
  ['The answer is √2 by 3 steps', '\\sqrt2', '3'],
  ['**Final Answer:** 12 apples', '12'],
  ['**Answer:** 12 of 20', '12', '20'],
  ['Final answer: 5. There were 7 of them.', '5', '7'],
  ['The answer is 5! = 120', '120', '5'],
  ['The answer is 2^{10} = 1024 bytes', '1024', '10'],
  ['The answer is n = 12 for k = 3', '12', '3'],
  ['The answer is 6 feet 2 inches', '6 feet 2 inches', '6'],
  ['The answer is: 7 days', '7'],
  ['The answer to the problem is 7.', '7'],
  ['Answer = 7', '7'],
  ['ANSWER: 7', '7'],
  ['answer is: **7** (days)', '7'],
  ['The answer is `7`', '7'],
  ['The correct answer is 36, and not 35.', '36', '35'],
  ['The answer is 36, never 35.', '36', '35'],
  ["The answer is 36; it can't be 35.", '36', '35'],
  ['The answer is 7? No, the answer cannot be 7.', null, '7'],
  ['The answer is 5. Recall that the answer is not 6.', '5', '6'],
  ['The answer, then, is 5', '5'],
  ['The largest of these is the answer: 19', '19'],
  ['The total is 5, so the answer is 5 + 2 = 7.', '7', '5'],
  ['The answer is 3x + 2 for x in 1 to 5', '3x+2', '5'],
  ['The answer is 40 miles/hour.', '40'],
  ['The answer is -3, not 3', '-3', '3'],
  ['The answer is −3', '-3', '3'],
  ['The answer is 1/2 cup for each of 4 people', '1/2', '4'],
  ['The answer is 3 1/2 cups', '7/2'],
  ['The answer is 10:30 am, not 11:00', '10:30 am', '11:00'],
  ['The answer is 17 is wrong.', null, '17'],
  ['The answer is $17$, excluding $3$.', '17', '3'],
  ['정답은 36입니다.', '36'],
  ['답은 (36) 입니다', '36'],
  ['따라서 정답은 36개입니다.', '36'],
  ['답: 36', '36'],
  ['정답은 36이 아니라 37입니다.', '37', '36'],
  ['최종 답은 36이다.', '36'],
  ['그러므로 답은 $36$입니다', '36'],
  ['Die Antwort lautet 36.', '36'],
  ['Die richtige Antwort ist 36 Äpfel, nicht 35.', '36', '35'],
  ['Antwort: 36', '36'],
  ['Die Antwort ist nicht 36.', null, '36'],
  ['Die Antwort beträgt 36 Euro für 2 Personen', '36', '2'],
  ['Die endgültige Antwort lautet somit 36.', '36'],
  ['Đáp án là 36.', '36'],
  ['Đáp số: 36', '36'],
  ['Vậy đáp án đúng là 36 quả.', '36'],
  ['Đáp án không phải là 36.', null, '36'],
  ['正解は36です。', '36'],
  ['答えは36です。', '36'],
  ['答え：36', '36'],
  ['したがって、答えは36個です。', '36'],
  ['答えは36ではなく37です。', '37', '36'],
  ['答えは36ではありません。', null, '36'],
  ['最終的な答えは36です', '36'],
  ['因此，答案应为36。', '36'],
  ['所以答案是36个。', '36'],
  ['最终答案为：36', '36'],
  ['答案不是36。', null, '36'],
  ['答案是36，而不是35。', '36', '35'],
  ['正确答案是 $36$。', '36'],
  ['答：36', '36'],
  ['答案就是36', '36'],
  ['答案是36万', null, '36'],
  ['Правильный ответ — 36.', '36'],
  ['Ответ: 36', '36'],
  ['Ответ равен 36.', '36'],
  ['Ответ — не 36.', null, '36'],
  ['Ответ: 36, а не 35.', '36', '35'],
  ['Итак, ответ: 36 яблок.', '36'],
  ['Окончательный ответ: 36', '36'],
  ['La réponse est donc 36.', '36'],
  ['La bonne réponse est 36.', '36'],
  ['Réponse : 36', '36'],
  ["La réponse n'est pas 36.", null, '36'],
  ['La réponse est 36 et non 35.', '36', '35'],
  ['La réponse finale est 36 euros pour 2 personnes', '36', '2'],
  ['الإجابة هي 36', '36'],
  ['الإجابة الصحيحة هي 36.', '36'],
  ['الجواب هو ٣٦', '٣٦'],
  ['الجواب: 36', '36'],
  ['الإجابة ليست 36', null, '36'],
  ['उत्तर 36 है', '36'],
  ['उत्तर: 36', '36'],
  ['सही उत्तर 36 है।', '36'],
  ['उत्तर 36 नहीं है', null, '36'],
  ['अंतिम उत्तर ३६ है', '३६'],
  ["Cevap 36'dır.", '36'],
  ['Cevap: 36', '36'],
  ['Doğru cevap 36.', '36'],
  ['Cevap 36 değil 37.', '37', '36'],
  ['Cevap 36 elmadır', '36'],
  ['Odpowiedź: 36', '36'],
  ['Odpowiedź to 36.', '36'],
  ['Poprawna odpowiedź to 36, a nie 35.', '36', '35'],
  ['Odpowiedź brzmi 36', '36'],
  ['Het antwoord is 36.', '36'],
  ['Het juiste antwoord luidt 36.', '36'],
  ['Het antwoord is niet 36.', null, '36'],
  ['Antwoord: 36', '36'],
  ['La risposta è 36.', '36'],
  ['La risposta corretta è 36, non 35.', '36', '35'],
  ['Risposta: 36', '36'],
  ['La risposta non è 36.', null, '36'],
  ['A resposta é 36.', '36'],
  ['A resposta correta é 36 e não 35.', '36', '35'],
  ['Resposta: 36', '36'],
  ['A resposta não é 36', null, '36'],
  ['A resposta final é 36.', '36'],
  ['La respuesta es 36.', '36'],
  ['La respuesta correcta es 36 y no 35.', '36', '35'],
  ['La respuesta no es 36.', null, '36'],
  ['Respuesta final: 36', '36'],
  ['Jawaban adalah 36.', '36'],
  ['Jawabannya adalah 36.', '36'],
  ['Jadi, jawaban yang benar adalah 36, bukan 35.', '36', '35'],
  ['Jawaban: 36', '36'],
  ['### Answer\n15', '15'],
  ['# Answer\n**15**', '15'],
  ['**Answer**\n15', '15'],
  ['## Final Answer\n\n15', '15'],
  ['### Answer\n\n$$15$$', '15'],
  ['Answer\n15', '15'],
  ['## Antwort\n15', '15'],
  ['### 答案\n15', '15'],
  ['### Final answer\nThe total is 15 for 3 kids.', '15', '3'],
  ['**Answer**\n\n\\boxed{15}', '15'],
  ['### 2. Answer\n15 apples', '15'],
  ['### Réponse finale\n15', '15'],
  ['#### Answer:\n15', '15'],
  ['__Answer__\n15', '15'],
  ['*Answer*\n15', '15'],
  ['The answer is \\boxed 7', '7'],
  ['The answer is \\boxed{3} or \\boxed{4}', '3,4', '4'],
  ['The answer is 4 or 5, I am not sure', '4,5', '5', '4'],
  ['Answer: 5\nAnswer: 6', '6', '5'],
  ['The answer is 1/2 = 0.5', '1/2'],
  ['The answer is 0.5 or 0.6', '0.5,0.6', '0.6', '0.5'],
  ['The answer is $-\\frac{1}{2}$ (see 3)', '-1/2', '3'],
  ['The answer is $\\{1,2,3\\}$, with 3 elements', '\\{1,2,3\\}', '3'],
  ['The answer is Paris, not London.', 'Paris', 'London'],
  ['The answer is A = 12 and B = 5', 'A=12,B=5', '5'],
  ['So, the answer is 7 apples + 5 pears = 12 fruits.', '12', '7'],
  ['The answer is 3 times more than 5', null, '5', '3'],
  ['The answer is: 3 red, 4 blue and 5 green balls', null, '3', '5'],
  ['The answer is $5$ million', '5 million', '5'],
  ['The answer is 5 million people out of 9', '5 million', '5', '9'],
  ['The answer is $2x+1$ = $7$', '7'],
  ['I hope the final answer is right. We have 3 steps.', null, '3'],
  ['The answer is exactly 5.', '5'],
  ['The answer is equal to 5.', '5'],
  ['The answer is given by 5 + 3 = 8.', '8'],
  ['The answer is the sum 3 + 4 = 7.', '7'],
  ['The answer is the number 7.', '7'],
  ['The answer is $n = 7$ since $7 > 5$.', '7', '5'],
];

describe('an announced answer', () => {
  for (const [completion, truth, ...others] of ROWS) {
    const asked = [truth === null ? '' : `is ${truth}`, ...others.map((other) => `is not ${other}`)];
    it(`${asked.filter((part) => part !== '').join(', ') || 'is no number'} in ${JSON.stringify(completion)}`, () => {
      const answer = extract(completion, { mode: 'auto' });
      if (truth !== null) expect(answer === truth || grade(answer, truth).equal).toBe(true);
      for (const other of others) expect(grade(answer, other).equal).toBe(false);
    });
  }

  it('is taken from a truncated completion only where its sentence ends the text', () => {
    const truncated = (completion: string): string | null =>
      extract(completion, { mode: 'auto', truncated: true });
    expect(truncated('So the answer is 12.')).toBe('12');
    expect(truncated('So the answer is 12')).toBeNull();
    expect(truncated('So the answer is 12. But wait, the')).toBeNull();
    expect(truncated('So the answer is 12? Let me check')).toBeNull();
    expect(truncated('So the answer is \\boxed{12}. But wait, the')).toBe('12');
  });

  it('gives a letter of a truncated completion only where a mark or the last sentence gives it', () => {
    const truncated = (completion: string): string | null =>
      extract(completion, { mode: 'choice', truncated: true });
    expect(truncated('Alternatively, the answer is B? Let me look at C again, since')).toBeNull();
    expect(truncated('The answer is B. Let me look at C')).toBeNull();
    expect(truncated('The answer is B.')).toBe('B');
    expect(truncated('\\boxed{B} since')).toBe('B');
    expect(truncated('<answer>B</answer> since')).toBe('B');
  });
});

describe('a box that the text never fills', () => {
  it('takes back the boxes and announcements before it', () => {
    for (const mode of ['boxed', 'auto'] as const) {
      expect(extract('First \\boxed{5}. Corrected: \\boxed{', { mode })).toBeNull();
      expect(extract('First \\boxed{5}. Corrected: \\boxed{ }', { mode })).toBeNull();
      expect(extract('\\boxed{5}, that is \\boxed{\\frac{1}{2', { mode })).toBeNull();
    }
    expect(extract('The answer is 5. Corrected: \\boxed{', { mode: 'auto' })).toBeNull();
    expect(extract('\\boxed{ } so the final answer is 7.', { mode: 'auto' })).toBe('7');
  });
});
