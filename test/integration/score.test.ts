import { readFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { score } from '../../src/cli/score/score.ts';
import { RolloutFolder, testTerminal, toLines } from '../support/rollout-files.ts';
import { GROUPS, runScore } from '../support/scored.ts';

const folder = new RolloutFolder();
afterAll(() => folder.remove());

const rate = (numerator: number, denominator: number) => ({
  value: numerator / denominator,
  numerator,
  denominator,
});

describe('peervote score', () => {
  it('tells of each agent what its rollouts and its votes are worth, with denominators', async () => {
    const { result } = await runScore([await folder.write('own.jsonl', toLines(GROUPS))]);
    expect(result.read).toMatchObject({
      lines: 16,
      rollouts: 16,
      prompts: 2,
      prompts_with_truth: 2,
      bad_lines: 0,
    });
    expect(result.agents[0]).toMatchObject({
      agent: 'a',
      groups: 2,
      figures: {
        accuracy: rate(4, 8),
        label_accuracy: rate(2, 2),
        parseable_fraction: rate(7, 8),
        vote_tie_rate: rate(1, 2),
        pass_at_k: rate(2, 2),
      },
    });
    expect(result.agents[1].figures).toMatchObject({ accuracy: rate(5, 8), label_accuracy: rate(1, 2) });
    expect(result.agents[0].figures).not.toHaveProperty('reward_mean');
    expect(result.cohort).toBeNull();
  });

  it('tells of two agents what a sample of each says of the other, and of an agent against itself', async () => {
    const { result } = await runScore([await folder.write('pairs.jsonl', toLines(GROUPS))]);
    const find = (agent: string, peer: string, basis: string) =>
      result.pairs.find(
        (pair: Record<string, string>) => pair.agent === agent && pair.peer === peer && pair.basis === basis,
      ).figures;
    // p1: 2/4 and 1/4 right; p2: 2/4 and 4/4.
    expect(find('a', 'b', 'sample')).toMatchObject({
      complementarity: { value: (0.5 + 0.5) / 2, denominator: 2 },
      oracle: { value: expect.closeTo((1 - 0.5 * 0.75 + 1) / 2, 9) },
      both_wrong_same: { value: expect.closeTo((1 * 3) / 16 / 2, 9) },
      agreement: { value: expect.closeTo(((2 * 1 + 1 * 3) / 16 + 8 / 16) / ((12 + 16) / 16), 9) },
    });
    expect(find('b', 'b', 'sample').agreement.value).toBeCloseTo((6 / 12 + 1) / 2, 9);
    expect(find('a', 'b', 'label')).toMatchObject({
      agreement: rate(1, 2),
      label_complementarity: rate(1, 2),
    });
  });

  it('votes at a matched budget: k answers of one agent, or of a pool of both', async () => {
    const { result } = await runScore([await folder.write('maj.jsonl', toLines(GROUPS))], { maj: '1,4' });
    const rows = result.maj_at_k.map(({ agents, k, score: value, prompts }: Record<string, unknown>) => [
      agents,
      k,
      value,
      prompts,
    ]);
    // Of the 36 ways to take two of each, 13.5 are right in p1 and 33 in p2, a tie being half.
    expect(rows).toEqual([
      [['a'], 1, 0.5, 2],
      [['b'], 1, 0.625, 2],
      [['a', 'b'], 1, 0.5625, 2],
      [['a'], 4, 0.75, 2],
      [['b'], 4, 0.5, 2],
      [['a', 'b'], 4, expect.closeTo((13.5 + 33) / 72, 9), 2],
    ]);
  });

  it('pays what the method would, as columns and as a file of floats', async () => {
    const rewards = await folder.path('rewards.jsonl.gz');
    const { result } = await runScore([await folder.write('paid.jsonl', toLines(GROUPS))], {
      method: 'co-rl',
      set: ['vote.tie=discard', 'unlabeled_reward=null'],
      rewards,
    });
    expect(result.cohort).toMatchObject({
      method: 'co-rl',
      agents: [
        { name: 'a', k: 4 },
        { name: 'b', k: 4 },
      ],
    });
    const lines = gunzipSync(await readFile(rewards))
      .toString()
      .trim()
      .split('\n');
    expect(lines).toHaveLength(16);
    expect(lines[0]).toContain('"reward":0.0');
    const rows = lines.map((line) => JSON.parse(line));
    const rewardsOf = (prompt: string, agent: string) =>
      rows.filter((row) => row.prompt_id === prompt && row.agent === agent).map((row) => row.reward);
    expect(rewardsOf('p1', 'a')).toEqual([0, 0, 1, 0]);
    expect(rewardsOf('p1', 'b')).toEqual([0, 0, 1, 0]);
    expect(rewardsOf('p2', 'a')).toEqual([1, 1, 0, 0]);
    // a's vote is tied and discarded, so b's rollouts are masked.
    expect(rewardsOf('p2', 'b')).toEqual([null, null, null, null]);
    expect(result.agents[0].figures.reward_mean).toEqual(rate(3, 8));
    expect(result.agents[1].figures.unlabeled_fraction).toEqual(rate(1, 2));
  });

  it('takes the order of a ring from --agents, which must name whose rollouts there are', async () => {
    const third = GROUPS.filter(({ agent }) => agent === 'b').map((group) => ({ ...group, agent: 'c' }));
    const file = await folder.write('ring.jsonl', toLines([...GROUPS, ...third]));
    const teacherOf = async (agents?: string) => {
      const rewards = await folder.path('ring-rewards.jsonl');
      await runScore([file], { method: 'co-rl', rewards, ...(agents !== undefined && { agents }) });
      const [first = ''] = (await readFile(rewards, 'utf8')).split('\n');
      const { agent, teachers } = JSON.parse(first);
      return `${agent} < ${teachers}`;
    };
    expect([await teacherOf(), await teacherOf('a,c,b')]).toEqual(['a < c', 'a < b']);
    expect((await runScore([file], { method: 'co-rl', agents: 'a,b' })).errors).toContain('has no agent c');
  });

  it('takes the cohort of a configuration file', async () => {
    const config = await folder.write(
      'cohorts.yaml',
      'cohorts: {one: {agents: [b, a], k: 4, supervision: pooled, answers: {mode: boxed}}, two: {agents: [a, b]}}',
    );
    const file = await folder.write('cohort.jsonl', toLines(GROUPS));
    const { result } = await runScore([file], { config, cohort: 'one' });
    expect(result.cohort).toMatchObject({ supervision: 'pooled' });
    expect(result.agents.map(({ agent }: { agent: string }) => agent)).toEqual(['b', 'a']);
    expect((await runScore([file], { config })).errors).toContain('choose one with --cohort');
  });

  it('gives the same figures in any order of the lines, packed, in parts, and from stdin', async () => {
    const text = toLines(GROUPS);
    const lines = text.split('\n');
    const whole = await runScore([await folder.write('whole.jsonl', text)]);
    const packed = await runScore([await folder.write('whole.jsonl.gz', `${text}\n`)]);
    const turned = await runScore([
      await folder.write('turned.jsonl', [...lines.slice(0, 4), ...lines.slice(4).reverse()].join('\r\n')),
    ]);
    const parts = await runScore(
      [await folder.write('part.jsonl', lines.slice(0, 7).join('\n')), '-'],
      {},
      lines.slice(7).join('\n'),
    );
    for (const { result } of [packed, turned, parts]) expect(result).toEqual(whole.result);
  });

  it('tells its progress in bytes as they are on the disk, up to all of them', async () => {
    const told: (number | null | string)[] = [];
    const file = await folder.write('progress.jsonl.gz', toLines(GROUPS));
    const bytes = (await stat(file)).size;
    let read = 0;
    const progress = (what: string, total: number | null) => {
      told.push(what, total);
      return { read: (more: number) => (read += more), end: () => told.push('end') };
    };
    await score([file], {}, 'json', { ...testTerminal(), progress });
    expect([told, read]).toEqual([['reading', bytes, 'end'], bytes]);
    await score(['-'], {}, 'json', { ...testTerminal(toLines(GROUPS)), progress });
    expect(told.slice(3)).toEqual(['reading', null, 'end']);
  });

  it('says whose rollouts a dump holds, and counts visits by the steps in it', async () => {
    const dump = (answers: readonly string[], step: number) =>
      answers
        .map((output) => JSON.stringify({ input: 'user 1+1?', output: `\\boxed{${output}}`, gts: '2', step }))
        .join('\n');
    const { result } = await runScore([
      `q=${await folder.write('q.jsonl', `${dump(['2', '2'], 40)}\n${dump(['3', '2'], 10)}`)}`,
      `l=${await folder.write('l.jsonl', `${dump(['2', '3'], 7)}\n${dump(['2', '2'], 9)}`)}`,
    ]);
    expect(result.agents).toMatchObject([
      { agent: 'q', groups: 2, figures: { accuracy: rate(3, 4) } },
      { agent: 'l', groups: 2, figures: { accuracy: rate(3, 4) } },
    ]);
    expect(result.notes).toEqual([]);
  });

  it('takes a sample of lm-eval once, whatever the number of its filters', async () => {
    const sample = (filter: string, doc: number) =>
      JSON.stringify({ doc_id: doc, target: '4', resps: [['\\boxed{4}', '\\boxed{5}']], filter });
    const { result } = await runScore([
      await folder.write(
        'samples.jsonl',
        [sample('strict', 0), sample('loose', 0), sample('strict', 1)].join('\n'),
      ),
    ]);
    expect(result.read).toMatchObject({ lines: 3, rollouts: 4, prompts: 2, repeated_under_filters: 1 });
  });

  it('bounds complementarity where there is no truth', async () => {
    const file = await folder.write('bare.jsonl', toLines(GROUPS.map(({ gold, ...group }) => group)));
    const { result } = await runScore([file]);
    const [, pair] = result.pairs;
    expect(pair.figures.complementarity).toEqual({ value: null, numerator: 0, denominator: 0 });
    expect(pair.figures.complementarity_bound.value).toBeCloseTo(1 - (5 / 16 + 8 / 16) / 2, 9);
    const terminal = testTerminal();
    await score([file], { mode: 'boxed' }, 'table', terminal);
    expect(terminal.out.join('')).toContain('Bound of c without a truth');
    expect(terminal.out.join('')).not.toContain('accuracy');
  });

  it('tells people when the mode finds nothing, and when agents share no prompt', async () => {
    const { result } = await runScore([
      await folder.write(
        'notes.jsonl',
        toLines([
          { prompt: 'p1', agent: 'a', answers: [null, null, '4'] },
          { prompt: 'p2', agent: 'b', answers: ['4'] },
        ]),
      ),
    ]);
    expect(result.notes).toEqual([
      expect.stringContaining('finds no answer in most rollouts of a'),
      expect.stringContaining('No prompt in common: a and b'),
      'Groups differ in size: a 3, b 1 rollouts.',
      expect.stringContaining('maj@1 has no prompt'),
    ]);
  });

  it('has a place in the documentation for every figure', async () => {
    const docs = await readFile(new URL('../../docs/score.md', import.meta.url), 'utf8');
    const { result } = await runScore([await folder.write('docs.jsonl', toLines(GROUPS))], {
      method: 'ttrl',
    });
    const figures = [
      ...result.agents,
      ...result.pairs.filter(({ basis }: { basis: string }) => basis === 'sample'),
    ]
      .flatMap((each) => Object.keys(each.figures))
      .filter((name) => !docs.includes(`\`${name}\``));
    expect([...new Set(figures)]).toEqual([]);
  });

  it('prints every figure as a line of CSV', async () => {
    const terminal = testTerminal();
    const file = await folder.write('csv.jsonl', toLines(GROUPS));
    expect(await score([file], { mode: 'boxed' }, 'csv', terminal)).toBe(0);
    const lines = terminal.out.join('').trim().split('\n');
    expect(lines[0]).toBe('scope,agent,peer,metric,value,numerator,denominator');
    expect(lines).toContain('agent,a,,accuracy,0.5,4,8');
    expect(lines).toContain('majority,a,,maj@4,0.75,,2');
    expect(new Set(lines.map((line) => line.split(',').length))).toEqual(new Set([7]));
  });
});
