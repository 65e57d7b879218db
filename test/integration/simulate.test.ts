import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulate } from '../../src/cli/simulate/simulate.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peervote-simulate-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = async (preset: string | undefined, raw: Record<string, string>, files = {}, json = false) => {
  let [stdout, stderr] = ['', ''];
  const code = await simulate(preset, raw, {
    json,
    ...files,
    colors: false,
    print: (text) => {
      stdout += text;
    },
    complain: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
};

describe('peervote simulate', () => {
  it('shows that self-voting reaches 0.5 and Co-RL 1 in the toy, as text, JSON and pictures', async () => {
    const [svg, png] = [join(folder, 'toy.svg'), join(folder, 'toy.png')];
    const { stdout } = await run('toy', {}, { svg, png });
    expect(stdout).toContain('In the limit self-voting reaches 0.5, Co-RL reaches 1.');
    expect(stdout).not.toContain('\u001b');
    const drawn = await readFile(svg, 'utf8');
    expect(drawn.startsWith('<svg') && drawn.includes('Co-RL') && drawn.endsWith('</svg>')).toBe(true);
    expect((await readFile(png)).subarray(1, 4).toString()).toBe('PNG');
    const report = JSON.parse((await run('toy', {}, {}, true)).stdout);
    expect(report.tables[0].rows.map((row: unknown[]) => row[3])).toEqual([0.5, 1]);
  });

  it('shows that the direction of a ring decides', async () => {
    const { stdout } = await run('ring', { k: '15' });
    expect(stdout).toContain('K = 15, predecessor: All agents unlearn it (limit 0).');
    expect(stdout).toContain('K = 15, successor: All agents learn the right answer (limit 1).');
  });

  it('refuses a start on the separatrix by name, and says where it runs', async () => {
    const { code, stderr } = await run(undefined, { start: '0.7,0.3' });
    expect(code).toBe(2);
    expect(stderr).toContain('separatrix');
    expect(stderr).toContain('0.300000 of agent 2');
  });

  it.each([
    { raw: { start: '0.7,1.3' }, says: '--start (number 2 of it)' },
    { preset: 'toy', raw: { k: '0' }, says: '--k' },
    { raw: { start: '0.7,0.2', k: '8,8,8' }, says: 'one for each of the 2 agents' },
    { raw: { start: '0.7' }, says: 'has no peer' },
    { preset: 'population', raw: { problems: '10' }, files: { svg: 'never.svg' }, says: 'no chart' },
    { raw: {}, says: 'Name a preset' },
  ])('refuses $preset $raw with a sentence', async ({ preset, raw, files, says }) => {
    const { code, stdout, stderr } = await run(preset, raw, files);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
  });
});
