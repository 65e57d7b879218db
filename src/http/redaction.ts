import type { FastifyInstance } from 'fastify';

/** Whatever an error says of the inside leaves without the secrets in it. */
export function registerRedaction(app: FastifyInstance, redact: (text: string) => string): void {
  app.addHook('onSend', async (_request, reply, payload) =>
    reply.statusCode >= 400 && typeof payload === 'string' ? redact(payload) : payload,
  );
}
