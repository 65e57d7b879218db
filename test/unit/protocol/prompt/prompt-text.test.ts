import { describe, expect, it } from 'vitest';
import { promptIdOf, userText } from '../../../../src/protocol/prompt/prompt-text.ts';

const PROBLEM = 'Natalia sold 48 clips in April,\nand half as many in May. How many in all?';
const TEXT = 'Natalia sold 48 clips in April, and half as many in May. How many in all?';
const LLAMA_SYSTEM =
  '<|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n<|eot_id|>';

const PROMPTS = {
  'Qwen with its default system prompt': `<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n${PROBLEM}<|im_end|>\n<|im_start|>assistant\n`,
  'Qwen 3 without thinking': `<|im_start|>user\n${PROBLEM}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n`,
  'Llama 3': `<|begin_of_text|>${LLAMA_SYSTEM}<|start_header_id|>user<|end_header_id|>\n\n${PROBLEM}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n`,
  'Llama 4': `<|begin_of_text|><|header_start|>user<|header_end|>\n\n${PROBLEM}<|eot|><|header_start|>assistant<|header_end|>\n\n`,
  'Llama 2': `<s>[INST] <<SYS>>\nYou are a helpful, honest assistant.\n<</SYS>>\n\n${PROBLEM} [/INST]`,
  Mistral: `<s>[INST] ${PROBLEM}[/INST]`,
  'Mistral with a system prompt': `<s>[SYSTEM_PROMPT]Be brief.[/SYSTEM_PROMPT][INST]${PROBLEM}[/INST]`,
  Gemma: `<bos><start_of_turn>user\n${PROBLEM}<end_of_turn>\n<start_of_turn>model\n`,
  'Phi-3': `<s><|system|>\nYou are a helpful AI assistant.<|end|>\n<|user|>\n${PROBLEM}<|end|>\n<|assistant|>\n`,
  'Phi-4-mini': `<|system|>You are a helpful AI assistant.<|end|><|user|>${PROBLEM}<|end|><|assistant|>`,
  'Phi-4': `<|im_start|>system<|im_sep|>You help.<|im_end|><|im_start|>user<|im_sep|>${PROBLEM}<|im_end|><|im_start|>assistant<|im_sep|>`,
  DeepSeek: `<｜begin▁of▁sentence｜>You help.<｜User｜>${PROBLEM}<｜Assistant｜><think>\n`,
  'gpt-oss': `<|start|>system<|message|>You are ChatGPT.<|end|><|start|>user<|message|>${PROBLEM}<|end|><|start|>assistant`,
  'no template': `  ${PROBLEM}\n`,
};

describe('userText', () => {
  it.each(Object.entries(PROMPTS))('finds the problem in the template of %s', (_, prompt) => {
    expect(userText(prompt)).toBe(TEXT);
  });

  it.each([
    `<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello!<|im_end|>\n<|im_start|>user\n${PROBLEM}<|im_end|>\n<|im_start|>assistant\n`,
    `<s>[INST] Hi [/INST] Hello!</s>[INST] ${PROBLEM} [/INST]`,
    `<bos><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\nHello!<end_of_turn>\n<start_of_turn>user\n${PROBLEM}<end_of_turn>\n`,
  ])('takes the last message of the user', (prompt) => {
    expect(userText(prompt)).toBe(TEXT);
  });

  it.each([
    ['an unknown template', 'USER: What is 1+1? ASSISTANT:'],
    ['a text about templates', 'What does [INST] mean in [INST] Hi [/INST]?'],
    ['a prompt without a user message', '<|im_start|>system\nWhat is 1+1?<|im_end|>'],
    ['an empty user message', '<|im_start|>user\n<|im_end|> 1'],
  ])('leaves %s whole', (_, prompt) => {
    expect(userText(prompt)).toBe(prompt.replace('\n', ' '));
  });

  it('takes a message without an end up to the end of the prompt', () => {
    expect(userText('<|im_start|>user\n1 + 1')).toBe('1 + 1');
  });

  it('takes time in proportion to the length, also for texts made of template tokens', () => {
    const began = performance.now();
    for (const token of [
      '<s>',
      '<|im_start|>user',
      '<|im_start|>',
      '<|user|>',
      '[INST]',
      '<start_of_turn>user',
      ' \n',
    ]) {
      const prompt = `<s>${token.repeat(200_000)}`;
      expect(userText(prompt).length).toBeLessThanOrEqual(prompt.length);
    }
    // Quadratic work would be 10^11 steps: minutes, not seconds.
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('promptIdOf', () => {
  it('is the same for agents of all families that see the same problem', () => {
    expect(new Set(Object.values(PROMPTS).map((prompt) => promptIdOf(prompt))).size).toBe(1);
  });

  it('is text- and the first 64 bits of the SHA-256 of the problem', () => {
    expect(promptIdOf('<s>[INST]  abc [/INST]')).toBe('text-ba7816bf8f01cfea');
  });

  it('tells problems apart that differ in one character', () => {
    expect(promptIdOf('What is 1+1?')).not.toBe(promptIdOf('What is 1+2?'));
  });

  it('takes a lone surrogate as the replacement character, as every other layer does', () => {
    expect(promptIdOf('a\ud800')).toBe(promptIdOf('a\ufffd'));
  });
});
