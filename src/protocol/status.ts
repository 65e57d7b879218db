import { z } from 'zod';

export const statusSchema = z.object({ status: z.string() }).meta({ id: 'Status' });

/** Prometheus exposition text. */
export const expositionSchema = z.string();

/** An answer without a body. */
export const nothingSchema = z.null();
