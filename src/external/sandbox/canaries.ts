import { randomInt } from 'node:crypto';
import type { Outcome } from '../../service/code/code-runner.ts';
import type { SandboxJob } from './messages.ts';

/** A job whose outcome is known beforehand. Its numbers are drawn, so that nothing can know which job it is, nor answer for it. */
export interface Canary {
  readonly job: SandboxJob;
  readonly isRight: (outcome: Outcome) => boolean;
}

/**
 * What shows that a worker still says what is so: where tests were run or read, that right ones pass and wrong ones fail; where
 * programs were run, that outputs are what they are.
 */
export function canariesFor(jobs: readonly SandboxJob[]): Canary[] {
  const chosen = [
    ...(jobs.some(({ op }) => op !== 'run') ? [verdictCanary(true), verdictCanary(false)] : []),
    ...(jobs.some(({ op }) => op === 'run') ? [outputCanary()] : []),
  ];
  return randomInt(2) === 0 ? chosen : chosen.reverse();
}

function verdictCanary(passes: boolean): Canary {
  const { code, x, value } = drawProgram();
  const expected = passes ? value : value + randomInt(1, 1_000);
  const tests = `assert f(${x}) == [${expected}, "${expected}"]\nassert f(${x})[0] == ${expected}`;
  return {
    job: { op: 'test', code, entry: 'f', tests },
    isRight: ({ ending, text }) =>
      ending === 'returned' &&
      text === (passes ? '{"passed":true}' : '{"passed":false,"error":"AssertionError"}'),
  };
}

function outputCanary(): Canary {
  const { code, x, value } = drawProgram();
  const line = JSON.stringify(`[${value}, '${value}']`);
  return {
    job: { op: 'run', code, entry: 'f', unify: true, calls: [{ args: [x], kwargs: {} }] },
    isRight: ({ ending, lines }) => ending === 'returned' && lines.length === 1 && lines[0] === line,
  };
}

function drawProgram() {
  const [factor, summand, x] = [randomInt(2, 1_000), randomInt(1_000), randomInt(1_000)];
  const code = `def f(x):\n    total = 0\n    for _ in range(${factor}): total += x\n    return [total + ${summand}, str(total + ${summand})]`;
  return { code, x, value: factor * x + summand };
}
