import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DatasetLabel, MAX_PROMPT_ID, readLabel } from '../../../../src/protocol/prompt/label.ts';

const NOTHING: DatasetLabel = {
  promptId: null,
  round: null,
  step: null,
  split: null,
  groundTruth: null,
  task: null,
};

function expectLabel(label: unknown, fields: Partial<DatasetLabel>): void {
  expect(readLabel(label)).toEqual({ kind: 'label', label: { ...NOTHING, ...fields } });
}

function expectProblem(label: unknown, reason: string): void {
  expect(readLabel(label)).toEqual({ kind: 'invalid', reason: expect.stringContaining(reason) });
}

describe('readLabel', () => {
  const full = { pid: 'p1', round: 2, step: 7, split: 'test', answer: '4', task: 'math', source: 'x' };
  const read = { promptId: 'p1', round: 2, step: 7, split: 'eval', groundTruth: '4', task: 'math' } as const;

  it('reads an object and a string that holds one alike', () => {
    expectLabel(full, read);
    expectLabel(JSON.stringify(full), read);
    expectLabel(` ${JSON.stringify(full, null, 2)}\n`, read);
  });

  it.each(['pid', 'prompt_id', 'id'])('takes the prompt id from %s', (key) => {
    expectLabel({ [key]: 'p1' }, { promptId: 'p1' });
    expectLabel({ [key]: 17 }, { promptId: '17' });
  });

  it.each(['answer', 'ground_truth', 'truth', 'label'])('takes the ground truth from %s', (key) => {
    expectLabel({ [key]: '\\frac12' }, { groundTruth: '\\frac12' });
  });

  it('takes the first key that has a value', () => {
    expectLabel(
      { id: 'c', prompt_id: 'b', pid: '', label: '2', answer: null, truth: '1' },
      { promptId: 'b', groundTruth: '1' },
    );
  });

  it.each(['test', 'val', 'validation', 'eval', 'Test', ' VAL '])('reads split %j as eval', (split) => {
    expectLabel({ split }, { split: 'eval' });
  });

  it('reads split train as train and an empty one as not given', () => {
    expectLabel({ split: 'train' }, { split: 'train' });
    expectLabel({ split: '' }, {});
    expectLabel({ split: null }, {});
  });

  it.each([
    ['42', '42'],
    ['[1,2]', '[1,2]'],
    ['"x"', '"x"'],
    [' 4 ', ' 4 '],
    ['{1, 2}', '{1, 2}'],
    ['{x : x > 0}', '{x : x > 0}'],
    [42, '42'],
    [0.5, '0.5'],
    [
      [1, 'b'],
      ['1', 'b'],
    ],
    [true, 'true'],
  ])('takes %j for the ground truth', (label, groundTruth) => {
    expectLabel(label, { groundTruth });
    expectLabel({ answer: label }, { groundTruth });
  });

  it('finds nothing in blank texts, null, empty lists and objects without a key of ours', () => {
    for (const label of ['', ' \n', null, undefined, [], {}, '{}', { source: 'x' }]) expectLabel(label, {});
  });

  it('makes lone surrogates well-formed', () => {
    expectLabel({ pid: 'a\ud800', answer: '\udc00' }, { promptId: 'a\ufffd', groundTruth: '\ufffd' });
  });

  it.each([
    [
      { pid: 'x'.repeat(MAX_PROMPT_ID + 1) },
      'The prompt id in the label has 513 characters; at most 512 are allowed.',
    ],
    [{ pid: true }, 'The prompt id in the label must be a string or a number.'],
    [{ pid: 2 ** 60 }, 'send it as a string'],
    [`{${' '.repeat(1_050_000)}}`, 'The label has 1050002 characters; at most 1048576 are read as JSON.'],
    [{ task: 'x'.repeat(129) }, 'The task in the label has 129 characters'],
    [{ task: 1 }, 'The task in the label must be a string.'],
    [{ split: 'holdout' }, 'must be one of train, eval, test'],
    [{ round: -1 }, 'The round in the label must be a whole number from 0.'],
    [{ step: 1.5 }, 'The step in the label must be a whole number from 0.'],
    [{ step: 'many' }, 'The step in the label must be a whole number from 0.'],
    ["{'pid': 'p1', 'answer': '4'}", 'write it with json.dumps, not str'],
    ['{"pid":"p1","answer":NaN}', 'without NaN'],
  ])('says what is wrong with %j instead of guessing', (label, reason) => {
    expectProblem(label, reason);
  });

  it('names all problems at once', () => {
    const reading = readLabel({ pid: [], round: -1, split: 'x' });
    expect(reading.kind === 'invalid' && reading.reason.match(/in the label must be/g)).toHaveLength(3);
  });

  it('keeps a truth that cannot be used out, with what is wrong with it, and takes the rest', () => {
    const depth = 200_000;
    const deep: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    for (const [answer, truthFault] of [
      [deep, 'is a list of something else than texts and numbers'],
      [2 ** 60, 'is beyond 2^53, where JSON numbers are rounded: send it as a string'],
      ['x'.repeat(16_385), 'has 16385 characters; at most 16384 are read'],
    ] as const) {
      expectLabel({ pid: 'p', answer }, { promptId: 'p', truthFault });
    }
  });

  it('reads a target as the truth only where nothing stands beside it that could matter', () => {
    expectLabel({ pid: 'p', target: ['Paris', 'paris'] }, { promptId: 'p', groundTruth: ['Paris', 'paris'] });
    expectLabel(
      { pid: 'p', target: 24, numbers: [2, 3, 4] },
      { promptId: 'p', truthFault: 'is an object with fields other than "target"' },
    );
  });

  it('reads a count from its digits', () => {
    expectLabel({ round: '3', step: '12' }, { round: 3, step: 12 });
  });

  it('takes any JSON value without throwing, as a value and as text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(['label', 'invalid']).toContain(readLabel(value).kind);
        expect(['label', 'invalid']).toContain(readLabel(JSON.stringify(value)).kind);
      }),
    );
  });
});
