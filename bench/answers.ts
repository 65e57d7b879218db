import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { extract } from '../src/answers/extract.ts';
import { analyse } from '../src/answers/forms/analyse.ts';
import { grade } from '../src/answers/grade.ts';
import { HOSTILE_ANSWERS, HOSTILE_COMPLETIONS } from './answers-hostile.ts';
import { quantile } from './load/statistics.ts';

/**
 * Times the answer engine: pairs, completions of three sizes, a doubling series, hostile inputs; and beside it, where
 * PYTHON (default python3) has `math-verify` from PyPI, the same pairs through Math-Verify. `--against DIR` times the
 * engine of another checkout on the same pairs and completions in turns, and prints the ratios only.
 */
interface Engine {
  extract: typeof extract;
  grade: typeof grade;
}

type Pair = readonly [gold: string, prediction: string, equal: boolean];

const PAIRS = JSON.parse(readFileSync(new URL('./answers-pairs.json', import.meta.url), 'utf8')) as Pair[];
const ROUNDS = 40;
const HOSTILE_LIMIT_MS = 20;

const MATH_VERIFY = `
import json, sys, time
from math_verify import parse, verify
out = []
for gold, prediction, _ in json.load(sys.stdin):
    start = time.perf_counter()
    try:
        equal = verify(parse('$' + gold + '$'), parse('We compute step by step and find $\\\\boxed{' + prediction + '}$.'))
    except Exception:
        equal = False
    out.append([1e6 * (time.perf_counter() - start), bool(equal)])
json.dump(out, sys.stdout)
`;

const { values } = parseArgs({ options: { against: { type: 'string' } } });

console.log(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'} x ${cpus().length}`);
if (values.against === undefined) {
  const [times = []] = timePairs([{ extract, grade }]);
  print(`${PAIRS.length} pairs, extract + parse both + compare, warm`, times, 'us');
  timeCompletions();
  timeDoubling();
  timeHostile();
  timeMathVerify(times);
} else {
  await compareWith(values.against);
}

/** The times of all pairs by engine. A pair as a grader sees it: the gold formula, and a completion that boxes the prediction. */
function timePairs(engines: readonly Engine[]): number[][] {
  const times: number[][] = engines.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Spaces make every round's strings new, so that no form comes from the cache.
    const fresh = ' '.repeat(round);
    for (const [gold, prediction] of PAIRS) {
      const completion = `We compute step by step and find \\boxed{${prediction}${fresh}}.`;
      for (const [i, engine] of inTurns(engines, round)) {
        const start = performance.now();
        engine.grade(engine.extract(completion, { mode: 'boxed' }), gold + fresh);
        if (round >= ROUNDS / 2) times[i]?.push(1000 * (performance.now() - start));
      }
    }
  }
  return times;
}

/** Who goes second finds the input in the processor's cache, so they take turns at that too. */
function inTurns(engines: readonly Engine[], round: number): Array<[number, Engine]> {
  const order = [...engines.entries()];
  return round % 2 === 0 ? order : order.reverse();
}

/** Both engines take turns at each input, so that a busy machine slows both. */
async function compareWith(folder: string): Promise<void> {
  const load = (file: string): Promise<Engine> =>
    import(pathToFileURL(join(resolve(folder), 'src/answers', file)).href);
  const other = { ...(await load('extract.ts')), ...(await load('grade.ts')) };
  const [ours = [], theirs = []] = timePairs([{ extract, grade }, other]);
  printRatio('pairs', ours, theirs);
  for (const size of [2, 32]) {
    for (const mode of ['boxed', 'auto', 'choice', 'number'] as const) {
      const times: [number[], number[]] = [[], []];
      for (let i = 0; i < 400; i += 1) {
        const text = completionOf(size * 1024, i);
        for (const [at, engine] of inTurns([{ extract, grade }, other], i)) {
          const start = performance.now();
          engine.extract(text, { mode });
          if (i >= 100) times[at]?.push(1000 * (performance.now() - start));
        }
      }
      printRatio(`${size} kB, mode ${mode}`, ...times);
    }
  }
}

function printRatio(name: string, ours: number[], theirs: number[]): void {
  const ratios = [0.5, 0.9].map((at) => (quantile(ours, at) / quantile(theirs, at)).toFixed(2));
  const medians = [ours, theirs].map((times) => quantile(times, 0.5).toFixed(1));
  console.log(
    `${name.padEnd(22)} here / there: median ${ratios[0]}, p90 ${ratios[1]}  (median ${medians.join(' and ')} us)`,
  );
}

function timeCompletions(): void {
  for (const size of [2, 16, 128]) {
    for (const mode of ['boxed', 'auto', 'choice', 'number'] as const) {
      const times: number[] = [];
      for (let i = 0; i < 60; i += 1) {
        const text = completionOf(size * 1024, i);
        const start = performance.now();
        extract(text, { mode });
        if (i >= 20) times.push(1000 * (performance.now() - start));
      }
      print(`${String(size).padStart(3)} kB completion, mode ${mode}`, times, 'us');
    }
  }
}

/** Prose with formulas, boxes and options, as a long reply has them. */
function completionOf(length: number, seed: number): string {
  const piece = `Step ${seed}: since $x^2 = ${seed}$ we get \\( x = \\sqrt{${seed}} \\), so option (A) is out and 3 of ${seed} remain.\n`;
  const end = `Therefore, the answer is $\\boxed{\\frac{${seed}}{7}}$.\n\nFinal answer: B`;
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length - end.length) + end;
}

function timeDoubling(): void {
  console.log('\ndoubling series, mode auto, time per character (constant when linear)');
  for (let size = 8; size <= 1024; size *= 2) {
    const text = completionOf(size * 1024, size);
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 7; i += 1) {
      const start = performance.now();
      extract(text, { mode: 'auto' });
      best = Math.min(best, performance.now() - start);
    }
    console.log(
      `  ${String(size).padStart(5)} kB  ${best.toFixed(3)} ms  ${((1e6 * best) / text.length).toFixed(2)} ns`,
    );
  }
}

function timeHostile(): void {
  const worst: Array<readonly [name: string, time: number]> = [];
  const measure = (name: string, run: () => void): void => {
    let best = Number.POSITIVE_INFINITY;
    // What is slow every time is slow; a busy machine delays anything once.
    for (let i = 0; i < 15 && (i < 3 || best > HOSTILE_LIMIT_MS / 2); i += 1) {
      const start = performance.now();
      run();
      best = Math.min(best, performance.now() - start);
    }
    worst.push([name, best]);
  };
  for (const [name, answer] of HOSTILE_ANSWERS) measure(name, () => analyse(answer));
  for (const [name, completion] of HOSTILE_COMPLETIONS) {
    for (const mode of ['auto', 'boxed', 'answer-tag', 'gsm8k', 'choice', 'number', 'code'] as const) {
      measure(`${name}, mode ${mode}`, () => extract(completion, { mode, fallback: 'last' }));
    }
  }
  worst.sort((a, b) => b[1] - a[1]);
  const over = worst.filter(([, time]) => time > HOSTILE_LIMIT_MS).length;
  console.log(`\n${worst.length} hostile inputs: ${over} above ${HOSTILE_LIMIT_MS} ms; the slowest:`);
  for (const [name, time] of worst.slice(0, 6)) console.log(`  ${time.toFixed(2).padStart(7)} ms  ${name}`);
  if (over > 0) process.exitCode = 1;
}

function timeMathVerify(ours: number[]): void {
  const python = process.env.PYTHON ?? 'python3';
  const run = spawnSync(python, ['-c', MATH_VERIFY], {
    input: JSON.stringify(PAIRS),
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (run.status !== 0) {
    console.log(
      `\nMath-Verify was not timed: ${python} has no math-verify (pip install "math-verify[antlr4_13_2]")`,
    );
    return;
  }
  const results = JSON.parse(run.stdout) as Array<[time: number, equal: boolean]>;
  const times = results.map(([time]) => time);
  print('\nthe same pairs through Math-Verify', times, 'us');
  const right = results.filter(([, equal], i) => equal === PAIRS[i]?.[2]).length;
  const mine = PAIRS.filter(([gold, prediction, equal]) => grade(prediction, gold).equal === equal).length;
  console.log(`verdicts as wanted: ${mine} of ${PAIRS.length} here, ${right} by Math-Verify`);
  console.log(
    `ratio: median ${(quantile(times, 0.5) / quantile(ours, 0.5)).toFixed(0)}x, mean ${(mean(times) / mean(ours)).toFixed(0)}x`,
  );
}

function print(name: string, times: number[], unit: string): void {
  const [median, p90, p99] = [0.5, 0.9, 0.99].map((share) => quantile(times, share).toFixed(1));
  const most = Math.max(...times).toFixed(1);
  console.log(
    `${name}: median ${median} ${unit}, p90 ${p90}, p99 ${p99}, max ${most}, mean ${mean(times).toFixed(1)}`,
  );
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
