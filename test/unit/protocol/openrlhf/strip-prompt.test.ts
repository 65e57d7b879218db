import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripPrompt } from '../../../../src/protocol/openrlhf/strip-prompt.ts';

const TASK = 'What is 3 + 4? Put your final answer in \\boxed{}.';
const QWEN = `<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n${TASK}<|im_end|>\n<|im_start|>assistant\n`;
const LLAMA2 = `<s>[INST] ${TASK} [/INST]`;
const ANSWER = 'It is \\boxed{7}.';

describe('stripPrompt', () => {
  it('returns what follows the prompt', () => {
    expect(stripPrompt(`${QWEN}${ANSWER}<|im_end|>`, QWEN)).toBe(ANSWER);
  });

  it.each([
    ['<|im_end|>'],
    ['<|im_end|>\n<|endoftext|><|endoftext|>'],
    ['<|eot_id|>'],
    ['<|end_of_text|><|finetune_right_pad_id|>'],
    ['</s><pad><pad>'],
    ['<end_of_turn>\n<eos>'],
    ['<|end|>'],
    ['<|eot|>'],
    ['<｜end▁of▁sentence｜>'],
    ['[PAD][PAD]'],
    ['<|return|>'],
    [' \n'],
  ])('removes special tokens and white space from the end: %j', (end) => {
    expect(stripPrompt(`${QWEN}${ANSWER}${end}`, QWEN)).toBe(ANSWER);
  });

  it.each(['the mean <|x|>', 'a > b |>', '2 <|im_end', 'HTML <b>'])(
    'keeps an end that only resembles a special token: %j',
    (response) => {
      expect(stripPrompt(`${QWEN}${response}`, QWEN)).toBe(response);
    },
  );

  it('never reaches into the prompt, also when the response is empty', () => {
    expect(stripPrompt(QWEN, QWEN)).toBe('');
    expect(stripPrompt('<s><s>', '<s>')).toBe('');
  });

  it('finds the response when the prompt was cut on the left, wherever the cut is', () => {
    for (let cut = 0; QWEN.length - cut > 35; cut++) {
      expect(stripPrompt(`${QWEN.slice(cut)}${ANSWER}<|im_end|>`, QWEN)).toBe(ANSWER);
    }
  });

  it('finds the response when the cut halved a character', () => {
    expect(stripPrompt(`\ufffd\ufffd${QWEN.slice(20)}${ANSWER}`, QWEN)).toBe(ANSWER);
  });

  it.each([
    ['padding on the left', `<|endoftext|><|endoftext|>${QWEN}${ANSWER}`, QWEN],
    ['SentencePiece, which adds spaces', `<s> [INST]  ${TASK} [/INST]${ANSWER}`, LLAMA2],
    [
      'clean_up_tokenization_spaces, which drops them',
      `Find x , y .\nA:${ANSWER}`.replaceAll(' ,', ',').replaceAll(' .', '.'),
      'Find x , y .\nA:',
    ],
    ['a tokenizer that composes characters', `Caf\u00e9 costs?\n${ANSWER}`, 'Cafe\u0301 costs?\n'],
  ])('finds the response behind a prompt that decoding changed: %s', (_, query, prompt) => {
    expect(stripPrompt(query, prompt)).toBe(ANSWER);
  });

  it('knows no response when less than 32 characters of the prompt are left', () => {
    const prompt = `${'x'.repeat(100)}${'abcdefgh'.repeat(4)}`;
    expect(stripPrompt(`${prompt.slice(-32)}${ANSWER}`, prompt)).toBe(ANSWER);
    expect(stripPrompt(`${prompt.slice(-31)}${ANSWER}`, prompt)).toBeNull();
  });

  it('never takes the instruction of a prompt that does not match for an answer', () => {
    const other = QWEN.replace('3 + 4', '5 + 6');
    expect(stripPrompt(`${other}${ANSWER}`, QWEN)).toBeNull();
    expect(stripPrompt(ANSWER, QWEN)).toBeNull();
  });

  it('is not misled by a prompt that ends with the words it starts with', () => {
    const rule = 'Put your final answer in \\boxed{}, and nothing else. ';
    const prompt = `${rule}What is 3 + 4? ${rule}`;
    expect(stripPrompt(`${rule}What is 3 plus 4? ${rule}${ANSWER}`, prompt)).toBeNull();
    expect(stripPrompt(`${prompt}${ANSWER}`, prompt)).toBe(ANSWER);
  });

  it.each(['', ' \n'])('knows no response behind the blank prompt %j', (prompt) => {
    expect(stripPrompt(`${prompt}${ANSWER}`, prompt)).toBeNull();
    expect(stripPrompt('', prompt)).toBeNull();
  });

  it('gives the response of any prompt and any text without a special end', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(text, text, (prompt, response) => {
        fc.pre(prompt.trim() !== '');
        expect(stripPrompt(`${prompt}${response}.`, prompt)).toBe(`${response}.`);
      }),
    );
  });

  it('takes the longest end of the prompt that the query starts with, unless the query starts as the prompt does', () => {
    const binary = (minLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength: 90 });
    const period = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
    const prompts = fc.oneof(
      binary(33),
      fc.tuple(binary(0), period).map(([head, part]) => head + part.repeat(40)),
    );
    fc.assert(
      fc.property(prompts, fc.nat(60), binary(0), (prompt, cut, response) => {
        const query = prompt.slice(cut) + response;
        let overlap = Math.min(prompt.length, query.length);
        while (!query.startsWith(prompt.slice(prompt.length - overlap))) overlap -= 1;
        const isCut = overlap >= 32 && !query.startsWith(prompt.slice(0, 32));
        const expected = overlap === prompt.length || isCut ? query.slice(overlap) : null;
        expect(stripPrompt(query, prompt)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('takes time in proportion to the length, also for repetitive texts', () => {
    const length = 400_000;
    const began = performance.now();
    expect(stripPrompt(`${'a'.repeat(length)}b`, `b${'a'.repeat(length)}c`)).toBeNull();
    expect(stripPrompt(`x${'<|im_end|>'.repeat(length / 10)}`, 'x')).toBe('');
    expect(stripPrompt(`x${'<|'.repeat(length)}|>`, 'x')).toHaveLength(2 * length + 2);
    // Quadratic work would be 10^11 steps: minutes, not seconds.
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
