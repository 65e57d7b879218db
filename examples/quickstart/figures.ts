import { FIRST_STEPS, LAST_STEPS, type Span } from './agents.ts';
import type { StepReport } from './messages.ts';
import { type Sample, sumOf } from './scrape.ts';

/** A share or mean over the first steps, the last steps, and over the whole run as /metrics has it. */
export interface Course {
  readonly first: number;
  readonly last: number;
  /** Null where the server keeps no such metric. */
  readonly all: number | null;
}

export interface PairFigures {
  readonly agents: readonly [string, string];
  readonly agreement: Course;
}

export interface AgentFigures {
  readonly agent: string;
  /** Of the labels that its own answers voted for, the share that is true. */
  readonly labelAccuracy: Course;
  readonly reward: Course;
  /** Share of its answers that are true. */
  readonly answersRight: Course;
}

export interface FigureInput {
  readonly cohort: string;
  readonly agents: readonly string[];
  readonly reports: readonly StepReport[];
  readonly metrics: readonly Sample[];
  /** True answers by prompt id. */
  readonly truths: ReadonlyMap<string, number>;
}

export function comparePairs(input: FigureInput): PairFigures[] {
  const { cohort, agents, metrics } = input;
  return agents.flatMap((a, at) =>
    agents.slice(at + 1).map((b): PairFigures => {
      const labels = { cohort, agent: a, peer: b };
      const agreed = sumOf(metrics, 'peervote_agreement_total', { ...labels, agree: 'yes' });
      const all = agreed / sumOf(metrics, 'peervote_agreement_total', labels);
      return { agents: [a, b], agreement: courseOf((span) => agreementOf(input, a, b, span), all) };
    }),
  );
}

export function judgeAgents(input: FigureInput): AgentFigures[] {
  const { cohort, agents, metrics } = input;
  return agents.map((agent): AgentFigures => {
    const labels = { cohort, agent };
    const right = sumOf(metrics, 'peervote_labels_graded_total', { ...labels, correct: 'yes' });
    const rewards = sumOf(metrics, 'peervote_reward_sum', labels);
    return {
      agent,
      labelAccuracy: courseOf(
        (span) => labelAccuracyOf(input, agent, span),
        right / sumOf(metrics, 'peervote_labels_graded_total', labels),
      ),
      reward: courseOf(
        (span) => meanMetric(input, agent, span, 'reward_mean'),
        rewards / sumOf(metrics, 'peervote_reward_count', labels),
      ),
      answersRight: courseOf((span) => meanMetric(input, agent, span, 'answer_accuracy'), null),
    };
  });
}

function courseOf(read: (span: Span) => number, all: number | null): Course {
  return { first: read(FIRST_STEPS), last: read(LAST_STEPS), all };
}

/** Mean of a metric that every reply carries, over the replies of a span; of one agent, or of all. */
export function meanMetric(
  { cohort, reports }: Pick<FigureInput, 'cohort' | 'reports'>,
  agent: string | null,
  { from, to }: Span,
  key: string,
): number {
  const values = reports.flatMap((report) => {
    const counts = report.cohort === cohort && (agent === null || report.agent === agent);
    return counts && report.step >= from && report.step <= to ? (report.metrics[key] ?? []) : [];
  });
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** What `agent` voted for, by step and prompt: its students are told, and under self-voting it is itself. */
function labelsOf({ cohort, reports }: FigureInput, agent: string, { from, to }: Span): Map<string, number> {
  const labels = new Map<string, number>();
  for (const report of reports) {
    if (report.cohort !== cohort || report.step < from || report.step > to) continue;
    for (const { prompt_id, label, teachers } of report.groups) {
      if (label !== null && teachers.includes(agent))
        labels.set(`${report.step} ${prompt_id}`, Number(label));
    }
  }
  return labels;
}

function agreementOf(input: FigureInput, a: string, b: string, span: Span): number {
  const theirs = labelsOf(input, b, span);
  const both = [...labelsOf(input, a, span)].filter(([prompt]) => theirs.has(prompt));
  return both.filter(([prompt, label]) => theirs.get(prompt) === label).length / both.length;
}

function labelAccuracyOf(input: FigureInput, agent: string, span: Span): number {
  const labels = [...labelsOf(input, agent, span)];
  const isTrue = ([prompt, label]: readonly [string, number]) =>
    input.truths.get(prompt.slice(prompt.indexOf(' ') + 1)) === label;
  return labels.filter(isTrue).length / labels.length;
}
