import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pair } from '../../src/cli/pair/pair.ts';
import { parseCohort } from '../../src/config/parse-cohort.ts';
import { type Answered, RolloutFolder, testTerminal, toLines } from '../support/rollout-files.ts';

const folder = new RolloutFolder();
afterAll(() => folder.remove());

/** So many right answers of ten; the others are wrong in the same way. */
const answers = (right: number) => Array.from({ length: 10 }, (_, at) => (at < right ? '1' : '2'));

/** Prompts on which each agent has its number of right answers of ten. */
function toGroups(prompts: readonly Readonly<Record<string, number>>[], gold?: string): readonly Answered[] {
  return prompts.flatMap((row, at) =>
    Object.entries(row).map(([agent, right]) => ({
      prompt: `p${String(at).padStart(3, '0')}`,
      agent,
      answers: answers(right),
      ...(gold !== undefined && { gold }),
    })),
  );
}

const repeat = <T>(count: number, rows: readonly T[]): readonly T[] =>
  Array.from({ length: count }, () => rows).flat();

async function run(groups: readonly Answered[], raw: Record<string, unknown> = {}) {
  const terminal = testTerminal();
  const file = await folder.write('rollouts.jsonl', toLines(groups));
  const code = await pair([file], { mode: 'boxed', resamples: '200', ...raw }, 'json', terminal);
  const errors = terminal.errors.join('');
  return { code, errors, result: code === 0 ? JSON.parse(terminal.out.join('')) : null };
}

describe('peervote pair', () => {
  it('prefers two agents that know different problems, which Co-RL teaches both', async () => {
    const { result } = await run(
      toGroups(
        repeat(30, [
          { a: 9, b: 3, c: 9 },
          { a: 3, b: 9, c: 3 },
        ]),
        '1',
      ),
      { largest: '2' },
    );
    expect(result).toMatchObject({ basis: 'pass-rates', prompts: 60, settings: { wrong: 1, k: 8 } });
    expect(result.agents[0]).toEqual({ agent: 'a', accuracy: expect.closeTo(0.6, 9), self: 0.5 });
    const [best, next, last] = result.cohorts;
    expect(best).toMatchObject({ agents: ['a', 'b'], value: 1, self: 0.5, now: expect.closeTo(0.6, 9) });
    expect(next).toMatchObject({ agents: ['b', 'c'], value: 1 });
    expect(last).toMatchObject({ agents: ['a', 'c'], value: 0.5 });
    expect(result.verdict).toMatchObject({ enough: true, alike: 2, difference: 0.5, more_prompts: null });
  });

  it('tells the direction of a ring, and gives a configuration that serve accepts', async () => {
    const write = await folder.path('cohort.yaml');
    const { result } = await run(toGroups(repeat(40, [{ a: 9, b: 2, c: 3 }]), '1'), {
      smallest: '3',
      prior: '0.01,0.01',
      write,
      name: 'math',
    });
    expect(result.cohorts[0]).toMatchObject({ agents: ['a', 'b', 'c'], ring: 'successor', value: 1 });
    expect(result.cohorts.find(({ ring }: { ring: string }) => ring === 'predecessor').value).toBe(0);
    const { cohorts } = parse(await readFile(write, 'utf8'));
    expect(await readFile(write, 'utf8')).toBe(result.config);
    expect(parseCohort('math', cohorts.math)).toMatchObject({
      ok: true,
      cohort: { supervision: { kind: 'ring', direction: 'successor' }, answers: { mode: 'boxed' } },
    });
  });

  it('says that the data are not enough, and about how many prompts more would be', async () => {
    const rows = [...repeat(5, [{ a: 8, b: 8, c: 1 }]), ...repeat(4, [{ a: 8, b: 1, c: 8 }])];
    const { result } = await run(toGroups(rows, '1'), { largest: '2' });
    const { verdict, notes } = result;
    expect(verdict.enough).toBe(false);
    expect(verdict.more_prompts).toBeGreaterThan(0);
    expect(verdict.says).toMatch(/^Not enough data: .* more prompts like these 9 would tell them apart/);
    expect(notes).toContainEqual(expect.stringContaining('9 prompts are few'));
  });

  it('counts the rounds of a prompt together, and leaves out prompts that a candidate has not seen', async () => {
    const rounds = [0, 1].flatMap((round) =>
      toGroups([{ a: round === 0 ? 10 : 0, b: 5 }], '1').map((group) => ({ ...group, round })),
    );
    const { result } = await run([...rounds, { prompt: 'q', agent: 'a', answers: ['1'], gold: '1' }]);
    expect(result.agents[0].accuracy).toBe(0.5);
    expect(result.prompts).toBe(1);
    expect(result.notes[0]).toContain('Predicted for K = 8, binary answers (estimated)');
    expect(result.notes[1]).toContain('1 prompts with a truth lack rollouts');
  });

  it('estimates how many wrong answers there are from how often two are the same', async () => {
    const scattered: readonly Answered[] = ['a', 'b'].map((agent) => ({
      prompt: 'p',
      agent,
      gold: '1',
      answers: ['1', '2', '2', '3', '3', '4', '4'],
    }));
    // Of 15 pairs of wrong answers 3 are the same.
    expect((await run(scattered)).result.settings.wrong).toBe(5);
    expect((await run(scattered, { wrong: '2' })).result.settings.wrong).toBe(2);
  });

  it('says when an agent does better by its own votes than in any cohort', async () => {
    const { result } = await run(toGroups(repeat(40, [{ a: 7, b: 1 }]), '1'));
    expect(result.cohorts[0]).toMatchObject({ value: 0, self: 0.5 });
    expect(result.notes.slice(1)).toEqual([
      expect.stringContaining('a by its own votes (1.000)'),
      expect.stringContaining('No gain'),
    ]);
  });

  it('ranks rings with their direction by imputed truths too, as truths would, and says that it is weaker', async () => {
    // On easy prompts all agree; on hard ones b and c go astray, each in its own way.
    const given = (right: number, wrong: string) =>
      Array.from({ length: 20 }, (_, at) => (at < right ? '1' : wrong));
    const groups = Array.from({ length: 60 }, (_, at) => {
      const isEasy = at % 3 !== 0;
      const answered = {
        a: given(isEasy ? 20 : 19, '5'),
        b: given(isEasy ? 19 : 3, '2'),
        c: given(isEasy ? 18 : 5, '3'),
      };
      return Object.entries(answered).map(([agent, own]) => ({ prompt: `p${at}`, agent, answers: own }));
    }).flat();
    const blind = await run(groups);
    const told = await run(groups.map((group) => ({ ...group, gold: '1' })));
    expect([blind.result.basis, told.result.basis]).toEqual(['imputed', 'pass-rates']);
    type Rated = Record<'agents' | 'supervision' | 'ring' | 'value' | 'low' | 'high', unknown>;
    const top = ({ cohorts }: { readonly cohorts: readonly Rated[] }) => {
      const [best] = cohorts;
      return [best?.agents, best?.supervision, best?.ring];
    };
    expect(top(blind.result)).toEqual(top(told.result));
    const directions = blind.result.cohorts.filter(
      ({ supervision, agents }: Rated) => supervision === 'ring' && (agents as string[]).length === 3,
    );
    expect(new Set(directions.map(({ value }: Rated) => value)).size).toBe(2);
    // Where all three differ nothing tells who is right, and nobody is taken to be.
    for (const [at, { agent, accuracy }] of told.result.agents.entries()) {
      expect(blind.result.agents[at].agent).toBe(agent);
      expect(blind.result.agents[at].accuracy).toBeLessThan(accuracy + 0.05);
    }
    expect(blind.result.notes.join()).toContain('weaker than truths');
    const two = await run(groups, { agents: 'a,b' });
    expect(two.result).toMatchObject({ cohorts: [], verdict: null, config: null });
    expect(two.result.notes.join()).toContain('does not tell which of two');
  });

  it('bounds the search, and says so', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `agent${at}`);
    const row = Object.fromEntries(names.map((name, at) => [name, at % 10]));
    const { result } = await run(toGroups([row], '1'), { resamples: '100' });
    expect(result.searched).toEqual({ cohorts: 4_750, largest: 3, candidates: 20 });
    expect(result.notes.join()).toContain('more than 3 agents were not searched');
  });

  it('repeats with its seed, whatever the order of the lines', async () => {
    const rows = repeat(4, [
      { a: 8, b: 3, c: 6 },
      { a: 2, b: 9, c: 4 },
    ]);
    const groups = toGroups(rows, '1');
    const first = await run(groups);
    expect((await run([...groups.slice(0, 3), ...groups.slice(3).reverse()])).result).toEqual(first.result);
  });

  it.each([
    [{ agents: 'a,z' }, 'no rollouts of z; there are of a, b'],
    [{ agents: 'a' }, 'only a'],
    [{ prior: '0,1' }, '--prior'],
    [{ smallest: '1' }, '--smallest'],
  ])('refuses %j with what to do', async (raw, message) => {
    const { code, errors } = await run(toGroups([{ a: 5, b: 5 }], '1'), raw);
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });

  it('shows people the candidates, the best cohorts, the verdict and the configuration', async () => {
    const terminal = testTerminal();
    const file = await folder.write(
      'shown.jsonl',
      toLines(toGroups(repeat(40, [{ a: 9, b: 2, c: 3 }]), '1')),
    );
    expect(await pair([file], { mode: 'boxed', resamples: '100', show: '2' }, 'table', terminal)).toBe(0);
    const text = terminal.out.join('');
    expect(text).toContain('Predicted accuracy in the limit, best first');
    expect(text).toContain('a ⇄ c');
    expect(text).toMatch(/# for serve --config\ncohorts:\n {2}pair:/);
  });
});
