import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSpan } from '../../../../src/external/rephrase/json-span.ts';
import { type FieldNames, type Row, readRow, writeRow } from '../../../../src/external/rephrase/row.ts';

const ANY: FieldNames = { text: null, id: null };

function rowOf(json: string, fields: FieldNames = ANY): Row {
  const read = readRow(json, fields);
  if (read.kind === 'invalid') throw new Error(read.reason);
  return read.row;
}

describe('a row of a data set', () => {
  it.each([
    ['{"prompt": "p", "question": "q", "id": 7}', 'p', '7'],
    ['{"question": "q", "prompt_id": "a", "id": "b"}', 'q', 'a'],
    ['{"problem": "x"}', 'x', null],
    ['{"prompt": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]}', 'u', null],
  ])('is read from %s', (json, text, id) => {
    expect(rowOf(json)).toMatchObject({ text, id });
  });

  it('is read from the fields that are named', () => {
    const json = '{"prompt": "p", "body": "b", "id": 1, "key": "k"}';
    expect(rowOf(json, { text: 'body', id: 'key' })).toMatchObject({ text: 'b', id: 'k' });
  });

  it.each([
    ['{', 'this line is not JSON'],
    ['[1]', 'expected an object'],
    ['{"text": "x"}', 'none of the fields prompt, question'],
    ['{"prompt": " "}', 'neither a text nor messages'],
    ['{"prompt": [{"role": "system", "content": "s"}]}', 'neither a text nor messages'],
    ['{"prompt": 3}', 'neither a text nor messages'],
  ])('is refused for %s', (json, reason) => {
    expect(readRow(json, ANY)).toEqual({ kind: 'invalid', reason: expect.stringContaining(reason) });
  });

  it('changes in its text and its mark alone, to the byte', () => {
    const json =
      '{ "id": 12345678901234567890, "x": 1.0,  "prompt" : "a\\u0041 \\"b\\"" , "y": {"prompt": "z"}}';
    expect(writeRow(rowOf(json), 'new "text"')).toBe(
      '{ "id": 12345678901234567890, "x": 1.0,  "prompt" : "new \\"text\\"" , "y": {"prompt": "z"}, "rephrased": true}',
    );
    expect(writeRow(rowOf(json), null)).toBe(`${json.slice(0, -1)}, "rephrased": false}`);
  });

  it('is marked anew where it is marked already', () => {
    expect(writeRow(rowOf('{"prompt": "p", "rephrased": true, "z": 0}'), null)).toBe(
      '{"prompt": "p", "rephrased": false, "z": 0}',
    );
  });

  it('has only the last message of the user changed', () => {
    const json =
      '{"prompt": [{"role": "user", "content": "one"}, {"content": "two", "role": "user"}, {"role": "assistant", "content": "three"}]}';
    expect(
      JSON.parse(writeRow(rowOf(json), 'new')).prompt.map(({ content }: { content: string }) => content),
    ).toEqual(['one', 'new', 'three']);
  });

  it('stays the same content but for its text, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
        fc.string(),
        fc.integer({ min: 0, max: 2 }),
        (others, text, rewrite, indent) => {
          const content = { ...others, prompt: text };
          const json = JSON.stringify(content, null, indent).replaceAll('\n', ' ');
          const written = JSON.parse(writeRow(rowOf(json), rewrite));
          expect(written).toEqual({ ...JSON.parse(json), prompt: rewrite, rephrased: true });
        },
      ),
    );
  });
});

describe('a place in a JSON text', () => {
  it.each([
    ['{"a": [1, {"b": "x"}]}', ['a', 1, 'b'], '"x"'],
    ['{"a": 1, "a": 2}', ['a'], '2'],
    ['{"\\u0061": [ ]}', ['a'], '[ ]'],
    ['[ [], {} ]', [1], '{}'],
    ['{"a": "]}"}', ['a'], '"]}"'],
  ])('is found in %s', (json, path, value) => {
    const span = findSpan(json, path);
    expect(span && json.slice(span.start, span.end)).toBe(value);
  });

  it.each([
    ['{"a": 1}', ['b']],
    ['{"a": 1}', ['a', 'b']],
    ['[1]', [1]],
    ['{}', ['a']],
  ])('is not found in %s where it is not', (json, path) => {
    expect(findSpan(json, path)).toBeNull();
  });
});
