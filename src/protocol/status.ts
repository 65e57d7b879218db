import { z } from 'zod';

export const statusSchema = z
  .object({ status: z.string() })
  .meta({ id: 'Status', description: 'All is well.' });

export const readinessSchema = statusSchema.extend({ troubles: z.array(z.string()).optional() }).meta({
  id: 'Readiness',
  description:
    'Requests are taken. `troubles`: what cannot be served all the same, as a cohort of another version.',
});

export const expositionSchema = z.string().meta({ description: "Metrics in Prometheus' text format." });

/** An answer without a body. */
export const nothingSchema = z.null();

export const eventStreamSchema = z.string().meta({ description: 'A stream of events.' });
