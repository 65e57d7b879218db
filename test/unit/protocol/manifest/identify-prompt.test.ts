import { describe, expect, it } from 'vitest';
import { identifyPrompt } from '../../../../src/protocol/manifest/identify-prompt.ts';
import { PromptIndex } from '../../../../src/protocol/manifest/prompt-index.ts';
import type { DatasetLabel } from '../../../../src/protocol/prompt/label.ts';

const NO_LABEL: DatasetLabel = {
  promptId: null,
  round: null,
  step: null,
  split: null,
  groundTruth: null,
  task: null,
};
const NO_QUERY = { incarnation: null, split: null, step: null, round: null, eos: [] };

const index = new PromptIndex({
  version: 'v1',
  entries: [
    {
      promptId: 'apples',
      texts: ['How many apples has Ann?', 'Count the  apples of Ann.'],
      groundTruth: '3',
      split: 'eval',
    },
    { promptId: 'pears', texts: ['How many pears has Bob?'], groundTruth: null, split: null },
    {
      promptId: 'both',
      texts: ['How many pears has Bob? And how many has Ann?'],
      groundTruth: null,
      split: null,
    },
    { promptId: 'figs', texts: ['How many figs .has Eve?'], groundTruth: null, split: null },
  ],
});

const identify = (prompt: string, label: Partial<DatasetLabel> = {}, url: Partial<typeof NO_QUERY> = {}) =>
  identifyPrompt({ ...NO_LABEL, ...label }, prompt, { ...NO_QUERY, ...url }, async () => index);

const idOf = async (prompt: string) => (await identify(prompt)).promptId;

describe('identifyPrompt', () => {
  it('finds a prompt by its exact text, templated or not, and by any of its texts', async () => {
    expect(await idOf('How many apples has Ann?')).toBe('apples');
    expect(await idOf(' Count the apples\nof Ann. ')).toBe('apples');
    expect(await idOf('<|im_start|>user\nHow many apples has Ann?<|im_end|>\n<|im_start|>assistant\n')).toBe(
      'apples',
    );
  });

  it('else by the longest text that the prompt contains', async () => {
    expect(await idOf('Think step by step. How many pears   has Bob? Use \\boxed{}.')).toBe('pears');
    expect(await idOf('Q: How many pears has Bob? And how many has Ann? A:')).toBe('both');
  });

  it('takes truth and split from the manifest where the label is silent', async () => {
    const prompt = 'How many apples has Ann?';
    expect(await identify(prompt)).toEqual({ promptId: 'apples', groundTruth: '3', split: 'eval' });
    expect(await identify(prompt, { groundTruth: '4', split: 'train' })).toMatchObject({
      groundTruth: '4',
      split: 'train',
    });
    expect(await identify('How many pears has Bob?', {}, { split: 'eval' as never })).toMatchObject({
      split: 'eval',
    });
  });

  it('refuses an unknown prompt and names the nearest known one', async () => {
    await expect(identify('How many pears did Bob eat?')).rejects.toMatchObject({
      code: 'unknown_prompt',
      message: expect.stringMatching(/nearest is "pears": "How many pears has Bob\?"/),
      details: { nearest: { prompt_id: 'pears' } },
    });
  });

  it('refuses a prompt that holds several problems of the same length', async () => {
    await expect(identify('How many pears has Bob? How many figs .has Eve?')).rejects.toMatchObject({
      code: 'unknown_prompt',
      details: { prompt_ids: ['pears', 'figs'] },
    });
  });

  it('never asks for the manifest where the label names the prompt', async () => {
    const never = () => Promise.reject(new Error('asked'));
    const named = await identifyPrompt({ ...NO_LABEL, promptId: 'x' }, 'no such text', NO_QUERY, never);
    expect(named).toEqual({ promptId: 'x', groundTruth: null, split: 'train' });
  });

  it('names a prompt by a hash of its text where there is no manifest', async () => {
    const none = async () => null;
    const [a, b] = await Promise.all(
      ['2+2?', '<|im_start|>user\n2+2?<|im_end|>'].map((text) =>
        identifyPrompt(NO_LABEL, text, NO_QUERY, none),
      ),
    );
    expect(a?.promptId).toMatch(/^text-[0-9a-f]{16}$/);
    expect(b?.promptId).toBe(a?.promptId);
  });
});
