import { describe, expect, it } from 'vitest';
import { CodeAssessor, type CodeTelemetry } from '../../../../src/service/code/code-assessor.ts';
import type { CodeRunner, Job, Outcome } from '../../../../src/service/code/code-runner.ts';
import type { CodeTask, GroupInput } from '../../../../src/service/submission.ts';
import {
  decided,
  groupOf,
  openService,
  rewardsOf,
  rolloutOf,
  type ServiceOptions,
  wholeGroup,
} from '../../../support/service.ts';

const returned = (text: string, ...lines: string[]): Outcome => ({
  ending: 'returned',
  text,
  lines: lines.map((line) => JSON.stringify(line)),
  ms: 5,
});
const PLAN = returned('{"entry":"f","calls":[{"args":[1],"kwargs":{}},{"args":[2],"kwargs":{}}]}');
const TASK: CodeTask = { entryPoint: 'f', inputs: null, testCode: 'assert f(1) == 1' };

/** Knows what becomes of each program, and can be held up. */
class ScriptedRunner implements CodeRunner {
  readonly jobs: Job[] = [];
  readonly #outcomes: Readonly<Record<string, Outcome>>;
  hold: Promise<void> = Promise.resolve();
  queued = 0;

  constructor(outcomes: Readonly<Record<string, Outcome>>) {
    this.#outcomes = outcomes;
  }

  async run(job: Job): Promise<Outcome> {
    this.jobs.push(job);
    await this.hold;
    return this.#outcomes[job.op === 'plan' ? 'plan' : job.code] ?? returned('');
  }

  async close(): Promise<void> {}
}

async function open(
  outcomes: Readonly<Record<string, Outcome>>,
  options: ServiceOptions = {},
  queuePrograms = 100,
) {
  const runner = new ScriptedRunner({ plan: PLAN, ...outcomes });
  const ran: Parameters<CodeTelemetry['codeRan']>[0][] = [];
  const telemetry = { codeRan: (run: (typeof ran)[number]) => ran.push(run) };
  const assessor = new CodeAssessor({ runner, telemetry, queuePrograms, unify: true });
  const scene = await openService({
    assessors: [assessor],
    answers: { mode: 'code', pattern: null },
    ...options,
  });
  return { scene, runner, assessor, ran };
}

const programs = (codes: readonly (string | null)[], overrides: Partial<GroupInput> = {}) =>
  wholeGroup('p', codes, { code: TASK, ...overrides });

describe('programs whose outputs vote', () => {
  const outcomes = {
    right: returned('{}', '1', '2'),
    'right too': returned('{}', '1', '2'),
    wrong: returned('{}', '1', '3'),
    failing: returned('{}', '<ERR:ValueError>', '<ERR:ValueError>'),
    endless: { ...returned('', '1'), ending: 'timeout' },
    crashing: { ...returned(''), ending: 'crashed' },
  } as const;

  it('answer with what they return, and abstain where every call fails', async () => {
    const { scene } = await open(outcomes, { k: 6 });
    await scene.record('a', [programs(['right', 'right too', 'wrong', 'failing', 'crashing', 'endless'])]);
    await scene.record('b', [programs(['right', 'right', 'right', 'wrong', 'wrong', null])]);
    const [bucket] = await scene.store.readPrompt('test', 'p');
    expect(bucket?.groups.get('a')?.rollouts.map(({ answer }) => answer)).toEqual([
      '(1, 2)',
      '(1, 2)',
      '(1, 3)',
      null,
      null,
      '(1, <TIMEOUT>)',
    ]);
    expect(bucket?.groups.get('b')?.rollouts.at(-1)?.answer).toBeNull();
  });

  it('are rewarded for the outputs that the peer voted for', async () => {
    const { scene } = await open(outcomes, { k: 2 });
    const mine = await scene.record('a', [programs(['right too', 'wrong'])]);
    await scene.record('b', [programs(['right', 'right'])]);
    expect(rewardsOf(decided(await scene.now(mine)))).toEqual([1, 0]);
  });

  it('are none while the reasoning that the prompt opened goes on', async () => {
    const { scene, runner } = await open(outcomes, { k: 2 });
    const rollouts = ['```python\nright\n``` might do', 'so</think>```python\nright\n```'].map(
      (text, index) => rolloutOf(null, index, { content: { kind: 'completion', text } }),
    );
    await scene.record('a', [groupOf('p', rollouts, { code: TASK, prompt: 'Q<think>\n' })]);
    const [bucket] = await scene.store.readPrompt('test', 'p');
    expect(bucket?.groups.get('a')?.rollouts.map(({ answer }) => answer)).toEqual([null, '(1, 2)']);
    expect(runner.jobs.filter(({ op }) => op === 'run')).toHaveLength(1);
  });

  it('run once each, however often they are sent', async () => {
    const { scene, runner, ran } = await open(outcomes, { k: 3 });
    await scene.record('a', [programs(['right', 'right', 'wrong'])]);
    await scene.record('a', [programs(['right', 'right', 'wrong'], { round: 0 })]);
    // The tests of one program for each output: they say whether a label is right.
    expect(runner.jobs.map(({ op }) => op)).toEqual(['plan', 'run', 'run', 'test', 'test']);
    expect(ran.slice(0, 3)).toEqual([
      { job: 'plan', outcome: 'ok', seconds: 0.005 },
      { job: 'run', outcome: 'ok', seconds: 0.005 },
      { job: 'run', outcome: 'ok', seconds: 0.005 },
    ]);
  });

  it('abstain with a reason where nothing says what to call', async () => {
    const { scene, runner } = await open({ plan: returned('{"entry":null,"calls":[]}') }, { k: 2 });
    await scene.record('a', [programs(['right', 'wrong'])]);
    const [bucket] = await scene.store.readPrompt('test', 'p');
    for (const { answer, signals } of bucket?.groups.get('a')?.rollouts ?? []) {
      expect(answer).toBeNull();
      expect(signals?.fault).toMatch(/entry_point/);
    }
    expect(runner.jobs).toHaveLength(1);
  });

  it('are compared as text where nothing says how to run them', async () => {
    const { scene, runner } = await open({}, { k: 2 });
    const { code: _none, ...group } = programs(['x = 1', 'x = 2']);
    await scene.record('a', [group]);
    const [bucket] = await scene.store.readPrompt('test', 'p');
    expect(bucket?.groups.get('a')?.rollouts.map(({ answer }) => answer)).toEqual(['x = 1', 'x = 2']);
    expect(runner.jobs).toEqual([]);
  });
});

describe('programs that tests decide on', () => {
  const outcomes = {
    right: returned('{"passed":true}'),
    wrong: returned('{"passed":false}'),
    forging: { ...returned('{"passed":true}'), ending: 'ended' },
    unsaid: returned('{"fault":"The test code holds no test."}'),
    endless: { ...returned(''), ending: 'timeout' },
  } as const;
  const graded = { method: 'ground-truth', k: 6 } as const;

  it('are rewarded 1 only if all pass; null where that cannot be said', async () => {
    const { scene } = await open(outcomes, { ...graded, unlabeledReward: null });
    const ticket = await scene.record('a', [
      programs(['right', 'wrong', 'forging', 'endless', null, 'unsaid']),
    ]);
    expect(rewardsOf(decided(await scene.now(ticket)))).toEqual([1, 0, 0, 0, 0, null]);
  });

  it('need no ground truth, and one that is sent does not replace the tests', async () => {
    const { scene } = await open(outcomes, { ...graded, k: 2 });
    const ticket = await scene.record('a', [programs(['right', 'wrong'], { groundTruth: 'wrong' })]);
    expect(rewardsOf(decided(await scene.now(ticket)))).toEqual([1, 0]);
  });

  it('are graded at once in eval, whatever the method', async () => {
    const { scene } = await open(outcomes);
    const result = decided(await scene.submit('a', [programs(['right', 'wrong'], { split: 'eval' })]));
    expect(result.groups).toMatchObject([{ status: 'eval', rewardSource: 'ground-truth', reason: null }]);
    expect(result.groups[0]?.rollouts.map(({ correct, reward }) => [correct, reward])).toEqual([
      [true, 1],
      [false, 0],
    ]);
  });
});

describe('a submission', () => {
  it("is refused while its agent's programs and others are too many, and an agent's first never", async () => {
    const { scene, runner, assessor } = await open({}, { k: 3 }, 2);
    let go = () => {};
    runner.hold = new Promise((resolve) => {
      go = resolve;
    });
    const first = scene.record('a', [programs(['x', 'y', 'z'])]);
    await expect(scene.record('a', [programs(['x'])])).rejects.toMatchObject({ code: 'sandbox_busy' });
    const other = scene.record('b', [programs(['x'])]);
    await expect.poll(() => assessor.pending).toBe(4);
    go();
    await Promise.all([first, other]);
    expect(assessor.pending).toBe(0);
    await scene.record('b', [programs(['x'])]);
  });
});
