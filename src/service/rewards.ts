import type { Clock } from '../domain/clock.ts';
import type { Skip } from '../domain/close.ts';
import type { Agent, Cohort } from '../domain/cohort.ts';
import { methodOf } from '../methods/registry.ts';
import type { Store } from '../store/store.ts';
import type { Barrier, WakeUp } from './barrier.ts';
import { checkGroups, findRefusal } from './check-submission.ts';
import type { Cohorts } from './cohorts.ts';
import { lookUp } from './look-up.ts';
import { observeDecision } from './observe.ts';
import { prepareGroups } from './prepare-groups.ts';
import { deletedWhileWaiting, draining, staleIncarnation, unknownSubmission } from './refusals.ts';
import type { SubmissionInput, SubmissionResult, Ticket } from './submission.ts';
import type { Telemetry, WaitOutcome } from './telemetry.ts';
import { hasServerIds, makeHolder, promptIdsOf, storedGroups, toTicketGroups } from './ticket.ts';

export interface RewardServiceParts {
  readonly store: Store;
  readonly cohorts: Cohorts;
  readonly barrier: Barrier;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export interface WaitOptions {
  /** 0 answers at once with what is known. */
  readonly waitMs: number;
  /** Aborts when the caller is gone; what was recorded stays. */
  readonly signal: AbortSignal | null;
  /** Called once the request is held. */
  readonly onHeld?: (() => void) | undefined;
  /** True: when it is pending without having been held, the caller releases the ticket itself, later. */
  readonly keepsPlace?: boolean;
}

/**
 * The use cases of a trainer: record rollouts, wait for their rewards, ask again, skip, leave. Recording
 * and waiting are two calls, so that whoever waits keeps nothing of the request but a ticket.
 */
export class RewardService {
  readonly #parts: RewardServiceParts;

  constructor(parts: RewardServiceParts) {
    this.#parts = parts;
  }

  /**
   * Stores a submission; once this resolves, it counts. Repeating it is safe. Throws ServiceError: nothing
   * of a refused group is stored, and the sound groups beside it are.
   */
  async record(input: SubmissionInput): Promise<Ticket> {
    const { store, clock, telemetry, barrier } = this.#parts;
    if (barrier.draining) throw draining();
    const { cohort, agent } = await this.#parts.cohorts.find(input.cohort, input.agent);
    const { incarnation, step } = input;
    checkGroups(cohort, agent, input.groups);
    await this.#register(cohort, agent, incarnation);
    const prepared = await prepareGroups(cohort, input);
    // The trainer may have restarted meanwhile, and its old answers must not come after its new ones.
    if (prepared.paused && incarnation !== null) await this.#register(cohort, agent, incarnation);
    for (const { split, count } of prepared.counts) {
      telemetry.stored({ cohort: cohort.name, agent: agent.name, split, count });
    }
    const holder = makeHolder();
    const context = { ...contextOf(cohort, agent), incarnation, step, holder };
    const outcomes = await store.submit(cohort, context, prepared.arrivals);
    for (const outcome of outcomes) {
      if (outcome.kind === 'stored') observeDecision(cohort, outcome, telemetry);
    }
    const refusal = findRefusal(cohort, agent, outcomes);
    if (refusal !== null) {
      // The caller gets no rewards and may well send the same again, which must not vote twice.
      const refs = outcomes.flatMap((outcome) => (outcome.kind === 'stored' ? [outcome.bucket] : []));
      await store.release(cohort.name, agent.name, holder, refs);
      throw refusal;
    }
    const ticket: Ticket = {
      cohort,
      agent,
      submissionId: input.submissionId ?? holder,
      incarnation,
      holder,
      recordedAt: clock.now(),
      groups: toTicketGroups(prepared, outcomes),
    };
    if (input.recallable !== false) await this.#remember(ticket);
    return ticket;
  }

  /** Finds an earlier submission again, on any replica. Throws `unknown_submission`. */
  async recall(cohortName: string, agentName: string, submissionId: string): Promise<Ticket> {
    const { store, barrier } = this.#parts;
    if (barrier.draining) throw draining();
    const { cohort, agent } = await this.#parts.cohorts.find(cohortName, agentName);
    const record = await store.getSubmission(cohort.name, agent.name, submissionId);
    if (record === null) throw unknownSubmission(submissionId);
    const { incarnation, recordedAt, groups } = record;
    const holder = makeHolder();
    if (groups.some(hasServerIds)) await store.hold(cohort.name, agent.name, holder, groups);
    return {
      cohort,
      agent,
      submissionId,
      incarnation,
      holder,
      recordedAt,
      groups: groups.map((group) => ({ kind: 'stored', group })),
    };
  }

  /**
   * The rewards of a ticket, as soon as all its teachers are decided, or `pending` once the wait is over.
   * Throws `draining`, `stale_incarnation` when the trainer restarted, `unknown_cohort` when it was deleted.
   */
  async settle(
    ticket: Ticket,
    { waitMs, signal, onHeld, keepsPlace = false }: WaitOptions,
  ): Promise<SubmissionResult> {
    const { barrier, clock } = this.#parts;
    const { cohort, agent, incarnation } = ticket;
    const first = await this.#look(ticket);
    if (first.kind === 'decided') return this.#tellWait(ticket, first, 'decided');
    const crowded = waitMs > 0 && barrier.held(cohort.name) >= cohort.limits.heldRequests;
    if (waitMs <= 0 || crowded) {
      if (!keepsPlace) await this.release(ticket);
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
      if (incarnation !== null) await this.#register(cohort, agent, incarnation);
      let result = await this.#look(ticket);
      if (result.kind === 'pending') onHeld?.();
      while (result.kind === 'pending') {
        const reason = await waiter.next();
        if (reason !== 'changed') return await this.#leave(ticket, reason);
        result = await this.#look(ticket);
      }
      return this.#tellWait(ticket, result, 'decided');
    } finally {
      waiter.close();
    }
  }

  /** The caller is gone without its rewards: rollouts without id can be taken up by an identical text. */
  async release(ticket: Ticket): Promise<void> {
    const { cohort, agent, holder } = ticket;
    await this.#parts.store.release(cohort.name, agent.name, holder, storedGroups(ticket));
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
    if (incarnation !== null) await this.#register(cohort, agent, incarnation);
    const skipped = await this.#parts.store.skip(cohort, agent.name, skips);
    for (const { decision } of skipped) {
      if (decision !== null) observeDecision(cohort, decision, this.#parts.telemetry);
    }
    return skipped.map(({ ref }) => ref);
  }

  /** The agent leaves: nobody waits for it any more. Returns how many groups that decided. */
  async finish(cohortName: string, agentName: string, incarnation: string | null): Promise<number> {
    const { cohort, agent } = await this.#parts.cohorts.find(cohortName, agentName);
    await this.#register(cohort, agent, incarnation);
    const decisions = await this.#parts.store.finish(cohort, agent.name);
    for (const decision of decisions) observeDecision(cohort, decision, this.#parts.telemetry);
    return decisions.length;
  }

  async #register(cohort: Cohort, agent: Agent, incarnation: string | null): Promise<void> {
    const registration = await this.#parts.store.register(cohort.name, agent.name, incarnation);
    if (registration.kind === 'stale') throw staleIncarnation(agent, incarnation, registration.latest);
  }

  /** Eval groups are graded at once and so need no memory; a submission of nothing else leaves none. */
  async #remember(ticket: Ticket): Promise<void> {
    const { cohort, agent, submissionId, incarnation, recordedAt } = ticket;
    const groups = storedGroups(ticket);
    if (groups.length === 0) return;
    const record = { agent: agent.name, incarnation, recordedAt, groups };
    await this.#parts.store.putSubmission(cohort, submissionId, record);
  }

  #look(ticket: Ticket): Promise<SubmissionResult> {
    return lookUp(this.#parts.store, ticket, this.#parts.clock.now());
  }

  /** Ends a wait without a decision, unless there is one by now. */
  async #leave(ticket: Ticket, reason: Exclude<WakeUp, 'changed'>): Promise<SubmissionResult> {
    if (reason === 'superseded') throw staleIncarnation(ticket.agent, ticket.incarnation, null);
    if (reason === 'deleted') throw deletedWhileWaiting(ticket.cohort);
    const last = await this.#look(ticket);
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

/** Who teaches and who learns from an agent, as the store needs it. */
function contextOf(cohort: Cohort, agent: Agent) {
  const { waitsFor } = methodOf(cohort.method);
  const teachers = waitsFor(cohort, agent);
  const students = cohort.agents.filter((other) => waitsFor(cohort, other).includes(agent.name));
  return {
    agent,
    teachers: cohort.agents.filter(({ name }) => teachers.includes(name)),
    students: students.map(({ name }) => name),
    barrier: cohort.barrier,
  };
}
