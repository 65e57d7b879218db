import type { Clock } from '../domain/clock.ts';
import type { Skip } from '../domain/close.ts';
import type { Store } from '../store/store.ts';
import type { Assessor } from './assess.ts';
import type { Barrier, WakeUp } from './barrier.ts';
import { checkGroups } from './check-submission.ts';
import type { Cohorts } from './cohorts.ts';
import { Departures } from './departures.ts';
import type { DiagnosticsLog } from './diagnostics-log.ts';
import { noteDisputes } from './note-disputes.ts';
import { noteEvaluation } from './note-evaluation.ts';
import { noteFinish } from './note-finish.ts';
import { observeDecision } from './observe.ts';
import { OwedReleases } from './owed-releases.ts';
import type { Planner } from './planner.ts';
import { prepareGroups } from './prepare-groups.ts';
import { Recorder } from './recorder.ts';
import { deletedWhileWaiting, draining, staleIncarnation, unknownSubmission } from './refusals.ts';
import type { SampleLog } from './sample-log.ts';
import { checkProtocol } from './signal-faults.ts';
import { isStoreTrouble, isUnavailable } from './store-troubles.ts';
import type { SubmissionInput, SubmissionResult, Ticket } from './submission.ts';
import type { Logger, Telemetry, WaitOutcome } from './telemetry.ts';
import { hasServerIds, makeHolder, promptIdsOf, storedGroups, toTicketGroups } from './ticket.ts';
import { TicketWatch } from './ticket-watch.ts';

export interface RewardServiceParts {
  readonly store: Store;
  readonly cohorts: Cohorts;
  readonly barrier: Barrier;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly planner: Planner;
  readonly diagnostics: DiagnosticsLog;
  readonly assessors: readonly Assessor[];
  readonly samples: SampleLog;
  readonly logger: Logger;
}

export interface WaitOptions {
  /** 0 answers at once with what is known. */
  readonly waitMs: number;
  /** Aborts when the caller is gone; what was recorded stays. */
  readonly signal: AbortSignal | null;
  /** Called once the request is held. */
  readonly onHeld?: (() => void) | undefined;
}

/**
 * The use cases of a trainer: record rollouts, wait for their rewards, ask again, skip, leave. Recording
 * and waiting are two calls, so that whoever waits keeps nothing of the request but a ticket.
 */
export class RewardService {
  readonly #parts: RewardServiceParts;
  readonly #helpers: {
    readonly recorder: Recorder;
    readonly owed: OwedReleases;
    readonly departures: Departures;
  };

  constructor(parts: RewardServiceParts) {
    this.#parts = parts;
    const { store, telemetry, diagnostics, planner } = parts;
    const owed = new OwedReleases(store);
    const recorder = new Recorder({ store, telemetry, diagnostics, owed, planner });
    const departures = new Departures();
    this.#helpers = { owed, recorder, departures };
    store.onInquiry(async () => {
      await departures.settled();
      await owed.settled();
      await owed.pay();
    });
  }

  /**
   * Stores a submission; once this resolves, it counts. Repeating it is safe. `gone` aborts when the
   * caller leaves. Throws ServiceError: nothing of a refused group is stored, and the sound groups beside it are.
   */
  async record(input: SubmissionInput, gone: AbortSignal | null = null): Promise<Ticket> {
    return this.#helpers.departures.inTurn(input, gone, async () => {
      const ticket = await this.#record(input, gone);
      if (gone?.aborted) await this.release(ticket);
      return ticket;
    });
  }

  async #record(input: SubmissionInput, gone: AbortSignal | null): Promise<Ticket> {
    const { store, clock, telemetry, barrier, cohorts, assessors, samples } = this.#parts;
    const { recorder, owed } = this.#helpers;
    if (barrier.draining) throw draining();
    const { cohort, agent } = await cohorts.find(input.cohort, input.agent);
    barrier.attendance.note(cohort.name, agent.name, clock.now());
    const { incarnation, step } = input;
    checkProtocol(cohort, input);
    checkGroups(cohort, agent, input.groups);
    await owed.pay();
    await recorder.register({ cohort, agent, incarnation });
    const prepared = await prepareGroups({ cohort, agent, assessors }, input);
    // The trainer may have restarted meanwhile, and its old answers must not come after its new ones.
    if (prepared.paused && incarnation !== null) await recorder.register({ cohort, agent, incarnation });
    for (const { split, count } of prepared.counts) {
      telemetry.stored({ cohort: cohort.name, agent: agent.name, split, count });
    }
    noteEvaluation({ cohort, agent }, step, prepared.graded, this.#parts);
    const { unreadableTruths: count } = prepared;
    if (count > 0) telemetry.truthsUnread({ cohort: cohort.name, agent: agent.name, count });
    const connection = makeHolder();
    const holder = store.nameHolder(connection);
    const outcomes = await recorder.submit(
      { cohort, agent, incarnation, step, holder, gone },
      prepared.arrivals,
    );
    noteDisputes({ cohort, agent }, outcomes, this.#parts);
    samples.take({ cohort: cohort.name, agent: agent.name }, input.groups, prepared, outcomes);
    const ticket: Ticket = {
      cohort,
      agent,
      submissionId: input.submissionId ?? connection,
      incarnation,
      holder,
      recordedAt: clock.now(),
      groups: toTicketGroups(prepared.groups, outcomes),
      repeat: barrier.rechecks ? { step, arrivals: JSON.stringify(prepared.arrivals) } : null,
    };
    if (input.recallable === false) return ticket;
    try {
      await recorder.remember(ticket);
    } catch (error) {
      await this.release(ticket);
      throw error;
    }
    return ticket;
  }

  /** Finds an earlier submission again, on any replica. Throws `unknown_submission`. */
  async recall(cohortName: string, agentName: string, submissionId: string): Promise<Ticket> {
    const { store, barrier } = this.#parts;
    if (barrier.draining) throw draining();
    const { cohort, agent } = await this.#parts.cohorts.find(cohortName, agentName);
    barrier.attendance.note(cohort.name, agent.name, this.#parts.clock.now());
    const record = await store.getSubmission(cohort.name, agent.name, submissionId);
    if (record === null) throw unknownSubmission(submissionId);
    const { incarnation, recordedAt, groups } = record;
    const holder = store.nameHolder(makeHolder());
    if (groups.some(hasServerIds)) await store.hold(cohort.name, agent.name, holder, groups);
    return {
      cohort,
      agent,
      submissionId,
      incarnation,
      holder,
      recordedAt,
      groups: groups.map((group) => ({ kind: 'stored', group })),
      repeat: null,
    };
  }

  /**
   * The rewards of a ticket, as soon as all its teachers are decided, or `pending` once the wait is over.
   * Throws `draining`, `stale_incarnation` when the trainer restarted, `unknown_cohort` when it was deleted.
   */
  async settle(ticket: Ticket, { waitMs, signal, onHeld }: WaitOptions): Promise<SubmissionResult> {
    const { barrier, clock, store } = this.#parts;
    const { cohort, agent, incarnation } = ticket;
    const watch = new TicketWatch(store, ticket, (lost) => this.#helpers.recorder.repeat(lost));
    const first = await this.#lookFirst(ticket, watch);
    if (first.kind === 'decided') return this.#tellWait(ticket, first, 'decided');
    const crowded = waitMs > 0 && barrier.held(cohort.name) >= cohort.limits.heldRequests;
    if (waitMs <= 0 || crowded) {
      await this.release(ticket);
      return this.#tellWait(ticket, { ...first, crowded }, 'pending');
    }
    const waiter = barrier.park({
      cohort: cohort.name,
      agent: agent.name,
      incarnation,
      since: clock.now(),
      promptIds: promptIdsOf(ticket),
      waitMs,
      signal,
    });
    try {
      // Whatever happened before this request was parked woke nobody: look again.
      if (incarnation !== null) await this.#bear(() => this.#helpers.recorder.register(ticket));
      const look = (dirty: ReadonlySet<string> | null) => this.#bear(() => watch.look(dirty, clock.now()));
      let result = await look(null);
      if (result?.kind !== 'decided') onHeld?.();
      while (result?.kind !== 'decided') {
        const reason = await waiter.next();
        if (reason !== 'changed') return await this.#leave(ticket, watch, reason);
        // What could not be looked at is looked at with the next.
        result = await look(result === null ? null : waiter.takeDirty());
      }
      return this.#tellWait(ticket, result, 'decided');
    } finally {
      waiter.close();
    }
  }

  /** The caller is gone without its rewards: rollouts without id can be taken up by an identical text. */
  async release(ticket: Ticket): Promise<void> {
    const { cohort, agent, holder } = ticket;
    const held = storedGroups(ticket);
    await this.#helpers.owed.release({ cohort: cohort.name, agent: agent.name, holder, held });
  }

  /**
   * The rewards of a ticket were written to its caller: an identical text that comes from now on is another rollout. Told
   * after the fact, since who dies before the reply is out must leave the rollouts to a retry.
   */
  async answered(ticket: Ticket): Promise<void> {
    const { cohort, agent, holder } = ticket;
    const held = storedGroups(ticket).filter(hasServerIds);
    await this.#helpers.owed.answer({ cohort: cohort.name, agent: agent.name, holder, held });
  }

  /** The rewards of a ticket have this moment been handed to the operating system. Returns at once. */
  announceAnswer(ticket: Ticket): void {
    if (storedGroups(ticket).some(hasServerIds)) this.#parts.store.receipts.announce(ticket.holder);
  }

  /** Resolves once the store was told who was answered; call it before the store is closed. */
  async settled(): Promise<void> {
    await this.#helpers.owed.settled();
  }

  /** The agent sends no (more) rollouts for these prompts; returns the round of each. */
  async skip(
    cohortName: string,
    agentName: string,
    incarnation: string | null,
    skips: readonly Skip[],
  ): Promise<readonly { promptId: string; round: number }[]> {
    const { cohort, agent } = await this.#parts.cohorts.find(cohortName, agentName);
    // A null one would bring back an agent that has finished, and a skip is no reason to.
    if (incarnation !== null) await this.#helpers.recorder.register({ cohort, agent, incarnation });
    const skipped = await this.#parts.store.skip(cohort, agent.name, skips);
    const decisions = skipped.flatMap(({ decision }) => decision ?? []);
    for (const decision of decisions) observeDecision(decision, this.#parts);
    await this.#parts.planner.learn(cohort, decisions);
    return skipped.map(({ ref }) => ref);
  }

  /** The agent leaves: nobody waits for it any more. Returns how many groups that decided. */
  async finish(cohortName: string, agentName: string, incarnation: string | null): Promise<number> {
    const { cohort, agent } = await this.#parts.cohorts.find(cohortName, agentName);
    await this.#helpers.recorder.register({ cohort, agent, incarnation });
    const decisions = await this.#parts.store.finish(cohort, agent.name);
    for (const decision of decisions) observeDecision(decision, this.#parts);
    await this.#parts.planner.learn(cohort, decisions);
    await noteFinish({ cohort, agent }, this.#parts);
    return decisions.length;
  }

  /** Who is not parked yet is told at once that the store is away, and gives back what it may hold. */
  async #lookFirst(ticket: Ticket, watch: TicketWatch): Promise<SubmissionResult> {
    try {
      return await watch.look(null, this.#parts.clock.now());
    } catch (error) {
      if (isStoreTrouble(error)) await this.release(ticket);
      throw error;
    }
  }

  /** Who is parked waits for the store to come back, as for anything else. Null: it is away. */
  async #bear<T>(action: () => Promise<T>): Promise<T | null> {
    try {
      return await action();
    } catch (error) {
      if (isUnavailable(error)) return null;
      throw error;
    }
  }

  /** Ends a wait without a decision, unless there is one by now. */
  async #leave(
    ticket: Ticket,
    watch: TicketWatch,
    reason: Exclude<WakeUp, 'changed'>,
  ): Promise<SubmissionResult> {
    if (reason === 'superseded') throw staleIncarnation(ticket.agent, ticket.incarnation, null);
    if (reason === 'deleted') throw deletedWhileWaiting(ticket.cohort);
    const last = (await this.#bear(() => watch.look(null, this.#parts.clock.now()))) ?? watch.pending();
    if (last.kind === 'decided') return this.#tellWait(ticket, last, 'decided');
    await this.release(ticket);
    if (reason === 'draining') {
      this.#tellWait(ticket, last, 'drained');
      throw draining();
    }
    return this.#tellWait(ticket, last, reason === 'aborted' ? 'aborted' : 'pending');
  }

  #tellWait(ticket: Ticket, result: SubmissionResult, outcome: WaitOutcome): SubmissionResult {
    const { cohort, agent, recordedAt } = ticket;
    const ms = this.#parts.clock.now() - recordedAt;
    this.#parts.telemetry.waited({ cohort: cohort.name, agent: agent.name, outcome, ms });
    return result;
  }
}
