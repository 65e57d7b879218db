import { randomUUID } from 'node:crypto';
import type { ArrivalOutcome } from '../domain/arrival.ts';
import type { Clock } from '../domain/clock.ts';
import type { Skip } from '../domain/close.ts';
import type { Agent, Cohort } from '../domain/cohort.ts';
import { methodOf } from '../methods/registry.ts';
import type { Refused, Store } from '../store/store.ts';
import type { Barrier, WakeUp } from './barrier.ts';
import { checkGroups, throwIfRefused } from './check-submission.ts';
import type { Cohorts } from './cohorts.ts';
import { readiness, scoreGroup } from './judge-groups.ts';
import { observeDecision } from './observe.ts';
import { prepareGroups } from './prepare-groups.ts';
import { deletedWhileWaiting, draining, staleIncarnation, unknownSubmission } from './refusals.ts';
import type { SubmissionInput, SubmissionResult, Ticket, TicketGroup, WaitingFor } from './submission.ts';
import type { Telemetry, WaitOutcome } from './telemetry.ts';

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
}

/** Entries of `waitingFor` in an answer; a big batch may wait for thousands. */
const WAITING_FOR_SHOWN = 100;

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
    checkGroups(cohort, agent, input.groups);
    await this.#register(cohort, agent, input.incarnation);

    const holder = randomUUID();
    const submissionId = input.submissionId ?? holder;
    const prepared = await prepareGroups(cohort, input);
    for (const { split, count } of prepared.counts) {
      telemetry.stored({ cohort: cohort.name, agent: agent.name, split, count });
    }
    const outcomes = await store.submit(
      cohort,
      {
        agent,
        incarnation: input.incarnation,
        step: input.step,
        holder,
        teachers: agentsNamed(cohort, methodOf(cohort.method).waitsFor(cohort, agent)),
        students: studentsOf(cohort, agent),
        barrier: cohort.barrier,
      },
      prepared.arrivals,
    );
    for (const outcome of outcomes) {
      if (outcome.kind === 'stored') observeDecision(cohort, outcome, telemetry);
    }
    const groups = prepared.groups.map((group): TicketGroup => {
      if (group.kind === 'done') return group;
      return { kind: 'stored', group: submittedGroup(outcomes[group.arrival]) };
    });
    throwIfRefused(cohort, agent, outcomes);
    const ticket: Ticket = {
      cohort,
      agent,
      submissionId,
      incarnation: input.incarnation,
      holder,
      recordedAt: clock.now(),
      groups,
    };
    await this.#remember(ticket);
    return ticket;
  }

  /** Finds an earlier submission again, on any replica. Throws `unknown_submission`. */
  async recall(cohortName: string, agentName: string, submissionId: string): Promise<Ticket> {
    const { store, clock, barrier } = this.#parts;
    if (barrier.draining) throw draining();
    const { cohort, agent } = await this.#parts.cohorts.find(cohortName, agentName);
    const record = await store.getSubmission(cohort.name, agent.name, submissionId);
    if (record === null) throw unknownSubmission(submissionId);
    return {
      cohort,
      agent,
      submissionId,
      incarnation: record.incarnation,
      holder: randomUUID(),
      recordedAt: clock.now(),
      groups: record.groups.map((group) => ({ kind: 'stored', group })),
    };
  }

  /**
   * The rewards of a ticket, as soon as all its teachers are decided, or `pending` once the wait is over.
   * Throws `draining`, `stale_incarnation` when the trainer restarted, `unknown_cohort` when it was deleted.
   */
  async settle(ticket: Ticket, { waitMs, signal }: WaitOptions): Promise<SubmissionResult> {
    const { barrier, clock } = this.#parts;
    const { cohort, agent } = ticket;
    const first = await this.#look(ticket);
    const crowded = barrier.held(cohort.name) >= cohort.limits.heldRequests;
    if (first.kind === 'decided' || waitMs <= 0 || crowded) {
      if (first.kind === 'pending') await this.release(ticket);
      return this.#finishWait(ticket, { ...first, ...(first.kind === 'pending' && { crowded }) });
    }
    const waiter = barrier.park({
      cohort: cohort.name,
      agent: agent.name,
      incarnation: ticket.incarnation,
      since: clock.now(),
      promptIds: new Set(promptIdsOf(ticket)),
      waitMs,
      signal,
    });
    try {
      for (;;) {
        const result = await this.#look(ticket);
        if (result.kind === 'decided') return this.#finishWait(ticket, result);
        const reason = await waiter.next();
        if (reason === 'changed') continue;
        const last = reason === 'timeout' ? await this.#look(ticket) : result;
        if (last.kind === 'pending') await this.release(ticket);
        this.#throwIfOver(ticket, reason);
        return this.#finishWait(ticket, last, reason);
      }
    } finally {
      waiter.close();
    }
  }

  /** The caller is gone without its rewards: rollouts without id can be taken up by an identical text. */
  async release(ticket: Ticket): Promise<void> {
    const refs = ticket.groups.flatMap((group) => (group.kind === 'stored' ? [group.group] : []));
    await this.#parts.store.release(ticket.cohort.name, ticket.agent.name, ticket.holder, refs);
  }

  /** The agent sends no (more) rollouts for these prompts; returns the round of each. */
  async skip(
    cohortName: string,
    agentName: string,
    incarnation: string | null,
    skips: readonly Skip[],
  ): Promise<readonly { promptId: string; round: number }[]> {
    const { cohort, agent } = await this.#parts.cohorts.find(cohortName, agentName);
    await this.#register(cohort, agent, incarnation);
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
  async #remember({ cohort, agent, submissionId, incarnation, groups }: Ticket): Promise<void> {
    const stored = groups.flatMap((group) => (group.kind === 'stored' ? [group.group] : []));
    if (stored.length === 0) return;
    const record = { agent: agent.name, incarnation, groups: stored };
    await this.#parts.store.putSubmission(cohort, submissionId, record);
  }

  async #look(ticket: Ticket): Promise<SubmissionResult> {
    const { cohort, agent, submissionId } = ticket;
    const stored = ticket.groups.flatMap((group) => (group.kind === 'stored' ? [group.group] : []));
    const buckets = await this.#parts.store.readBuckets(cohort.name, stored);
    const waitingFor: WaitingFor[] = [];
    for (const bucket of buckets) {
      if (bucket === null) throw unknownSubmission(submissionId);
      const ready = readiness(cohort, agent, bucket);
      if (ready.kind === 'waiting') waitingFor.push(...ready.waitingFor);
    }
    if (waitingFor.length > 0) {
      return {
        kind: 'pending',
        submissionId,
        waitingFor: waitingFor.slice(0, WAITING_FOR_SHOWN),
        waitingForTotal: waitingFor.length,
        crowded: false,
      };
    }
    let next = 0;
    const groups = ticket.groups.map((group) => {
      if (group.kind === 'done') return group.result;
      const bucket = buckets[next++];
      const result = bucket == null ? null : scoreGroup(cohort, agent, bucket, group.group);
      if (result === null) throw unknownSubmission(submissionId);
      return result;
    });
    return { kind: 'decided', submissionId, groups, waitedMs: this.#waited(ticket) };
  }

  #finishWait(ticket: Ticket, result: SubmissionResult, reason: WakeUp = 'timeout'): SubmissionResult {
    this.#tellWait(
      ticket,
      result.kind === 'decided' ? 'decided' : reason === 'aborted' ? 'aborted' : 'pending',
    );
    return result;
  }

  #throwIfOver(ticket: Ticket, reason: WakeUp): void {
    if (reason === 'draining') {
      this.#tellWait(ticket, 'drained');
      throw draining();
    }
    if (reason === 'superseded') throw staleIncarnation(ticket.agent, ticket.incarnation, null);
    if (reason === 'deleted') throw deletedWhileWaiting(ticket.cohort);
  }

  #tellWait({ cohort, agent, ...ticket }: Ticket, outcome: WaitOutcome): void {
    const ms = this.#parts.clock.now() - ticket.recordedAt;
    this.#parts.telemetry.waited({ cohort: cohort.name, agent: agent.name, outcome, ms });
  }

  #waited(ticket: Ticket): number {
    return this.#parts.clock.now() - ticket.recordedAt;
  }
}

function submittedGroup(outcome: ArrivalOutcome | Refused | undefined) {
  if (outcome?.kind !== 'stored') return { promptId: '', round: 0, rolloutIds: [], incarnation: null };
  const { promptId, round } = outcome.bucket;
  return {
    promptId,
    round,
    rolloutIds: outcome.slots.map(({ id }) => id),
    incarnation: outcome.slots[0]?.incarnation ?? null,
  };
}

function* promptIdsOf(ticket: Ticket): Generator<string> {
  for (const group of ticket.groups) if (group.kind === 'stored') yield group.group.promptId;
}

function agentsNamed(cohort: Cohort, names: readonly string[]): Agent[] {
  return cohort.agents.filter(({ name }) => names.includes(name));
}

function studentsOf(cohort: Cohort, agent: Agent): string[] {
  const { waitsFor } = methodOf(cohort.method);
  return cohort.agents
    .filter((other) => waitsFor(cohort, other).includes(agent.name))
    .map(({ name }) => name);
}
