import { describe, expect, it } from 'vitest';
import { TurnQueue } from '../../../../src/external/sandbox/turn-queue.ts';

describe('a queue in turns', () => {
  it('takes one of each owner after the other, and of each the oldest', () => {
    const queue = new TurnQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0] ?? '', item);
    expect(queue.size).toBe(6);
    expect(Array.from({ length: 7 }, () => queue.take())).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'b2',
      'a3',
      undefined,
    ]);
    expect(queue.size).toBe(0);
  });

  it('lets who comes late wait for no more than the one before', () => {
    const queue = new TurnQueue<string>();
    for (let n = 0; n < 30; n += 1) queue.add('a', `endless ${n}`);
    queue.take();
    queue.add('b', 'honest');
    expect([queue.take(), queue.take()]).toContain('honest');
    expect(queue.drain()).toHaveLength(28);
    expect(queue.take()).toBeUndefined();
  });
});
