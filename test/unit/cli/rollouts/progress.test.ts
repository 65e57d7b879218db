import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { barProgress } from '../../../../src/cli/rollouts/progress.ts';

/** What a terminal is to a bar: a stream that can be written to and has a width. */
function fakeTerminal() {
  let text = '';
  const stream = new Writable({
    write: (piece, _, done) => {
      text += String(piece);
      done();
    },
  });
  const terminal = Object.assign(stream, { isTTY: true, columns: 120 }) as unknown as NodeJS.WriteStream;
  return { terminal, text: () => text };
}

describe('the bar', () => {
  it('shows the share that is done, and of stdin the megabytes', () => {
    const known = fakeTerminal();
    const bar = barProgress(known.terminal, 'reading', 200);
    bar.read(50);
    bar.read(50);
    bar.end();
    expect(known.text()).toContain('reading');
    expect(known.text()).toContain('50 %');
    const unknown = fakeTerminal();
    const counter = barProgress(unknown.terminal, 'reading', null);
    counter.read(3_400_000);
    counter.end();
    expect(unknown.text()).toContain('3.4 MB');
  });
});
