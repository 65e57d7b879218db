import { describe, expect, it } from 'vitest';
import { ALIASES, parseFieldNames } from '../../../../src/cli/rollouts/aliases.ts';
import { type Row, readRow } from '../../../../src/cli/rollouts/row.ts';
import { promptIdOf } from '../../../../src/protocol/prompt/prompt-text.ts';

const rules = { names: ALIASES, withSignals: false };

function rowOf(value: unknown, withSignals = false): Row {
  const reading = readRow(JSON.stringify(value), { ...rules, withSignals });
  if (reading.kind === 'invalid') throw new Error(reading.reason);
  return reading.row;
}

const texts = ({ rollouts }: Row) =>
  rollouts.map(({ index, content }) => [index, content.kind === 'given' ? content.answer : content.text]);

describe('a row of a rollout file', () => {
  it('is read by our own names', () => {
    const row = rowOf({ prompt_id: 'p1', agent: 'a', round: 2, k: 3, gold: 4, completion: 'so \\boxed{4}' });
    expect(row).toMatchObject({ promptId: 'p1', agent: 'a', visit: { by: 'round', at: 2 }, truth: '4' });
    expect(texts(row)).toEqual([[3, 'so \\boxed{4}']]);
  });

  it('is read as verl dumps it: input, output, gts, score and step', () => {
    const row = rowOf({
      input: 'user\n1+1?\nassistant\n',
      output: '2',
      gts: '2',
      score: 1,
      step: 40,
      acc: true,
    });
    expect(row).toMatchObject({
      promptId: promptIdOf('user\n1+1?\nassistant\n'),
      agent: null,
      visit: { by: 'step', at: 40 },
      truth: '2',
    });
    expect(texts(row)).toEqual([[null, '2']]);
  });

  it('is read as OpenRLHF writes batch inference: input and output, with its chat template or without', () => {
    const templated = rowOf({
      input: '<|im_start|>user\n1+1?<|im_end|>\n<|im_start|>assistant\n',
      output: '2',
    });
    expect(templated.promptId).toBe(rowOf({ input: '1+1?', output: '3' }).promptId);
    expect(templated).toMatchObject({ truth: null, visit: { by: 'round', at: 0 } });
    expect(templated.prompt).toBe('<|im_start|>user\n1+1?<|im_end|>\n<|im_start|>assistant\n');
  });

  it('is read as lm-eval logs samples, every repeat of a request being a rollout', () => {
    const sample = {
      doc_id: 7,
      doc: { question: '1+1?' },
      target: 'one and one is two\n#### 2',
      arguments: { gen_args_0: { arg_0: 'Q: 1+1?', arg_1: {} } },
      resps: [['#### 2', '#### 3']],
      filtered_resps: ['2'],
      filter: 'strict-match',
      doc_hash: 'abc',
      exact_match: 1,
    };
    const row = rowOf(sample);
    expect(row).toMatchObject({ promptId: 'abc', truth: sample.target, filter: 'strict-match' });
    expect(texts(row)).toEqual([
      [0, '#### 2'],
      [1, '#### 3'],
    ]);
    expect(rowOf({ ...sample, doc_hash: undefined }).promptId).toBe('doc-7');
  });

  it('takes lists of completions, messages, and answers that were read before', () => {
    expect(texts(rowOf({ prompt_id: 1, responses: ['a', 'b'] }))).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
    const row = rowOf({
      prompt: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: '1+1?' },
      ],
      completion: [{ role: 'assistant', content: '2' }],
    });
    expect(row.promptId).toBe(promptIdOf('1+1?'));
    expect(texts(row)).toEqual([[null, '2']]);
    expect(texts(rowOf({ prompt_id: 'p', answer: null }))).toEqual([[null, null]]);
  });

  it('goes by the names that --fields gives, and by no other for those fields', () => {
    const parsed = parseFieldNames('gold=answer,prompt_id=qid');
    if (!parsed.ok) throw new Error(parsed.problem);
    const line = JSON.stringify({ qid: 9, prompt_id: 'other', answer: '4', gold: 'other', text: '4' });
    const reading = readRow(line, { names: parsed.names, withSignals: false });
    expect(reading).toMatchObject({ row: { promptId: '9', truth: '4' } });
    expect(parseFieldNames('answers=x')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('gold'),
    });
  });

  it('carries what methods reward by where it is asked to', () => {
    const raw = { prompt_id: 'p', completion: '4', mean_entropy: 0.5, score: 1 };
    expect(rowOf(raw, true).rollouts[0]).toMatchObject({
      signals: { score: 1 },
      measures: { entropy: { kind: 'mean', mean: 0.5 } },
    });
    expect(rowOf({ ...raw, score: { of: 'another kind' } }).rollouts[0]).not.toHaveProperty('signals');
  });

  it.each([
    ['{"prompt_id":', 'not JSON'],
    ['[1]', 'an object'],
    [{ completion: '4' }, 'prompt_id'],
    [{ prompt_id: 'p' }, 'completion'],
    [{ prompt_id: 'p', completion: 4 }, 'a text or a list of texts'],
    [{ prompt_id: 'p', completion: '4', round: -1 }, 'round'],
    [{ prompt_id: 'p', completion: '4', gts: { value: 4 } }, 'gts'],
    [{ doc_id: 0, resps: [[[-1.5, false]]] }, 'log-likelihoods'],
  ])('that is %j is refused with what is wrong', (row, reason) => {
    const line = typeof row === 'string' ? row : JSON.stringify(row);
    expect(readRow(line, rules)).toMatchObject({ kind: 'invalid', reason: expect.stringContaining(reason) });
  });
});
