import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLOAT_KEYS, stringifyWithFloats } from '../../../src/protocol/float-json.ts';

const NO_KEYS: ReadonlySet<string> = new Set();

/** Any UTF-16, lone surrogates too, as model output may hold them. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes));
const anyKey = fc.oneof(fc.constantFrom(...FLOAT_KEYS, 'step', '__proto__'), anyText);
const anyNumber = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, undefined, true, false),
    anyNumber,
    anyText,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(anyKey, tie('value'), { maxKeys: 5 }),
  ),
}));

describe('stringifyWithFloats', () => {
  it.each([
    [{ rewards: [1, 0, -0, 0.5, -2] }, '{"rewards":[1.0,0.0,0.0,0.5,-2.0]}'],
    [{ step: 1, metrics: { a: { b: [3] } } }, '{"step":1,"metrics":{"a":{"b":[3.0]}}}'],
    [[{ reward: 1, index: 1 }, { reward: null }], '[{"reward":1.0,"index":1},{"reward":null}]'],
    [
      { score: 1e21, share: 1e-7, threshold: 2 ** 53 },
      '{"score":1e+21,"share":1e-7,"threshold":9007199254740992.0}',
    ],
    [{ a: undefined, b: [undefined, () => 1], c: {} }, '{"b":[null,null],"c":{}}'],
  ])('writes the numbers below a float key as floats and no others: %j', (value, text) => {
    expect(stringifyWithFloats(value, FLOAT_KEYS)).toBe(text);
  });

  it('reads back as what JSON.stringify would have sent', () => {
    fc.assert(
      fc.property(
        anyValue.filter((value) => value !== undefined),
        (value) => {
          const plain: unknown = JSON.parse(JSON.stringify(value));
          expect(JSON.parse(stringifyWithFloats(value, FLOAT_KEYS))).toEqual(plain);
        },
      ),
    );
  });

  it('is JSON.stringify to the letter where no key asks for floats', () => {
    fc.assert(
      fc.property(
        anyValue.filter((value) => value !== undefined),
        (value) => {
          expect(stringifyWithFloats(value, NO_KEYS)).toBe(JSON.stringify(value));
        },
      ),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('never writes %d', (number) => {
    expect(() => stringifyWithFloats({ rewards: [1, number] }, FLOAT_KEYS)).toThrow(`rewards is ${number}`);
    expect(() => stringifyWithFloats({ step: number }, FLOAT_KEYS)).toThrow(RangeError);
  });

  it.each([undefined, 1n, Symbol('x')])('refuses a value that has no JSON text', (value) => {
    expect(() => stringifyWithFloats(value, FLOAT_KEYS)).toThrow(TypeError);
  });

  it('gives Python floats for every reward, score and extra log', () => {
    const text = stringifyWithFloats(
      {
        rewards: [1, 0, 0.25],
        scores: [1, 1e21, -3],
        extra_logs: { labeled: [1, 1, 0], staleness: [0, 2, 1] },
        step: 4,
      },
      FLOAT_KEYS,
    );
    const script = [
      'import json, sys',
      'reply = json.load(sys.stdin)',
      'numbers = reply["rewards"] + reply["scores"] + sum(reply["extra_logs"].values(), [])',
      'assert all(isinstance(x, float) for x in numbers), numbers',
      'assert isinstance(reply["step"], int), reply["step"]',
      'print(len(numbers))',
    ].join('\n');
    const python = spawnSync('python3', ['-c', script], { input: text, encoding: 'utf8' });
    expect(python.stderr).toBe('');
    expect(python.stdout.trim()).toBe('12');
  });
});
