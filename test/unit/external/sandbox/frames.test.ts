import { describe, expect, it } from 'vitest';
import {
  type FrameKind,
  FrameReader,
  writeFrame,
  writeJson,
} from '../../../../src/external/sandbox/frames.ts';
import { readMessage } from '../../../../src/external/sandbox/messages.ts';

function readAll(chunks: readonly Buffer[], longest = 1_000) {
  const frames: [FrameKind, string][] = [];
  let breaches = 0;
  const reader = new FrameReader({
    longest: () => longest,
    onFrame: (kind, body) => frames.push([kind, body.toString()]),
    onBreach: () => {
      breaches += 1;
    },
  });
  for (const chunk of chunks) reader.take(chunk);
  return { frames, breaches };
}

describe('frames on a pipe', () => {
  const all = Buffer.concat([writeJson({ a: 'é' }), writeFrame('bytes', Buffer.from('xyz')), writeJson({})]);
  const frames = [
    ['json', '{"a":"é"}'],
    ['bytes', 'xyz'],
    ['json', '{}'],
  ];

  it.each([1, 2, 5, 7, 1_000])('come out as they went in, however they are cut: %i bytes', (size) => {
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
      all.subarray(at * size, (at + 1) * size),
    );
    expect(readAll(chunks)).toEqual({ frames, breaches: 0 });
  });

  it('that are too long, or of no kind, end the reading before they are held', () => {
    const huge = Buffer.from([0, 255, 255, 255, 255]);
    expect(readAll([writeJson({}), huge, writeJson({})])).toEqual({ frames: [['json', '{}']], breaches: 1 });
    expect(readAll([Buffer.from('{"kind":"ready"}')])).toEqual({ frames: [], breaches: 1 });
  });
});

describe('a message of a worker', () => {
  const DONE = { kind: 'done', id: 1, ending: 'returned', text: '{}', ms: 1.5, isSuspect: false } as const;

  it.each([
    { kind: 'ready' },
    { kind: 'running', id: 3 },
    { kind: 'line', id: 3, text: 'x' },
    { kind: 'image', entry: 12 },
    DONE,
  ] as const)('of a known shape is read: %j', (message) => {
    expect(readMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    '',
    'null',
    '[]',
    '{"kind":"other","id":1}',
    '{"kind":"line","id":1}',
    '{"kind":"line","id":-1,"text":""}',
    '{"kind":"image","entry":"1"}',
    JSON.stringify({ ...DONE, ending: 'timeout' }),
    JSON.stringify({ ...DONE, ms: -1 }),
    JSON.stringify({ ...DONE, isSuspect: 1 }),
  ])('of any other is none: %s', (text) => {
    expect(readMessage(text)).toBeNull();
  });

  it('brings nothing along that it should not hold', () => {
    expect(readMessage(JSON.stringify({ ...DONE, extra: 1, __proto__: { a: 1 } }))).toEqual(DONE);
  });
});
