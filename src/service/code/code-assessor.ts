import { readOutputs } from '../../answers/code/outputs.ts';
import { extractProgram, type ProgramSource } from '../../answers/code/program.ts';
import type { ReasoningPolicy } from '../../answers/reasoning-policy.ts';
import type { NewRollout } from '../../domain/arrival.ts';
import type { Cohort } from '../../domain/cohort.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Assessor, ReadGroup } from '../assess.ts';
import { readingOf } from '../read-rollout.ts';
import type { CodeTask, GroupInput, RolloutInput, StdinCase } from '../submission.ts';
import type { CodeRunner, Job, Outcome } from './code-runner.ts';
import { readLines, readPlan, readVerdict } from './read-outcome.ts';
import { RunCache } from './run-cache.ts';
import { STDIN_ENTRY, testOf, wrapProgram } from './stdin-program.ts';

/** Methods whose reward is what the tests say, not what the outputs vote for. */
const GRADED_METHODS: ReadonlySet<string> = new Set(['ground-truth', 'maporl']);
const MAX_FAULT_LENGTH = 200;

export interface CodeTelemetry {
  /** A job really ran; `seconds` on the worker. */
  codeRan(run: { job: Job['op']; outcome: string; seconds: number }): void;
}

export interface CodeAssessorParts {
  readonly runner: CodeRunner;
  readonly telemetry: CodeTelemetry;
  /** Programs that may wait; a submission that comes to more than waits already is refused. */
  readonly queuePrograms: number;
  /** An integral float votes as the integer that it equals. */
  readonly unify: boolean;
}

/**
 * Runs the programs of code groups. Where outputs vote, a rollout's answer is what its program returns for the calls of
 * the group; where tests decide, its score is 1 if all of them pass, else 0.
 */
export class CodeAssessor implements Assessor {
  readonly #parts: CodeAssessorParts;
  readonly #cache: RunCache;
  readonly #pending = new PendingPrograms();

  constructor(parts: CodeAssessorParts) {
    this.#parts = parts;
    this.#cache = new RunCache(parts.runner, (job, outcome) => {
      parts.telemetry.codeRan({
        job: job.op,
        outcome: outcomeName(job, outcome),
        seconds: outcome.ms / 1_000,
      });
    });
  }

  /** Programs that wait or run. */
  get pending(): number {
    return this.#pending.sum;
  }

  concerns({ cohort, group }: Omit<ReadGroup, 'rollouts' | 'carriesNull'>): boolean {
    return taskOf(cohort, group) !== null;
  }

  async assess({ cohort, agent, group, rollouts }: ReadGroup): Promise<readonly NewRollout[]> {
    const task = taskOf(cohort, group);
    if (task === null) return rollouts;
    const isGraded = task.testCode !== null && (group.split === 'eval' || GRADED_METHODS.has(cohort.method));
    const count = rollouts.length;
    const owner = `${cohort.name}/${agent.name}`;
    this.#admit(owner, count);
    try {
      const { reasoning } = readingOf(cohort, group);
      const programs = group.rollouts.map((rollout) => {
        const program = readProgram(rollout, reasoning);
        return program !== null && task.stdin !== undefined ? wrapProgram(program) : program;
      });
      return isGraded
        ? await this.#grade(owner, task, programs, rollouts)
        : await this.#collect(owner, task, programs, rollouts);
    } finally {
      this.#pending.add(owner, -count);
    }
  }

  /** One submission alone is never too much: it would be for ever. Nor is an agent's first beside many of another. */
  #admit(owner: string, count: number): void {
    const { sum } = this.#pending;
    if (this.#pending.of(owner) > 0 && sum + count > this.#parts.queuePrograms) {
      throw new ServiceError(
        'sandbox_busy',
        `${sum} programs wait for the sandbox already, and code.queue_programs is ${this.#parts.queuePrograms}. Nothing of this submission was stored: send it again; what ran is remembered.`,
      );
    }
    this.#pending.add(owner, count);
  }

  async #grade(
    owner: string,
    task: CodeTask,
    programs: readonly (ProgramSource | null)[],
    rollouts: readonly NewRollout[],
  ) {
    const { entryPoint: entry, testCode } = task;
    const tests = testCode ?? '';
    return Promise.all(
      rollouts.map(async (rollout, place) => {
        const program = programs[place] ?? null;
        if (program === null) return { ...rollout, signals: { ...rollout.signals, score: 0 } };
        const verdict = readVerdict(await this.#cache.run({ op: 'test', ...program, entry, tests }, owner));
        if (verdict.kind === 'fault') return withFault(rollout, verdict.fault);
        return { ...rollout, signals: { ...rollout.signals, score: verdict.passed ? 1 : 0 } };
      }),
    );
  }

  async #collect(
    owner: string,
    task: CodeTask,
    programs: readonly (ProgramSource | null)[],
    rollouts: readonly NewRollout[],
  ) {
    const { entryPoint, testCode: tests, inputs } = task;
    const asked = {
      op: 'plan',
      entry: entryPoint,
      tests: task.stdin === undefined ? tests : null,
      inputs,
    } as const;
    const plan = readPlan(await this.#cache.run(asked, owner));
    const read = await Promise.all(
      rollouts.map(async (rollout, place) => {
        if (plan.kind === 'fault') return { ...withFault(rollout, plan.fault), answer: null, key: null };
        const program = programs[place] ?? null;
        if (program === null) return { ...rollout, answer: null, key: null };
        const { entry, calls } = plan;
        const job = { op: 'run', ...program, entry, unify: this.#parts.unify, calls } as const;
        return { ...rollout, ...readOutputs(readLines(await this.#cache.run(job, owner), calls.length)) };
      }),
    );
    return tests === null ? read : this.#tell(owner, { entry: entryPoint, tests }, programs, read);
  }

  /** Runs the tests on one program for each of the outputs, so that figures can say whether a label is right. */
  async #tell(
    owner: string,
    test: { readonly entry: string | null; readonly tests: string },
    programs: readonly (ProgramSource | null)[],
    rollouts: readonly NewRollout[],
  ): Promise<readonly NewRollout[]> {
    const firsts = new Map<string, ProgramSource>();
    for (const [place, { key }] of rollouts.entries()) {
      const program = programs[place];
      if (key !== null && program != null && !firsts.has(key)) firsts.set(key, program);
    }
    const passed = new Map<string, number>();
    await Promise.all(
      [...firsts].map(async ([key, program]) => {
        const verdict = readVerdict(await this.#cache.run({ op: 'test', ...program, ...test }, owner));
        if (verdict.kind === 'verdict') passed.set(key, verdict.passed ? 1 : 0);
      }),
    );
    return rollouts.map((rollout) => {
      const said = rollout.key === null ? undefined : passed.get(rollout.key);
      return said === undefined ? rollout : { ...rollout, signals: { ...rollout.signals, passed: said } };
    });
  }
}

/** How many programs wait or run, in all and of each owner. */
class PendingPrograms {
  readonly #byOwner = new Map<string, number>();
  sum = 0;

  of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  add(owner: string, count: number): void {
    const left = this.of(owner) + count;
    if (left > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
    this.sum += count;
  }
}

/** What there is to run; null where the group's answers are no programs, or nothing says how to call them. */
function taskOf(cohort: Cohort, { mode, code }: GroupInput): CodeTask | null {
  if ((mode ?? cohort.answers.mode) !== 'code' || code === undefined) return null;
  if (code.stdin !== undefined) return reading(code.stdin);
  return code.inputs === null && code.testCode === null ? null : code;
}

/** A program that reads and prints is called as the function that it is wrapped in. */
function reading(stdin: readonly StdinCase[]): CodeTask {
  return {
    entryPoint: STDIN_ENTRY,
    inputs: stdin.map(({ input }) => [input]),
    testCode: testOf(stdin),
    stdin,
  };
}

function readProgram({ content, truncated }: RolloutInput, reasoning: ReasoningPolicy): ProgramSource | null {
  switch (content.kind) {
    case 'completion':
      return extractProgram(content.text, truncated, reasoning);
    case 'given':
      return content.answer === null ? null : extractProgram(content.answer, false);
    case 'unreadable':
      return null;
  }
}

function withFault(rollout: NewRollout, fault: string): NewRollout {
  return { ...rollout, signals: { ...rollout.signals, fault: fault.slice(0, MAX_FAULT_LENGTH) } };
}

/** For the metrics: how it ended, and for what returned, whether it was of use. */
function outcomeName(job: Job, outcome: Outcome): string {
  if (outcome.ending !== 'returned') return outcome.ending;
  switch (job.op) {
    case 'plan':
      return readPlan(outcome).kind === 'plan' ? 'ok' : 'fault';
    case 'test': {
      const verdict = readVerdict(outcome);
      if (verdict.kind === 'fault') return 'fault';
      return verdict.passed ? 'passed' : 'failed';
    }
    case 'run':
      return readLines(outcome, job.calls.length).every((line) => line.startsWith('<')) ? 'error' : 'ok';
  }
}
