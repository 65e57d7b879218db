import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { checkIds, checkSplit, checkTruths, type DataSet } from '../../../../src/cli/doctor/check-data.ts';
import { checkPair } from '../../../../src/cli/doctor/check-pair.ts';
import { checkSeeds } from '../../../../src/cli/doctor/check-seeds.ts';
import { type Columns, toDataRow } from '../../../../src/cli/doctor/data-row.ts';
import { assignAgents } from '../../../../src/cli/doctor/data-sets.ts';
import { parseCsv } from '../../../../src/cli/doctor/parse-csv.ts';
import { readTable, TableError, type TableRow } from '../../../../src/cli/doctor/read-table.ts';
import { parseSource } from '../../../../src/cli/rollouts/source.ts';

const COLUMNS: Columns = { id: null, prompt: null, truth: null, label: 'label' };
const RULES = { mode: 'auto', waits: true, sameView: true } as const;
const ROWS = [1, 2, 3, 4].map((n) => ({ prompt_id: `p${n}`, prompt: `${n} + 1?`, ground_truth: `${n + 1}` }));

function setOf(agent: string, rows: readonly TableRow[], columns = COLUMNS): DataSet {
  return { agent, path: `${agent}.jsonl`, rows: rows.map((row, at) => toDataRow(row, at + 1, columns)) };
}

const pairOf = (one: readonly TableRow[], other: readonly TableRow[], rules = {}) =>
  Object.fromEntries(
    checkPair(setOf('a', one), setOf('b', other), { ...RULES, ...rules }).map(({ name, status, says }) => [
      name,
      [status, says],
    ]),
  );

describe('a row of a data set', () => {
  it.each([
    [{ pid: 5, id: 9 }, '5', 'column'],
    [{ extra_info: { prompt_id: 'x', index: 2 } }, 'x', 'column'],
    [{ label: '{"pid": 7}' }, '7', 'label'],
    [{ label: { id: 'seven' } }, 'seven', 'label'],
    [{ data_source: 'd', extra_info: { split: 'train', index: 0 } }, 'd/train/0', 'verl'],
    [{ id: 12 }, '12', 'roll'],
    [{ prompt: '  What is\n 1? ' }, 'text-75e083535956b5b3', 'text'],
    [
      {
        messages: [
          { role: 'system', content: 'x' },
          { role: 'user', content: 'What is 1?' },
        ],
      },
      'text-75e083535956b5b3',
      'text',
    ],
    [{ prompt_id: '', answer: '4' }, null, null],
  ])('is named as the adapters name it: %j', (raw, id, from) => {
    expect(toDataRow(raw, 1, COLUMNS)).toMatchObject({ id, from });
  });

  it('has the split and the truth that its columns, its label or extra_info say', () => {
    const read = (raw: TableRow) => {
      const { split, truth } = toDataRow(raw, 1, COLUMNS);
      return [split, truth.groundTruth];
    };
    expect(read({ extra_info: { split: 'test' }, reward_model: { ground_truth: '4' } })).toEqual([
      'eval',
      '4',
    ]);
    expect(read({ label: '{"split": "val", "answer": ["4", "5"]}' })).toEqual(['eval', ['4', '5']]);
    expect(read({ label: '4' })).toEqual(['train', '4']);
    expect(read({ solution: '5', label: '4', split: 'dev' })).toEqual([null, '5']);
  });

  it('is read by the columns that are named, and by no others', () => {
    const named = { id: 'qid', prompt: 'q', truth: 'gold', label: 'label' };
    expect(
      toDataRow({ qid: 1, prompt_id: 'no', q: 'Q', prompt: 'no', gold: 2, answer: 'no' }, 1, named),
    ).toMatchObject({
      id: '1',
      text: 'Q',
      truth: { groundTruth: '2' },
    });
    expect(toDataRow({ prompt_id: 'no' }, 1, named).id).toBeNull();
  });
});

describe('a data set alone', () => {
  it('fails where rows have no id, or two problems share one', () => {
    expect(checkIds(setOf('a', [...ROWS, { prompt: 'nameless' }]))).toMatchObject({
      status: 'FAIL',
      says: expect.stringContaining('1 of 5 rows name no problem (first: row 5)'),
    });
    expect(checkIds(setOf('a', [...ROWS, { ...ROWS[0], prompt: 'Another?' }]))).toMatchObject({
      status: 'FAIL',
      says: expect.stringContaining('Rows 1 and 5 are two problems under one id, "p1"'),
    });
    expect(checkIds(setOf('a', [])).status).toBe('FAIL');
  });

  it('is worth a word where a problem comes twice', () => {
    expect(checkIds(setOf('a', [...ROWS, { ...ROWS[1] }]))).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('1 rows repeat a problem (first: row 5, "p2")'),
    });
    expect(checkIds(setOf('a', ROWS)).status).toBe('ok');
  });

  it('fails where rows for evaluation are not marked, or cannot be graded', () => {
    expect(checkSplit(setOf('a', ROWS), true).says).toContain('4 of 4 rows for evaluation are not marked');
    expect(checkSplit(setOf('a', [{ prompt_id: 'e', split: 'test' }]), false).status).toBe('FAIL');
    expect(checkSplit(setOf('a', [{ prompt_id: 'e', split: 'holdout' }]), false).status).toBe('FAIL');
    expect(checkSplit(setOf('a', [{ prompt_id: 'e', split: 'test', answer: '4' }]), true).status).toBe('ok');
  });

  it('tells truths that nobody reads: a warning, or a failure where the method rewards by them', () => {
    const odd = setOf('a', [...ROWS, { prompt_id: 'x', ground_truth: { numbers: [1] } }]);
    expect(checkTruths(odd, 'auto', false)).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('first: row 5, which is an object with fields other than "target"'),
    });
    expect(checkTruths(odd, 'auto', true).status).toBe('FAIL');
    expect(checkTruths(setOf('a', ROWS), 'choice', false)).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('4 of 4 ground truths cannot be read in mode choice'),
    });
    expect(checkTruths(setOf('a', [...ROWS, { prompt_id: 'x' }]), 'auto', true).says).toContain(
      '1 of 5 rows have no',
    );
    expect(checkTruths(setOf('a', ROWS), 'auto', true).status).toBe('ok');
  });
});

describe('two data sets', () => {
  it('pass where they hold the same problems in the same order', () => {
    const statuses = Object.values(pairOf(ROWS, ROWS)).map(([status]) => status);
    expect(statuses).toEqual(['ok', 'ok', 'ok']);
  });

  it('fail at the first row where their orders part', () => {
    const [first, second, ...others] = ROWS;
    expect(pairOf(ROWS, [first ?? {}, ...others, second ?? {}])['order a, b']).toEqual([
      'FAIL',
      'They come in another order: from row 2 ("p2") against row 2 ("p3") on. Shuffle once, before the data sets are made.',
    ]);
  });

  it('fail by what only one has, with examples', () => {
    expect(pairOf(ROWS, [...ROWS.slice(1), { prompt_id: 'new' }])['ids a, b']).toEqual([
      'FAIL',
      expect.stringContaining(
        '3 problems are in both, 1 only in a (first: "p1"), 1 only in b (first: "new")',
      ),
    ]);
    const apart = pairOf(ROWS, [{ prompt_id: 'q' }]);
    expect(apart).toEqual({
      'ids a, b': ['FAIL', expect.stringContaining('no problem in common ("p1" against "q")')],
    });
  });

  it('fail where one id has two truths, and not where one truth is spelled in two ways', () => {
    const spelled = (truth: string) => [{ prompt_id: 'p', ground_truth: truth }];
    expect(pairOf(spelled('0.5'), spelled('\\frac{1}{2}'))['truths a, b']?.[0]).toBe('ok');
    expect(pairOf(spelled('72'), spelled('So 70 + 2.\n#### 72'))['truths a, b']?.[0]).toBe('ok');
    expect(pairOf(spelled('72'), spelled('73'))['truths a, b']).toEqual([
      'FAIL',
      expect.stringContaining('"p", "72" against "73"'),
    ]);
  });

  it('are worth a word where texts differ, unless one agent is to see another view', () => {
    const other = ROWS.map((row) => ({ ...row, prompt: `Anew: ${row.prompt}` }));
    expect(pairOf(ROWS, other)['texts a, b']?.[0]).toBe('warn');
    expect(pairOf(ROWS, other, { sameView: false })).not.toHaveProperty('texts a, b');
  });

  it('only warn where nobody waits', () => {
    const apart = pairOf(ROWS, [...ROWS].reverse(), { waits: false });
    expect(apart['order a, b']?.[0]).toBe('warn');
  });

  it('leave rows for evaluation out', () => {
    const marked = [...ROWS, { prompt_id: 'e', split: 'test', answer: '1' }];
    expect(pairOf(marked, ROWS)['ids a, b']?.[0]).toBe('ok');
  });
});

describe('seeds', () => {
  const seeds = (one: number, other: number) =>
    new Map([
      ['a', one],
      ['b', other],
    ]);

  it('fail where they shuffle apart, and are worth a word where they may sample alike', () => {
    expect(checkSeeds(['a', 'b'], seeds(1, 2), 'shuffle').status).toBe('FAIL');
    expect(checkSeeds(['a', 'b'], seeds(1, 1), 'shuffle').status).toBe('warn');
    expect(checkSeeds(['a', 'b'], new Map([['', 1]]), 'file').status).toBe('warn');
    expect(checkSeeds(['a', 'b'], seeds(1, 2), 'file').status).toBe('ok');
    expect(checkSeeds(['a', 'b'], new Map([['a', 1]]), 'file').status).toBe('skip');
  });
});

describe('files', () => {
  it('are CSV with commas, quotes and line ends in quotes', () => {
    expect(parseCsv('\ufeffid,text\r\n1,"a ""b"", c\nd"\r\n\r\n2,\n3,x')).toEqual([
      { id: '1', text: 'a "b", c\nd' },
      { id: '2', text: '' },
      { id: '3', text: 'x' },
    ]);
    expect(parseCsv('id,text\n1,')).toEqual([{ id: '1', text: '' }]);
    expect(parseCsv('')).toEqual([]);
  });

  it('are JSONL or a JSON list, and say which line is neither', async () => {
    const read = (text: string) => readTable('-', Readable.from([text]));
    expect(await read('{"a":1}\n\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await read('[\n{"a":1}]')).toEqual([{ a: 1 }]);
    await expect(read('{"a":1}\nno')).rejects.toThrow('line 2 is no JSON');
    await expect(read('[1]')).rejects.toThrow(TableError);
    await expect(readTable('x.parquet', Readable.from([]))).rejects.toThrow('python -m peervote doctor');
  });

  it('go to the agent that they name, else that they are called after, else that has none', () => {
    const assign = (files: string[], agents: string[] | null) => assignAgents(files.map(parseSource), agents);
    expect(assign(['x.jsonl', 'llama.jsonl.gz'], ['qwen', 'llama'])).toEqual(['qwen', 'llama']);
    expect(assign(['gemma=x.csv', 'y.jsonl'], null)).toEqual(['gemma', 'y']);
  });
});
