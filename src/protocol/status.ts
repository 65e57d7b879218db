import { z } from 'zod';

export const statusSchema = z
  .object({ status: z.string() })
  .meta({ id: 'Status', description: 'All is well.' });

export const readinessSchema = z
  .object({
    status: z.string(),
    detail: z.string().optional().meta({ description: 'What it cannot do all the same.' }),
  })
  .meta({ id: 'Readiness', description: 'The server takes requests.' });

export const expositionSchema = z.string().meta({ description: "Metrics in Prometheus' text format." });

/** An answer without a body. */
export const nothingSchema = z.null();

export const eventStreamSchema = z.string().meta({ description: 'A stream of events.' });
