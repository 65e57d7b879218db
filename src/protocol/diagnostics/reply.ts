import { z } from 'zod';
import type { Cohort } from '../../domain/cohort.ts';
import { type Figures, pairFigures, type Wanted } from '../../domain/diagnostics/figures.ts';
import type { DiagnosticsPoint, DiagnosticsView } from '../../service/diagnostics-reader.ts';
import { type Subject, subjectsOf } from './subjects.ts';

const value = z.number().nullable();
const oneSeriesSchema = z.object({
  value: z.array(value).meta({ description: 'One for each point; null where the denominator is 0.' }),
  denominator: z.array(z.number()),
});
type Series = z.infer<typeof oneSeriesSchema>;
const seriesSchema = z.record(z.string(), oneSeriesSchema);
const overallSchema = z.record(
  z.string(),
  z.object({
    value,
    numerator: z.number().nullable().meta({ description: 'Null where the value is no quotient.' }),
    denominator: z.number(),
  }),
);
const figures = { series: seriesSchema, overall: overallSchema };
const matrixSchema = z.object({
  value: z.array(z.array(value)),
  denominator: z.array(z.array(z.number())),
});

export const diagnosticsReplySchema = z
  .object({
    cohort: z.string(),
    method: z.string(),
    window: z.int(),
    steps: z.array(z.int()).meta({ description: 'Last step of each point.' }),
    first_steps: z.array(z.int()).meta({ description: 'First step of each point.' }),
    merged_steps: z.array(z.int()).meta({ description: 'How many steps each point holds.' }),
    earlier_steps: z.int().meta({ description: 'Steps of the range before the first point, left out.' }),
    agents: z.array(z.object({ agent: z.string(), ...figures })),
    pairs: z
      .array(z.object({ agent: z.string(), peer: z.string(), ...figures }))
      .meta({ description: 'Each pair once, in the order of the cohort.' }),
    matrices: z
      .object({
        agents: z.array(z.string()).meta({ description: 'Of the rows and of the columns.' }),
        agreement: matrixSchema,
        label_complementarity: matrixSchema,
        complementarity_bound: matrixSchema,
        both_wrong_same: matrixSchema,
        kappa: matrixSchema,
      })
      .meta({ description: 'All points together, by pair; null on the diagonal.' }),
  })
  .meta({
    id: 'Diagnostics',
    description: 'Figures over the steps of a run; docs/diagnostics.md defines every name.',
  });

export type DiagnosticsReply = z.infer<typeof diagnosticsReplySchema>;

export const diagnosticsCsvSchema = z
  .string()
  .meta({ description: 'A row for each point, agent or pair, and figure.' });

/** The reply as JSON. */
export function toDiagnosticsReply(
  cohort: Cohort,
  window: number,
  view: DiagnosticsView,
  wanted: Wanted,
): DiagnosticsReply {
  const { points, overall } = view;
  const subjects = subjectsOf(cohort, view.start, wanted);
  const told = ({ figures: all }: Subject) => ({
    series: toSeries(all, points),
    overall: Object.fromEntries(all.read(overall)),
  });
  return {
    cohort: cohort.name,
    method: cohort.method,
    window,
    steps: points.map(({ last }) => last),
    first_steps: points.map(({ first }) => first),
    merged_steps: points.map(({ count }) => count),
    earlier_steps: view.earlier,
    agents: subjects.flatMap((subject) =>
      subject.peer === null ? [{ agent: subject.agent, ...told(subject) }] : [],
    ),
    pairs: subjects.flatMap((subject) =>
      subject.peer === null ? [] : [{ agent: subject.agent, peer: subject.peer, ...told(subject) }],
    ),
    matrices: toMatrices(cohort, view),
  };
}

function toSeries({ names, read }: Figures, points: readonly DiagnosticsPoint[]) {
  const series = new Map(names.map((name) => [name, { value: [], denominator: [] } as Series]));
  for (const { tally } of points) {
    for (const [name, { value: found, denominator }] of read(tally)) {
      const one = series.get(name);
      one?.value.push(found);
      one?.denominator.push(denominator);
    }
  }
  return Object.fromEntries(series);
}

function toMatrices({ agents }: Cohort, { overall }: DiagnosticsView): DiagnosticsReply['matrices'] {
  const names = agents.map(({ name }) => name);
  const rates = names.map((row) =>
    names.map((column) => (row === column ? null : pairFigures(row, column, null).read(overall))),
  );
  const matrixOf = (figure: string) => ({
    value: rates.map((row) => row.map((pair) => pair?.get(figure)?.value ?? null)),
    denominator: rates.map((row) => row.map((pair) => pair?.get(figure)?.denominator ?? 0)),
  });
  return {
    agents: names,
    agreement: matrixOf('agreement'),
    label_complementarity: matrixOf('label_complementarity'),
    complementarity_bound: matrixOf('complementarity_bound'),
    both_wrong_same: matrixOf('both_wrong_same'),
    kappa: matrixOf('kappa'),
  };
}
