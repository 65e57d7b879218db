import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Clock } from '../domain/clock.ts';
import type { CohortParser } from '../protocol/cohort.ts';
import { FLOAT_KEYS, stringifyWithFloats } from '../protocol/float-json.ts';
import type { Barrier } from '../service/barrier.ts';
import type { Caretaker } from '../service/caretaker.ts';
import type { Cohorts } from '../service/cohorts.ts';
import type { DiagnosticsReader } from '../service/diagnostics-reader.ts';
import type { Inspector } from '../service/inspect.ts';
import type { Manifests } from '../service/manifests.ts';
import type { Planner } from '../service/planner.ts';
import type { RewardService } from '../service/rewards.ts';
import { Access, type TokenHolders } from './access.ts';
import { Callers } from './callers.ts';
import { answerClientError, refuseExpectation, registerErrors, sendProblemOf } from './errors.ts';
import { EventFeed } from './event-feed.ts';
import { refuseEncodings, registerJsonBody } from './json-body.ts';
import { registerHeaders, registerRateLimit } from './limits.ts';
import { MethodGuards } from './method-guards.ts';
import { registerOpenApi } from './openapi.ts';
import { registerOrigins } from './origins.ts';
import { PromptDirectory } from './prompt-directory.ts';
import { registerRedaction } from './redaction.ts';
import { RefusalLog } from './refusal-log.ts';
import { registerAnswerRoutes } from './routes/answers.ts';
import { registerCohortRoutes } from './routes/cohorts.ts';
import { registerDiagnosticsRoutes } from './routes/diagnostics.ts';
import { registerLiveRoutes } from './routes/live.ts';
import { registerNativeRoutes } from './routes/native.ts';
import { registerOpenRlhfRoutes } from './routes/openrlhf.ts';
import { registerOperations } from './routes/operations.ts';
import { registerPage } from './routes/page.ts';
import { registerPlanRoutes } from './routes/plans.ts';
import { registerPromptRoutes } from './routes/prompts.ts';
import { registerRollRoutes } from './routes/roll.ts';
import { registerSlimeRoutes } from './routes/slime.ts';
import { validatorCompiler } from './validation.ts';

export interface HttpSettings {
  readonly bodyLimitBytes: number;
  /** Longest slice that a native request waits. */
  readonly maxWaitMs: number;
  /** How long an OpenRLHF request is held before 503; below that client's 180 s. */
  readonly openRlhfHoldMs: number;
  /** How long a slime request is held before 503; below that client's 120 s. */
  readonly slimeHoldMs: number;
  /** Requests of one agent that are held for slime, which has 64 connections. */
  readonly slimeHeldPerAgent: number;
  readonly keepAliveTimeoutMs: number;
  readonly uploadTimeoutMs: number;
  readonly maxConnections: number;
  /** Of one token or address; 0: any number. */
  readonly requestsPerSecond: number;
  /** Names that the server answers to without tokens, beside localhost and addresses. */
  readonly allowedHosts: readonly string[];
  /** False where another port serves /metrics. */
  readonly servesMetrics: boolean;
}

export interface MetricsView {
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
  observeRequest(labels: { method: string; route: string; status: string }, seconds: number): void;
}

export interface AppParts {
  readonly settings: HttpSettings;
  readonly tokens: TokenHolders;
  readonly version: string;
  readonly inspector: Inspector;
  readonly diagnostics: DiagnosticsReader;
  readonly cohorts: Cohorts;
  readonly manifests: Manifests;
  readonly rewards: RewardService;
  readonly barrier: Barrier;
  readonly caretaker: Caretaker;
  readonly planner: Planner;
  readonly metrics: MetricsView;
  /** The last worker for programs could not be started, and none runs. */
  readonly isSandboxDown: () => boolean;
  readonly parser: CohortParser;
  readonly logger: FastifyBaseLogger;
  readonly clock: Clock;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** What the routes share beside their parts. */
export interface RouteParts extends AppParts {
  readonly access: Access;
  readonly callers: Callers;
  readonly prompts: PromptDirectory;
  readonly events: EventFeed;
}

/** Sockets that may wait to be accepted: OpenRLHF opens one per rollout. */
export const LISTEN_BACKLOG = 4096;

/** How long a closing server waits for the answers that are being written. */
const LAST_ANSWERS_MS = 900;

export type App = FastifyInstance;

/** The HTTP side of a server, without a socket yet. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, barrier, clock } = parts;
  const app = Fastify({
    loggerInstance: parts.logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: settings.bodyLimitBytes,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    // Covers receiving a request, not waiting for its answer.
    requestTimeout: settings.uploadTimeoutMs,
    // Node looks for overdue uploads this often.
    http: {
      connectionsCheckingInterval: Math.min(30_000, settings.uploadTimeoutMs),
      // Looked at with what it says, see `registerOrigins`.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 2048 },
    forceCloseConnections: true,
    // Requests that come while the server closes are refused by us, as problems.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendProblemOf(error, request, reply),
    clientErrorHandler: answerClientError,
  }).withTypeProvider<ZodTypeProvider>();
  // Node takes the longer of the two for the body, whichever it is.
  app.server.maxConnections = settings.maxConnections;
  app.server.headersTimeout = Math.min(app.server.headersTimeout, settings.uploadTimeoutMs);
  app.server.on('checkExpectation', refuseExpectation);
  app.setValidatorCompiler(validatorCompiler);
  // One writer for every reply: rewards are floats on the wire, whatever the route.
  app.setSerializerCompiler(() => (payload) => stringifyWithFloats(payload, FLOAT_KEYS));
  registerJsonBody(app);
  registerErrors(app, new RefusalLog(clock));
  registerRedaction(app, parts.redact);
  const callers = new Callers();
  callers.register(app);
  await registerHeaders(app);
  const access = new Access(parts.tokens);
  registerOrigins(app, { isOpen: () => access.isOpen, allowedHosts: settings.allowedHosts });
  access.registerHolders(app);
  registerRateLimit(app, clock, settings.requestsPerSecond);
  access.registerNeeds(app);
  refuseEncodings(app);
  const guards = new MethodGuards();
  guards.watch(app);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    parts.metrics.observeRequest(labels, reply.elapsedTime / 1000);
  });
  await registerOpenApi(app, parts.version);
  const events = new EventFeed(clock);
  const prompts = new PromptDirectory(parts.manifests);
  const shared: RouteParts = { ...parts, access, callers, events, prompts };
  await app.register(async (scope) => registerOperations(scope, shared));
  await app.register(async (scope) => registerCohortRoutes(scope, shared));
  await app.register(async (scope) => registerPlanRoutes(scope, shared));
  await app.register(async (scope) => registerDiagnosticsRoutes(scope, shared));
  await app.register(async (scope) => registerNativeRoutes(scope, shared));
  await app.register(async (scope) => registerOpenRlhfRoutes(scope, shared));
  await app.register(async (scope) => registerSlimeRoutes(scope, shared));
  await app.register(async (scope) => registerRollRoutes(scope, shared));
  await app.register(async (scope) => registerPromptRoutes(scope, shared));
  await app.register(async (scope) => registerAnswerRoutes(scope));
  await app.register(async (scope) => registerLiveRoutes(scope, shared));
  await app.register(async (scope) => registerPage(scope));
  guards.guard(app);
  // Before the listener closes, so that parked callers get an answer instead of a reset.
  app.addHook('preClose', async () => {
    barrier.drain();
    events.close();
    await callers.allAnswered(clock, LAST_ANSWERS_MS);
  });
  return app;
}
