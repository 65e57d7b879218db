import type { Cohort } from '../../src/domain/cohort.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { DiagnosticsLog } from '../../src/service/diagnostics-log.ts';
import { OwedReleases } from '../../src/service/owed-releases.ts';
import { Planner } from '../../src/service/planner.ts';
import { Recorder } from '../../src/service/recorder.ts';
import type { Ticket } from '../../src/service/submission.ts';
import type { Logger } from '../../src/service/telemetry.ts';
import { makeHolder, toTicketGroups } from '../../src/service/ticket.ts';
import { AwayStore } from './away-store.ts';
import { agentOf, buildArrival, buildRollouts } from './builders.ts';
import { FakeClock } from './fake-clock.ts';

const QUIET: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface RecordOptions {
  readonly incarnation?: string | null;
  /** As sent; null lets the store count. */
  readonly round?: number | null;
  /** Starts the ids of the rollouts. */
  readonly prefix?: string;
}

/** What records submissions of one cohort in a store that may be away, and nothing else of the service. */
export class Recording {
  readonly clock = new FakeClock();
  readonly store = new AwayStore(this.clock);
  readonly owed = new OwedReleases(this.store);
  readonly recorder = new Recorder({
    store: this.store,
    owed: this.owed,
    telemetry: new Metrics(),
    diagnostics: new DiagnosticsLog({ store: this.store, clock: this.clock, logger: QUIET }),
    planner: new Planner({
      store: this.store,
      clock: this.clock,
      telemetry: new Metrics(),
      logger: QUIET,
    }),
  });
  readonly cohort: Cohort;

  private constructor(cohort: Cohort) {
    this.cohort = cohort;
  }

  static async open(cohort: Cohort): Promise<Recording> {
    const recording = new Recording(cohort);
    await recording.store.putCohort(cohort);
    return recording;
  }

  /** Stores an agent's answers by prompt; the ticket is one of a store that may lose things. */
  async send(
    agentName: string,
    answers: Readonly<Record<string, readonly (string | null)[]>>,
    { incarnation = null, round = null, prefix = 'r' }: RecordOptions = {},
  ): Promise<Ticket> {
    const agent = agentOf(this.cohort, agentName);
    const sender = { cohort: this.cohort, agent, incarnation, step: null, holder: makeHolder(), gone: null };
    const arrivals = Object.entries(answers).map(([promptId, given]) =>
      buildArrival(promptId, buildRollouts(given, prefix), { round }),
    );
    await this.recorder.register(sender);
    const outcomes = await this.recorder.submit(sender, arrivals);
    const groups = arrivals.map((_, arrival) => ({ kind: 'arrival', arrival }) as const);
    return {
      ...sender,
      submissionId: `${agentName}-submission`,
      recordedAt: this.clock.now(),
      groups: toTicketGroups(groups, outcomes),
      repeat: { step: null, arrivals: JSON.stringify(arrivals) },
    };
  }
}
