import { afterAll, describe, expect, it } from 'vitest';
import { type Answered, RolloutFolder, toLines } from '../support/rollout-files.ts';
import { GROUPS, runScore } from '../support/scored.ts';

const folder = new RolloutFolder();
afterAll(() => folder.remove());

describe('peervote score, given what it cannot take,', () => {
  it('names a bad line by its file and place, and leaves it out only when told to', async () => {
    const lines = toLines(GROUPS).split('\n');
    const file = await folder.write(
      'bad.jsonl',
      [...lines.slice(0, 2), '{"prompt_id":"p1"', '', lines[0], ...lines.slice(2)].join('\n'),
    );
    const refused = await runScore([file]);
    expect(refused.code).toBe(2);
    expect(refused.errors).toContain(`${file}:3: this line is not JSON`);
    const { result } = await runScore([file], { skipBad: true });
    expect(result.read).toMatchObject({ lines: 18, rollouts: 16, bad_lines: 2 });
    expect(result.read.first_bad[1]).toMatch(
      /bad\.jsonl:5: rollout 0 of agent a for prompt p1, round 0, was read before/,
    );
  });

  it('refuses a prompt with two truths, whichever row has the second', async () => {
    const groups = [...GROUPS.slice(0, 3), { ...(GROUPS[3] as Answered), gold: '7' }];
    const { errors } = await runScore([await folder.write('truths.jsonl', toLines(groups))]);
    expect(errors).toMatch(/truths\.jsonl:13: the truth "7" is not that of an earlier row, "0\.5"/);
  });

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
    const { code, errors } = await runScore([await folder.write('refused.jsonl', toLines(GROUPS))], raw);
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses to write rewards where it cannot', async () => {
    for (const name of ['none/rewards.jsonl', 'none/rewards.jsonl.gz']) {
      const raw = { method: 'ttrl', rewards: await folder.path(name) };
      const { code, errors } = await runScore([await folder.write('unwritten.jsonl', toLines(GROUPS))], raw);
      expect([code, errors]).toEqual([2, expect.stringContaining('ENOENT')]);
    }
  });

  it('refuses files that are not there, and files without a rollout', async () => {
    expect((await runScore([await folder.path('none.jsonl')])).errors).toContain('ENOENT');
    expect((await runScore([await folder.write('empty.jsonl', '\n')])).errors).toContain('no rollout');
    expect((await runScore([await folder.write('not.jsonl.gz', '')])).code).toBe(2);
  });
});
