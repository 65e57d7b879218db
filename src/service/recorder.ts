import type { ArrivalOutcome, GroupArrival } from '../domain/arrival.ts';
import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import type { Plan } from '../domain/plan.ts';
import { paysByTruth, relationsOf } from '../methods/relations.ts';
import type { HeldRef, Store } from '../store/store.ts';
import { findRefusal } from './check-submission.ts';
import type { DiagnosticsLog } from './diagnostics-log.ts';
import { observeDecision } from './observe.ts';
import type { OwedReleases } from './owed-releases.ts';
import type { Planner } from './planner.ts';
import { deletedWhileWaiting, staleIncarnation, unknownSubmission } from './refusals.ts';
import { isStoreTrouble } from './store-troubles.ts';
import type { Ticket } from './submission.ts';
import type { Telemetry } from './telemetry.ts';
import { storedGroups, toTicketGroups } from './ticket.ts';

export interface RecorderParts {
  readonly store: Store;
  readonly owed: OwedReleases;
  readonly planner: Planner;
  readonly telemetry: Telemetry;
  readonly diagnostics: DiagnosticsLog;
}

/** Who sends, on which connection. */
export interface Sender {
  readonly cohort: Cohort;
  readonly agent: Agent;
  readonly incarnation: string | null;
  readonly step: number | null;
  readonly holder: string;
  /** Aborts when the caller leaves. */
  readonly gone: AbortSignal | null;
}

type Stored = Extract<ArrivalOutcome, { readonly kind: 'stored' }>;

/** Puts rollouts into the store, the first time and again when the store has lost them. */
export class Recorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Throws `stale_incarnation` when a newer one speaks for the agent. */
  async register({
    cohort,
    agent,
    incarnation,
  }: Pick<Sender, 'cohort' | 'agent' | 'incarnation'>): Promise<void> {
    const registration = await this.#parts.store.register(cohort.name, agent.name, incarnation);
    if (registration.kind === 'stale') throw staleIncarnation(agent, incarnation, registration.latest);
  }

  /** Outcomes of the arrivals, all stored. Throws what the store refused, or `store_unavailable`. */
  async submit(sender: Sender, arrivals: readonly GroupArrival[]) {
    const { store, owed, planner } = this.#parts;
    const { cohort, agent, holder } = sender;
    // Whoever is refused or fails gets no rewards and may well send the same again, which must not vote twice.
    const giveBack = (held: readonly HeldRef[]) =>
      owed.release({ cohort: cohort.name, agent: agent.name, holder, held });
    try {
      const context = contextOf(sender, await planner.current(cohort));
      const outcomes = await store.submit(cohort, context, arrivals, sender.gone);
      for (const outcome of outcomes) {
        if (outcome.kind === 'stored') observeDecision(outcome, this.#parts, begunBy(agent, outcome));
      }
      const stored = outcomes.flatMap((outcome) => (outcome.kind === 'stored' ? [outcome] : []));
      await planner.learn(cohort, stored);
      const refusal = findRefusal(cohort, agent, outcomes);
      if (refusal === null) return outcomes;
      await giveBack(outcomes.flatMap((outcome) => (outcome.kind === 'stored' ? [outcome.bucket] : [])));
      throw refusal;
    } catch (error) {
      // Some of it may be stored all the same, in rounds that nobody was told of.
      if (isStoreTrouble(error)) await giveBack(arrivals.map(({ promptId, round }) => ({ promptId, round })));
      throw error;
    }
  }

  /** Eval groups are graded at once and so need no memory; a submission of nothing else leaves none. */
  async remember(ticket: Ticket): Promise<void> {
    const { cohort, agent, submissionId, incarnation, recordedAt } = ticket;
    const groups = storedGroups(ticket);
    if (groups.length === 0) return;
    const record = { agent: agent.name, incarnation, recordedAt, groups };
    await this.#parts.store.putSubmission(cohort, submissionId, record);
  }

  /**
   * Stores a submission again that the store has lost, in the same rounds; repeating what is still there changes nothing.
   * Throws `unknown_submission` for a ticket that was only found again and knows no rollouts.
   */
  async repeat(ticket: Ticket): Promise<Ticket> {
    const { store } = this.#parts;
    const { cohort, agent, repeat, incarnation, holder, submissionId } = ticket;
    if (repeat === null) throw unknownSubmission(submissionId);
    if ((await store.getCohort(cohort.name)) === null) throw deletedWhileWaiting(cohort);
    await this.register(ticket);
    const sent: readonly GroupArrival[] = JSON.parse(repeat.arrivals);
    const groups = storedGroups(ticket);
    const arrivals = sent.map((arrival, at) => ({ ...arrival, round: groups[at]?.round ?? arrival.round }));
    const sender = { cohort, agent, incarnation, step: repeat.step, holder, gone: null };
    const outcomes = await this.submit(sender, arrivals);
    let next = 0;
    const places = ticket.groups.map((group) =>
      group.kind === 'stored'
        ? ({ kind: 'arrival', arrival: next++ } as const)
        : ({ kind: 'done', result: group.result } as const),
    );
    const repeated = { ...ticket, groups: toTicketGroups(places, outcomes) };
    await this.remember(repeated);
    return repeated;
  }
}

/** The agent, if these are its first rollouts in the bucket. */
function begunBy({ name }: Agent, { bucket, added }: Stored): AgentName | null {
  return added > 0 && bucket.groups.get(name)?.rollouts.length === added ? name : null;
}

/** Who teaches and who learns from an agent, as the store needs it. */
function contextOf({ cohort, agent, incarnation, step, holder }: Sender, plan: Plan | null) {
  return { cohort, agent, incarnation, step, holder, relationsOf, plan, paysByTruth };
}
