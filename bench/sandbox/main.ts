import { parseArgs } from 'node:util';
import { WorkerPool } from '../../src/external/sandbox/worker-pool.ts';
import type { Outcome } from '../../src/service/code/code-runner.ts';
import { forgedPrograms } from './forged-programs.ts';
import { QUICK_PROGRAMS, SLOW_PROGRAMS } from './hostile-programs.ts';
import { readTree } from './process-tree.ts';

/**
 * What the sandbox costs, in time and in CPU time, which does not grow with what else the machine does and what it bears: start of a worker, time of a program, memory of a worker; then so many
 * hostile programs, each followed by an honest one. Exits with 1 when one of those came out wrong.
 * `npm run bench:sandbox -- [--programs 1000] [--forged 200] [--seed 1] [--workers 2]`. From the sources, a worker's start includes that of tsx.
 */
const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '1000' },
    forged: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});
const LIMITS = { memoryBytes: 256 * 1_048_576, outputBytes: 65_536 };
const RIGHT = 'def f(x):\n    return sorted(str(x * n) for n in range(100))[:2]';
const RIGHT_LINES = [`"['0', '1']"`, `"['0', '10']"`, `"['0', '102']"`].join();
const CALLS = [1, 2, 3].map((x) => ({ args: [x], kwargs: {} }));
const RUN = { op: 'run', entry: 'f', unify: true, calls: CALLS } as const;
const TEST = { op: 'test', entry: 'f', tests: 'assert f(1) == 2' } as const;

/** Of the workers, whose processes are this one's children. */
const memory = () => readTree().childrenMiB;

interface Cost {
  readonly ms: number;
  /** Of this process and its workers. */
  readonly cpuMs: number;
}

async function timed(act: () => Promise<unknown>): Promise<Cost> {
  const [start, before] = [performance.now(), readTree().cpuMs];
  await act();
  return { ms: performance.now() - start, cpuMs: readTree().cpuMs - before };
}

function costText({ ms, cpuMs }: Cost): string {
  return `${ms.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms`;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function tell(what: string, text: string): void {
  console.log(`${what.padEnd(44)} ${text}`);
}

async function measureCosts(): Promise<void> {
  const before = memory();
  const first = new WorkerPool({ workers: 1, timeoutMs: 4_000, limits: LIMITS });
  tell(
    'first worker of the process, first program',
    costText(await timed(() => first.run({ ...RUN, code: RIGHT }))),
  );
  tell('its memory', `${(memory() - before).toFixed(0)} MiB`);
  const withTests = memory();
  tell(
    'its interpreter for tests, first verdict',
    costText(await timed(() => first.run({ ...TEST, code: RIGHT }))),
  );
  tell('its memory', `${(memory() - withTests).toFixed(0)} MiB`);

  const between = memory();
  const second = new WorkerPool({ workers: 1, timeoutMs: 4_000, limits: LIMITS });
  tell('a further worker, first program', costText(await timed(() => second.run({ ...RUN, code: RIGHT }))));
  tell('its memory', `${(memory() - between).toFixed(0)} MiB`);
  for (const [name, job] of [
    ['three calls of a small function', { ...RUN, code: RIGHT }],
    ['one assert on it', { ...TEST, code: RIGHT }],
  ] as const) {
    await second.run(job);
    const times: number[] = [];
    const all = await timed(async () => {
      for (let n = 0; n < 200; n += 1) {
        const start = performance.now();
        await second.run(job);
        times.push(performance.now() - start);
      }
    });
    times.sort((a, b) => a - b);
    const [half, most] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(1));
    tell(`warm: ${name}`, `p50 ${half} ms, p95 ${most} ms, CPU ${(all.cpuMs / times.length).toFixed(1)} ms`);
  }
  const endless = await second.run({ ...RUN, code: 'def f(x):\n    while True: pass' });
  if (endless.ending !== 'timeout') throw new Error(`expected a timeout, got ${endless.ending}`);
  tell(
    'after one that was killed, the next',
    costText(await timed(() => second.run({ ...RUN, code: RIGHT }))),
  );
  await Promise.all([first.close(), second.close()]);
}

async function survive(
  kind: string,
  programs: readonly string[],
  count: number,
  workers: number,
): Promise<boolean> {
  const pool = new WorkerPool({ workers, timeoutMs: 1_000, limits: LIMITS });
  const endings = new Map<string, number>();
  const wrong: string[] = [];
  let peak = 0;
  let late = 0;
  const attack = async (n: number) => {
    const code = programs[n % programs.length] ?? '';
    const isTest = Math.floor(n / programs.length) % 2 === 1;
    const outcome: Outcome = await pool.run(isTest ? { ...TEST, code } : { ...RUN, code });
    endings.set(outcome.ending, (endings.get(outcome.ending) ?? 0) + 1);
    if (isTest && outcome.text.includes('true')) wrong.push(`passed: ${code.slice(0, 60)}`);
    const honest = await pool.run({ ...RUN, code: RIGHT });
    // A machine under load may take the honest one's time away: that is told apart.
    if (honest.ending === 'timeout') late += 1;
    else if (honest.lines.join() !== RIGHT_LINES) wrong.push(`after: ${code.slice(0, 60)}`);
    peak = Math.max(peak, memory());
  };
  let next = 0;
  const lane = async () => {
    while (next < count) await attack(next++);
  };
  const { ms } = await timed(() => Promise.all(Array.from({ length: workers }, lane)));
  await pool.close();
  const ways = [...endings].map(([ending, times]) => `${ending} ${times}`).join(', ');
  tell(`${count} ${kind} programs on ${workers} workers`, `${(ms / 1_000).toFixed(0)} s: ${ways}`);
  tell('largest memory of the workers together', `${peak.toFixed(0)} MiB`);
  tell(
    'honest programs between them',
    wrong.length === 0 ? `${count - late} right, ${late} out of time` : wrong.slice(0, 20).join('\n'),
  );
  return wrong.length === 0;
}

await measureCosts();
const workers = Number(values.workers);
const forged = forgedPrograms(Number(values.seed), Number(values.forged));
const hostile = Object.values({ ...QUICK_PROGRAMS, ...SLOW_PROGRAMS });
const survived = [
  await survive('hostile', hostile, Number(values.programs), workers),
  await survive('forged', forged, forged.length, workers),
];
process.exitCode = survived.every(Boolean) ? 0 : 1;
