import Fastify, { type FastifyBaseLogger } from 'fastify';
import type { App, MetricsView } from './app.ts';
import { registerErrors } from './errors.ts';
import { registerMetrics } from './routes/metrics.ts';
import { validatorCompiler } from './validation.ts';

/** /metrics and nothing else, for a port of its own that only Prometheus reaches. */
export function buildMetricsApp(metrics: MetricsView, logger: FastifyBaseLogger): App {
  const app = Fastify({
    loggerInstance: logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => (payload) => String(payload));
  registerErrors(app);
  registerMetrics(app, metrics);
  return app;
}
