import { z } from 'zod';
import { cohortListReplySchema, cohortStateReplySchema } from '../../protocol/cohort.ts';

const TIMEOUT_MS = 10_000;
/** Cohorts whose findings are fetched when all are shown. */
const MOST_FETCHED = 10;
/** Points of a curve: what fits into a line. */
const POINTS = 40;

const configSchema = z.object({ method: z.string(), agents: z.array(z.unknown()) });
const seriesSchema = z.record(z.string(), z.object({ value: z.array(z.number().nullable()) }));
const curvesSchema = z.object({
  steps: z.array(z.int()),
  agents: z.array(z.object({ agent: z.string(), series: seriesSchema })),
  pairs: z.array(z.object({ agent: z.string(), peer: z.string(), series: seriesSchema })),
});

export type CohortState = z.infer<typeof cohortStateReplySchema>;
type Finding = CohortState['verdict']['findings'][number];

/** The course of one figure of an agent or a pair. */
export interface Curve {
  readonly figure: string;
  readonly subject: string;
  readonly values: readonly (number | null)[];
}

export type WatchView =
  | {
      readonly kind: 'cohort';
      readonly method: string;
      readonly state: CohortState;
      readonly step: number | null;
      readonly curves: readonly Curve[];
    }
  | {
      readonly kind: 'cohorts';
      readonly cohorts: readonly {
        readonly name: string;
        readonly method: string;
        readonly agents: number;
        readonly findings: number;
      }[];
      /** What is wrong, with the cohort that it is about. */
      readonly findings: readonly (Pick<Finding, 'severity' | 'message'> & { readonly cohort: string })[];
    };

export interface WatchTarget {
  readonly url: string;
  /** Null: all cohorts, or the only one. */
  readonly cohort: string | null;
  readonly token: string | null;
}

/** What there is to see right now. Throws Error with a sentence for people. */
export async function readView(target: WatchTarget): Promise<WatchView> {
  if (target.cohort !== null) return readCohort(target, target.cohort);
  const { cohorts } = await ask(target, 'cohorts', cohortListReplySchema);
  const [only, ...more] = cohorts;
  if (only !== undefined && more.length === 0) return readCohort(target, only.name);
  const wrong = cohorts.filter(({ findings }) => findings > 0).slice(0, MOST_FETCHED);
  const states = await Promise.all(wrong.map(({ name }) => readState(target, name)));
  return {
    kind: 'cohorts',
    cohorts: cohorts.map(({ name, config, findings }) => {
      const { method, agents } = configSchema.parse(config);
      return { name, method, agents: agents.length, findings };
    }),
    findings: states.flatMap(({ name, verdict }) =>
      verdict.findings.map(({ severity, message }) => ({ cohort: name, severity, message })),
    ),
  };
}

async function readCohort(target: WatchTarget, name: string): Promise<WatchView> {
  const state = await readState(target, name);
  const figures = ['reward_mean', 'label_accuracy', 'agreement'];
  const query = `limit=${POINTS}&metrics=${figures.join()}`;
  const { steps, agents, pairs } = await ask(target, `${pathOf(name)}/diagnostics?${query}`, curvesSchema);
  const subjects = [
    ...agents.map(({ agent, series }) => ({ subject: agent, series })),
    ...pairs.map(({ agent, peer, series }) => ({ subject: `${agent}, ${peer}`, series })),
  ];
  return {
    kind: 'cohort',
    method: configSchema.parse(state.config).method,
    state,
    step: steps.at(-1) ?? null,
    curves: figures.flatMap((figure) =>
      subjects.flatMap(({ subject, series }) => {
        const values = series[figure]?.value ?? [];
        return values.some((value) => value !== null) ? [{ figure, subject, values }] : [];
      }),
    ),
  };
}

function readState(target: WatchTarget, name: string): Promise<CohortState> {
  return ask(target, pathOf(name), cohortStateReplySchema);
}

function pathOf(cohort: string): string {
  return `cohorts/${encodeURIComponent(cohort)}`;
}

async function ask<T>({ url, token }: WatchTarget, path: string, schema: z.ZodType<T>): Promise<T> {
  const target = new URL(`v1/${path}`, url.endsWith('/') ? url : `${url}/`);
  const headers = { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
  const reply = await fetch(target, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    throw new Error(`${url} does not answer: ${error.cause?.message ?? error.message}`);
  });
  const body: unknown = await reply.json().catch(() => null);
  if (!reply.ok) {
    const { detail } = z
      .object({ detail: z.string() })
      .catch({ detail: `status ${reply.status}` })
      .parse(body);
    throw new Error(detail);
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Error(`${url} answers, but not as a PeerVote of this version does. Is the URL right?`);
}
