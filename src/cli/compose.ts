import { cohortConfigSchema } from '../config/cohort-schema.ts';
import { parseCohort, toCohortConfig } from '../config/parse-cohort.ts';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../domain/clock.ts';
import { sayWalls } from '../external/sandbox/walls.ts';
import { type App, buildApp, type MetricsView } from '../http/app.ts';
import { buildMetricsApp } from '../http/metrics-app.ts';
import { createLogger } from '../observability/logger.ts';
import { Metrics } from '../observability/metrics.ts';
import { Redaction } from '../observability/redaction.ts';
import { Barrier } from '../service/barrier.ts';
import { Caretaker } from '../service/caretaker.ts';
import { CodeAssessor } from '../service/code/code-assessor.ts';
import { Cohorts } from '../service/cohorts.ts';
import { DiagnosticsLog } from '../service/diagnostics-log.ts';
import { DiagnosticsReader } from '../service/diagnostics-reader.ts';
import { Inspector } from '../service/inspect.ts';
import { Manifests } from '../service/manifests.ts';
import { Planner } from '../service/planner.ts';
import { RewardService } from '../service/rewards.ts';
import { SampleLog } from '../service/sample-log.ts';
import type { Store } from '../store/store.ts';
import { declareCohorts } from './declare-cohorts.ts';
import { openCodeRunner } from './open-code-runner.ts';
import { openJudge } from './open-judge.ts';
import { openStore } from './open-store.ts';
import { openTokens } from './open-tokens.ts';
import { secretsOf } from './secrets.ts';
import { VERSION } from './version.ts';

export interface Server {
  readonly app: App;
  /** What listens on the port for metrics; null where there is none. */
  readonly metricsApp: App | null;
  readonly store: Store;
  readonly caretaker: Caretaker;
  /** Answers everyone who waits, then closes. Safe to call twice. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** Default: the one that the configuration asks for. */
  readonly store?: Store;
}

/** The composition root: the one place that knows every concrete class. */
export async function composeServer({ config, clock, store: given }: ComposeOptions): Promise<Server> {
  const { server, cohorts: configured } = config;
  const redaction = new Redaction(secretsOf(config));
  const logger = createLogger(server.logLevel, redaction);
  const metrics = new Metrics();
  const { store, recheckMs, redisUp, redisMemory } =
    given === undefined
      ? await openStore(config, { clock, logger, metrics })
      : { store: given, recheckMs: null, redisUp: () => null, redisMemory: async () => null };
  const barrier = new Barrier(store, clock, recheckMs);
  const cohorts = new Cohorts(store, metrics, server.maxCohorts);
  const samples = new SampleLog({ store, clock, logger });
  const runner = openCodeRunner(config.code, {
    onReplaced: (reason, error) => {
      metrics.workerReplaced(reason);
      // What outlasts its time is everyday; a worker that may no longer be believed is not.
      if (reason !== 'timeout') logger.warn({ reason, err: error }, 'A worker for programs was replaced.');
    },
    onOpened: (walls) => logger.info({ walls }, sayWalls(walls)),
  });
  const { queuePrograms, unify } = config.code;
  const code = new CodeAssessor({ runner, telemetry: metrics, queuePrograms, unify });
  const diagnostics = new DiagnosticsLog({ store, clock, logger });
  const judge = config.judge === null ? null : openJudge(config.judge, clock, metrics);
  const planner = new Planner({ store, clock, telemetry: metrics, logger });
  const rewards = new RewardService({
    store,
    cohorts,
    barrier,
    clock,
    telemetry: metrics,
    diagnostics,
    planner,
    logger,
    assessors: judge === null ? [code] : [code, judge.assessor],
    samples,
  });
  const caretaker = new Caretaker({
    store,
    barrier,
    clock,
    telemetry: metrics,
    diagnostics,
    logger,
    planner,
  });
  const tokens = openTokens(server, { clock, logger });
  const stopDeclaring = await declareCohorts(configured, cohorts, logger);

  const view: MetricsView = {
    expose: async () => ({
      contentType: metrics.registry.contentType,
      text: await metrics.expose({
        cohorts: () => store.listCohorts(),
        redisUp,
        judge: () => judge?.state() ?? null,
        redisMemory,
        programsPending: () => code.pending,
        awaited: (cohort) =>
          caretaker.awaited(cohort).map(({ agent, prompts, since }) => ({
            agent,
            prompts,
            seconds: Math.max(0, clock.now() - since) / 1000,
          })),
        openBuckets: (cohort) => store.countOpenBuckets(cohort),
        held: (cohort) => barrier.held(cohort),
        findings: (cohort) => caretaker.findings(cohort),
      }),
    }),
    observeRequest: (labels, seconds) => metrics.observeRequest(labels, seconds),
  };
  const app = await buildApp({
    settings: {
      bodyLimitBytes: server.bodyLimitBytes,
      maxWaitMs: server.maxWaitMs,
      openRlhfHoldMs: server.openrlhfHoldMs,
      slimeHoldMs: server.slimeHoldMs,
      slimeHeldPerAgent: server.slimeHeldPerAgent,
      keepAliveTimeoutMs: server.keepAliveTimeoutMs,
      uploadTimeoutMs: server.uploadTimeoutMs,
      maxConnections: server.maxConnections,
      requestsPerSecond: server.requestsPerSecond,
      allowedHosts: server.allowedHosts,
      servesMetrics: server.metricsPort === null,
    },
    tokens,
    isSandboxDown: () => runner.isDown,
    version: VERSION,
    cohorts,
    manifests: new Manifests(store, cohorts),
    rewards,
    barrier,
    caretaker,
    planner,
    inspector: new Inspector(store, cohorts, clock, planner),
    diagnostics: new DiagnosticsReader(store, cohorts, diagnostics),
    metrics: view,
    parser: { schema: cohortConfigSchema, parse: parseCohort, format: toCohortConfig },
    logger,
    clock,
    redact: redaction.clean,
  });
  const metricsApp = server.metricsPort === null ? null : buildMetricsApp(view, logger);
  caretaker.start();
  return {
    app,
    metricsApp,
    store,
    caretaker,
    close: async () => {
      stopDeclaring();
      tokens.stop();
      caretaker.stop();
      // Whoever waits for a verdict is sent away, or the app would wait for it too.
      const judged = judge?.close();
      // Before the requests are waited for: those whose programs still wait or run are told to ask again elsewhere.
      await runner.close();
      await app.close();
      await judged;
      await rewards.settled();
      await samples.flush();
      await metricsApp?.close();
      await diagnostics.flush();
      await store.close();
    },
  };
}
