import { describe, expect, it } from 'vitest';
import { openService, wholeGroup } from '../../support/service.ts';

describe('agents that others wait for', () => {
  it('are told with their prompts and since when, each prompt once however many wait for it', async () => {
    const scene = await openService({ agents: ['a', 'b', 'c'], supervision: { kind: 'peer-majority' } });
    const start = scene.clock.now();
    await scene.record('a', [wholeGroup('p', ['1', '1'])]);
    await scene.advance(1_000);
    await scene.record('b', [wholeGroup('p', ['1', '1']), wholeGroup('q', ['2', '2'])]);
    await scene.caretaker.watch();
    expect(scene.caretaker.awaited('test')).toEqual(
      expect.arrayContaining([
        { agent: 'c', prompts: 2, since: start },
        { agent: 'a', prompts: 1, since: start + 1_000 },
      ]),
    );
    expect(scene.caretaker.awaited('test')).toHaveLength(2);
  });

  it('are nobody once they have sent', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['1', '1'])]);
    await scene.caretaker.watch();
    expect(scene.caretaker.awaited('test').map(({ agent }) => agent)).toEqual(['b']);
    await scene.record('b', [wholeGroup('p', ['1', '1'])]);
    await scene.caretaker.watch();
    expect(scene.caretaker.awaited('test')).toEqual([]);
  });
});
