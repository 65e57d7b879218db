import { describe, expect, it } from 'vitest';
import { encodeNotice, readMessage } from '../../../../src/store/redis/notices.ts';

describe('a notice on its way', () => {
  it('is read as it was sent, with its sender', () => {
    const notices = [
      { kind: 'decided', cohort: 'c', ref: { promptId: 'p "\ud83d', round: 2 } },
      { kind: 'restarted', cohort: 'c', agent: 'a', incarnation: 'i-2' },
      { kind: 'deleted', cohort: 'c' },
    ] as const;
    const text = `["me",${notices.map(encodeNotice).join(',')}]`;
    expect(readMessage(text)).toEqual({ origin: 'me', notices });
    expect(readMessage('["me"]')).toEqual({ origin: 'me', notices: [] });
  });

  it.each(['', 'no json', '{}', '[]', '[1]', 'null'])('is passed over when it is none: %j', (text) => {
    expect(readMessage(text)).toBeNull();
  });

  it.each([
    '["me",["decided","c","p"]]',
    '["me",["decided","c","p","0"]]',
    '["me",["restarted","c","a",1]]',
    '["me",["deleted",1]]',
    '["me",["from a newer version","c","x"]]',
    '["me",7]',
  ])('loses what is not understood, and nothing else: %s', (text) => {
    expect(readMessage(text)).toEqual({ origin: 'me', notices: [] });
  });
});
