import { setImmediate } from 'node:timers/promises';
import type { Cohort } from '../../src/domain/cohort.ts';
import type { Assessor } from '../../src/service/assess.ts';
import { Barrier } from '../../src/service/barrier.ts';
import { Caretaker } from '../../src/service/caretaker.ts';
import { Cohorts } from '../../src/service/cohorts.ts';
import { DiagnosticsLog } from '../../src/service/diagnostics-log.ts';
import { Planner } from '../../src/service/planner.ts';
import { RewardService } from '../../src/service/rewards.ts';
import { SampleLog } from '../../src/service/sample-log.ts';
import type {
  GroupInput,
  GroupResult,
  RolloutInput,
  SubmissionInput,
  SubmissionResult,
  Ticket,
} from '../../src/service/submission.ts';
import type { Logger, Telemetry } from '../../src/service/telemetry.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { buildCohort, type CohortOverrides } from './builders.ts';
import { FakeClock } from './fake-clock.ts';

export type Decided = Extract<SubmissionResult, { kind: 'decided' }>;

/** What the service told of itself, call by call. */
class RecordedTelemetry implements Telemetry {
  readonly settled: Parameters<Telemetry['groupSettled']>[0][] = [];
  readonly pairs: Parameters<Telemetry['pairCompared']>[0][] = [];
  readonly graded: Parameters<Telemetry['pairGraded']>[0][] = [];
  readonly waits: Parameters<Telemetry['waited']>[0][] = [];
  readonly received: Parameters<Telemetry['stored']>[0][] = [];
  readonly closed: Parameters<Telemetry['groupClosed']>[0][] = [];
  readonly changes: Parameters<Telemetry['teacherChanged']>[0][] = [];
  readonly unread: Parameters<Telemetry['truthsUnread']>[0][] = [];
  readonly disputed: Parameters<Telemetry['truthsDisputed']>[0][] = [];
  readonly looks: Parameters<Telemetry['labelsLookedAt']>[0][] = [];
  readonly evaluations: Parameters<Telemetry['evaluated']>[0][] = [];
  readonly forgotten: string[] = [];

  groupSettled(group: Parameters<Telemetry['groupSettled']>[0]): void {
    this.settled.push(group);
  }
  pairGraded(pair: Parameters<Telemetry['pairGraded']>[0]): void {
    this.graded.push(pair);
  }

  pairCompared(pair: Parameters<Telemetry['pairCompared']>[0]): void {
    this.pairs.push(pair);
  }
  waited(wait: Parameters<Telemetry['waited']>[0]): void {
    this.waits.push(wait);
  }
  labelsLookedAt(look: Parameters<Telemetry['labelsLookedAt']>[0]): void {
    this.looks.push(look);
  }
  evaluated(rollouts: Parameters<Telemetry['evaluated']>[0]): void {
    this.evaluations.push(rollouts);
  }
  truthsUnread(truths: Parameters<Telemetry['truthsUnread']>[0]): void {
    this.unread.push(truths);
  }

  truthsDisputed(truths: Parameters<Telemetry['truthsDisputed']>[0]): void {
    this.disputed.push(truths);
  }
  stored(rollouts: Parameters<Telemetry['stored']>[0]): void {
    this.received.push(rollouts);
  }
  groupClosed(group: Parameters<Telemetry['groupClosed']>[0]): void {
    this.closed.push(group);
  }
  teacherChanged(change: Parameters<Telemetry['teacherChanged']>[0]): void {
    this.changes.push(change);
  }
  async forget(cohort: string): Promise<void> {
    this.forgotten.push(cohort);
  }
}

/** Log lines, level and message. */
export class RecordedLogger implements Logger {
  readonly lines: { readonly level: 'info' | 'warn' | 'error'; readonly message: string }[] = [];

  info(_fields: object, message: string): void {
    this.lines.push({ level: 'info', message });
  }
  warn(_fields: object, message: string): void {
    this.lines.push({ level: 'warn', message });
  }
  error(_fields: object, message: string): void {
    this.lines.push({ level: 'error', message });
  }
}

export interface ServiceOptions extends CohortOverrides {
  /** Stands between the service and its store, to reorder or refuse calls. */
  readonly wrapStore?: (store: MemoryStore) => Store;
  readonly assessors?: readonly Assessor[];
}

type SubmissionOverrides = Partial<Omit<SubmissionInput, 'cohort' | 'agent' | 'groups'>>;

/** The service with all its real parts over one cohort, and a clock that stands still. */
export class ServiceScene {
  readonly clock = new FakeClock();
  readonly telemetry = new RecordedTelemetry();
  readonly logger = new RecordedLogger();
  readonly cohort: Cohort;
  readonly store: Store;
  readonly barrier: Barrier;
  readonly cohorts: Cohorts;
  readonly planner: Planner;
  readonly rewards: RewardService;
  readonly samples: SampleLog;
  readonly caretaker: Caretaker;
  readonly diagnostics: DiagnosticsLog;

  constructor({ wrapStore, assessors = [], ...overrides }: ServiceOptions = {}) {
    const { clock, telemetry, logger } = this;
    this.cohort = buildCohort(overrides);
    const memory = new MemoryStore(clock);
    this.store = wrapStore?.(memory) ?? memory;
    this.barrier = new Barrier(this.store, clock);
    this.cohorts = new Cohorts(this.store, telemetry, 10);
    const { store, barrier, cohorts } = this;
    this.samples = new SampleLog({ store, clock, logger });
    const { samples } = this;
    this.diagnostics = new DiagnosticsLog({ store, clock, logger });
    this.planner = new Planner({ store, clock, telemetry, logger });
    const { diagnostics, planner } = this;
    const shared = { store, barrier, clock, telemetry, diagnostics, planner };
    this.rewards = new RewardService({ ...shared, logger, cohorts, assessors, samples });
    this.caretaker = new Caretaker({ ...shared, logger });
  }

  /** Stores a submission of this agent. */
  record(agent: string, groups: readonly GroupInput[], overrides: SubmissionOverrides = {}): Promise<Ticket> {
    return this.rewards.record({
      cohort: this.cohort.name,
      agent,
      submissionId: null,
      incarnation: null,
      step: null,
      groups,
      ...overrides,
    });
  }

  /** Stores a submission and tells what is known of its rewards right then. */
  async submit(
    agent: string,
    groups: readonly GroupInput[],
    overrides: SubmissionOverrides = {},
  ): Promise<SubmissionResult> {
    return this.now(await this.record(agent, groups, overrides));
  }

  /** What is known now. */
  now(ticket: Ticket): Promise<SubmissionResult> {
    return this.rewards.settle(ticket, { waitMs: 0, signal: null });
  }

  /** Waits at the barrier; resolves once the request is parked there (or needs no wait). */
  async park(ticket: Ticket, waitMs = 600_000, signal: AbortSignal | null = null): Promise<Parked> {
    const before = this.barrier.held(this.cohort.name);
    const parked = new Parked(this.rewards.settle(ticket, { waitMs, signal }));
    await until(() => parked.over || this.barrier.held(this.cohort.name) > before);
    await settleDown();
    return parked;
  }

  skip(agent: string, ...promptIds: string[]): Promise<unknown> {
    const skips = promptIds.map((promptId) => ({ promptId, round: null, step: null }));
    return this.rewards.skip(this.cohort.name, agent, null, skips);
  }

  finish(agent: string, incarnation: string | null = null): Promise<number> {
    return this.rewards.finish(this.cohort.name, agent, incarnation);
  }

  /** Lets time pass and decides what is due. */
  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.caretaker.closeDue();
    await settleDown();
  }
}

/** A request that waits: whether it is over, and how it ended. */
export class Parked {
  over = false;
  readonly result: Promise<SubmissionResult>;

  constructor(result: Promise<SubmissionResult>) {
    this.result = result;
    const end = () => {
      this.over = true;
    };
    result.then(end, end);
  }
}

export async function openService(options: ServiceOptions = {}): Promise<ServiceScene> {
  const scene = new ServiceScene(options);
  await scene.cohorts.put(scene.cohort);
  return scene;
}

/** Lets everything that waits for nothing but its turn run. */
export async function settleDown(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

/** Turns of the event loop until the condition holds; the test's own timeout is the end. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setImmediate();
}

export function groupOf(
  promptId: string,
  rollouts: readonly RolloutInput[],
  overrides: Partial<GroupInput> = {},
): GroupInput {
  return {
    promptId,
    round: null,
    groundTruth: null,
    mode: null,
    choices: null,
    problem: null,
    split: 'train',
    rollouts,
    ...overrides,
  };
}

/** One rollout with this answer; its id is its index unless told otherwise, and null leaves it anonymous. */
export function rolloutOf(
  answer: string | null,
  index: number | null,
  overrides: Partial<RolloutInput> = {},
): RolloutInput {
  return {
    id: index === null ? null : `r${index}`,
    index,
    content: { kind: 'given', answer },
    tokens: null,
    truncated: false,
    ...overrides,
  };
}

/** A whole group with ids and indices: `answers[i]` is rollout `i`. */
export function wholeGroup(
  promptId: string,
  answers: readonly (string | null)[],
  overrides: Partial<GroupInput> = {},
): GroupInput {
  return groupOf(
    promptId,
    answers.map((answer, index) => rolloutOf(answer, index)),
    overrides,
  );
}

/** A group whose rollouts have neither id nor index, as OpenRLHF sends them. */
export function anonymousGroup(promptId: string, answers: readonly (string | null)[]): GroupInput {
  return groupOf(
    promptId,
    answers.map((answer) => rolloutOf(answer, null)),
  );
}

/** The decided result, or an error that says what came instead. */
export function decided(result: SubmissionResult): Decided {
  if (result.kind !== 'decided') throw new Error(`expected "decided", got ${JSON.stringify(result)}`);
  return result;
}

/** The one group of a decided result. */
export function onlyGroup(result: SubmissionResult): GroupResult {
  const [group, ...more] = decided(result).groups;
  if (group === undefined || more.length > 0) throw new Error('expected exactly one group');
  return group;
}

/** Rewards of the one group, in the order sent. */
export function rewardsOf(result: SubmissionResult): readonly (number | null)[] {
  return onlyGroup(result).rollouts.map(({ reward }) => reward);
}
