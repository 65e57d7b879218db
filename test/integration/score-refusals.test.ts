import { afterAll, describe, expect, it } from 'vitest';
import { score } from '../../src/cli/score/score.ts';
import { type Answered, RolloutFolder, testTerminal, toLines } from '../support/rollout-files.ts';

const folder = new RolloutFolder();
afterAll(() => folder.remove());

const GROUPS: readonly Answered[] = [
  { prompt: 'p1', agent: 'a', answers: ['4', '5'], gold: '4' },
  { prompt: 'p1', agent: 'b', answers: ['5', '4'], gold: '4' },
];

async function run(files: readonly string[], raw: Record<string, unknown> = {}) {
  const terminal = testTerminal();
  const code = await score(files, { mode: 'boxed', ...raw }, 'json', terminal);
  return { code, errors: terminal.errors.join('') };
}

describe('peervote score', () => {
  it.each([
    [{ method: 'rent' }, 'method rent: "mean_entropy or token_entropies" is missing'],
    [{ method: 'best' }, 'method: expected'],
    [{ method: 'co-rl', set: ['vote.treshold=1'] }, 'vote.treshold: unknown key'],
    [{ method: 'co-rl', set: ['vote'] }, '--set (number 1 of it): "vote" is not KEY=VALUE'],
    [{ rewards: 'x.jsonl' }, '--rewards needs a method'],
    [{ maj: '0' }, '--maj'],
    [{ fields: 'truth=x' }, '--fields: "truth=x" names no field'],
    [{ mode: 'boxes' }, 'answers.mode'],
  ])('refuses %j with what to do', async (raw, message) => {
    const { code, errors } = await run([await folder.write('refused.jsonl', toLines(GROUPS))], raw);
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses to write rewards where it cannot', async () => {
    for (const name of ['none/rewards.jsonl', 'none/rewards.jsonl.gz']) {
      const raw = { method: 'ttrl', rewards: await folder.path(name) };
      const { code, errors } = await run([await folder.write('unwritten.jsonl', toLines(GROUPS))], raw);
      expect([code, errors]).toEqual([2, expect.stringContaining('ENOENT')]);
    }
  });

  it('refuses files that are not there, and files without a rollout', async () => {
    expect((await run([await folder.path('none.jsonl')])).errors).toContain('ENOENT');
    expect((await run([await folder.write('empty.jsonl', '\n')])).errors).toContain('no rollout');
    expect((await run([await folder.write('not.jsonl.gz', '')])).code).toBe(2);
  });
});
