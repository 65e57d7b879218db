import { z } from 'zod';
import type { Cohort } from '../../domain/cohort.ts';
import type { Wanted } from '../../domain/diagnostics/figures.ts';
import { Tally } from '../../domain/diagnostics/tally.ts';
import { ServiceError } from '../../domain/errors.ts';
import { subjectsOf } from './subjects.ts';

/** Figures in one answer; points that do not fit are left out, the oldest first. */
const MOST_FIGURES = 100_000;
const MOST_POINTS = 10_000;

const step = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const diagnosticsQuery = z
  .object({
    window: z.coerce
      .number()
      .int()
      .min(1)
      .max(MOST_POINTS)
      .default(1)
      .meta({ description: 'Steps that are merged into one point.' }),
    from: step
      .optional()
      .meta({ description: 'First step of the range. Absent: from the lowest that is kept.' }),
    to: step.optional().meta({ description: 'Last step of the range. Absent: to the highest.' }),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MOST_POINTS)
      .default(MOST_POINTS)
      .meta({
        description: `Most points, the latest of the range. One answer holds ${MOST_FIGURES} figures at most: with fewer \`metrics\` it reaches further back.`,
      }),
    metrics: z
      .string()
      .max(4096)
      .optional()
      .meta({ description: 'Names of figures, separated by commas. Absent: all of them.' }),
    format: z
      .enum(['json', 'csv'])
      .optional()
      .meta({ description: 'Absent: what the header Accept prefers, JSON where it says neither.' }),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    error: 'from is after to',
    path: ['from'],
  });

export type DiagnosticsQueryString = z.output<typeof diagnosticsQuery>;

/** The names that were asked for, null for all. Throws `invalid_request` for one that this cohort does not have. */
export function readMetrics(cohort: Cohort, metrics: string | undefined): Wanted {
  if (metrics === undefined) return null;
  const wanted = new Set(metrics.split(',').map((name) => name.trim()));
  const known = new Set(subjectsOf(cohort, new Tally(), null).flatMap(({ figures }) => figures.names));
  const unknown = [...wanted].find((name) => !known.has(name));
  if (unknown === undefined) return wanted;
  throw new ServiceError(
    'invalid_request',
    `querystring: metrics: cohort "${cohort.name}" has no figure "${unknown}". docs/diagnostics.md defines those there are.`,
  );
}

/** How many points fit into one answer. */
export function pointsThatFit(cohort: Cohort, wanted: Wanted, limit: number): number {
  const perPoint = subjectsOf(cohort, new Tally(), wanted).reduce(
    (sum, { figures }) => sum + figures.names.length,
    0,
  );
  return Math.max(1, Math.min(limit, Math.floor(MOST_FIGURES / Math.max(1, perPoint))));
}
