import { z } from 'zod';
import type { Cohort } from '../../domain/cohort.ts';
import { type Figure, pairFigures } from '../../domain/diagnostics/figures.ts';
import type { DiagnosticsPoint, DiagnosticsView } from '../../service/diagnostics-reader.ts';
import { type Subject, subjectsOf } from './subjects.ts';

const value = z.number().nullable();
const seriesSchema = z.record(
  z.string(),
  z.object({
    value: z.array(value).meta({ description: 'One for each point; null where the denominator is 0.' }),
    denominator: z.array(z.number()),
  }),
);
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

/** The reply as JSON. `names`: the figures wanted, null for all. */
export function toDiagnosticsReply(
  cohort: Cohort,
  window: number,
  view: DiagnosticsView,
  names: ReadonlySet<string> | null,
): DiagnosticsReply {
  const { points, overall } = view;
  const subjects = subjectsOf(cohort, view.start, names);
  const told = ({ figures: all }: Subject) => ({
    series: Object.fromEntries([...all].map(([name, figure]) => [name, toSeries(figure, points)])),
    overall: Object.fromEntries([...all].map(([name, figure]) => [name, figure(overall)])),
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

function toSeries(figure: Figure, points: readonly DiagnosticsPoint[]) {
  const rates = points.map(({ tally }) => figure(tally));
  return {
    value: rates.map((rate) => rate.value),
    denominator: rates.map(({ denominator }) => denominator),
  };
}

function toMatrices({ agents }: Cohort, { overall }: DiagnosticsView): DiagnosticsReply['matrices'] {
  const names = agents.map(({ name }) => name);
  const matrixOf = (figure: string) => {
    const rates = names.map((row) =>
      names.map((column) => (row === column ? undefined : pairFigures(row, column).get(figure)?.(overall))),
    );
    return {
      value: rates.map((row) => row.map((rate) => rate?.value ?? null)),
      denominator: rates.map((row) => row.map((rate) => rate?.denominator ?? 0)),
    };
  };
  return {
    agents: names,
    agreement: matrixOf('agreement'),
    label_complementarity: matrixOf('label_complementarity'),
    complementarity_bound: matrixOf('complementarity_bound'),
    both_wrong_same: matrixOf('both_wrong_same'),
    kappa: matrixOf('kappa'),
  };
}
