import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/answers/extract.ts';
import { cutReasoning, opensReasoning } from '../../../../src/answers/extraction/reasoning.ts';
import type { ReasoningPolicy } from '../../../../src/answers/reasoning-policy.ts';

const FAMILIES: ReadonlyArray<readonly [open: string, close: string]> = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
];

function boxed(completion: string, reasoning?: ReasoningPolicy): string | null {
  return extract(completion, reasoning === undefined ? { mode: 'boxed' } : { mode: 'boxed', reasoning });
}

describe('reasoning that the prompt opened', () => {
  for (const [open, close] of FAMILIES) {
    it(`holds no answer until ${close}`, () => {
      expect(boxed('maybe \\boxed{11}, but check', 'opened-by-prompt')).toBeNull();
      expect(boxed(`maybe \\boxed{11}${close}\\boxed{13}`, 'opened-by-prompt')).toBe('13');
      expect(boxed(`maybe \\boxed{11}${close}none`, 'opened-by-prompt')).toBeNull();
      expect(boxed(`no ${open}\\boxed{1}${close}\\boxed{2}${open}\\boxed{3}`, 'opened-by-prompt')).toBe('2');
    });

    it(`is seen from a prompt that ends in ${open}`, () => {
      expect(opensReasoning(`Assistant: let me think.\n${open}\n`)).toBe(true);
      expect(opensReasoning(`<|im_start|>assistant\n${open}\n\n${close}\n\n`)).toBe(false);
      expect(opensReasoning(`<|im_start|>assistant\n${open}\nOkay, so`)).toBe(true);
      expect(opensReasoning(`Reason between ${open} and ${close}.<|im_start|>assistant\n`)).toBe(false);
      expect(opensReasoning(`Start with ${open}, please.<|im_end|>\n<|im_start|>assistant\n`)).toBe(false);
    });
  }

  it('is not seen from a prompt without a mark', () => {
    expect(opensReasoning('')).toBe(false);
    expect(opensReasoning('What is 3*4? Think!')).toBe(false);
  });

  it('is no matter of a completion by default', () => {
    expect(boxed('maybe \\boxed{11}, but check')).toBe('11');
    expect(boxed('maybe \\boxed{11}, but check', 'in-completion')).toBe('11');
  });
});

describe('reasoning', () => {
  it('is text like any other under the policy none', () => {
    expect(boxed('<think>\\boxed{1}', 'none')).toBe('1');
    expect(cutReasoning('a</think>b', 'none')).toBe('a</think>b');
  });

  it('is the analysis channel of a completion that was decoded without its tokens', () => {
    expect(boxed('analysisWe need the product, so \\boxed{40}')).toBeNull();
    expect(boxed('analysisMaybe \\boxed{40}?assistantfinalSo \\boxed{42}')).toBe('42');
    expect(boxed('analysis of the sum gives \\boxed{3}')).toBe('3');
  });
});
