import { describe, expect, it } from 'vitest';
import { Redaction } from '../../../src/observability/redaction.ts';

describe('a redaction', () => {
  it('takes out a secret as it is, as URLs write it and as JSON does', () => {
    const secret = 'p/w "@ä\\';
    const { clean } = new Redaction([secret]);
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret)]) {
      const text = clean(`before ${form} after`);
      expect(text).toMatch(/^before "?\*\*\*"? after$/);
    }
  });

  it('takes the longer one where one secret is a part of another', () => {
    const { clean } = new Redaction(['hunter', 'hunter2']);
    expect(clean('hunter2 hunter')).toBe('*** ***');
  });

  it.each([
    ['redis://u:p@h:1/2', 'redis://***@h:1/2'],
    ['see rediss://:p/w@x@h, there', 'see rediss://***@h, there'],
    ['{"url":"http://u:p@h/x","at":"a@b"}', '{"url":"http://***@h/x","at":"a@b"}'],
    ['http://h/x and a@b', 'http://h/x and a@b'],
  ])('takes out who logs in in a URL that it was not told of: %s', (text, clean) => {
    expect(new Redaction().clean(text)).toBe(clean);
  });

  it('leaves what is too short to be told from other text', () => {
    expect(new Redaction(['abc', '']).clean('abc abcd')).toBe('abc abcd');
  });

  it('is quick over text that nearly has a URL in it everywhere', () => {
    const started = performance.now();
    new Redaction(['hunter2']).clean('a://'.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
