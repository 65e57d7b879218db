import { countNoun } from '../../domain/count-noun.ts';
import type { CohortState, Curve, WatchView } from './read-view.ts';
import { formatAge, formatTable, sparkline, tame, wrap } from './terminal-text.ts';

export interface Screen {
  readonly columns: number;
  readonly colors: boolean;
}

const FIGURES = new Map([
  ['reward_mean', 'reward'],
  ['label_accuracy', 'label accuracy'],
  ['agreement', 'agreement'],
]);
/** More pairs than these are for the live page. */
const MOST_OF_A_FIGURE = 6;

/** What is going on, as lines of a terminal that are none of them wider than it. */
export function renderView(view: WatchView, screen: Screen): string[] {
  const lines = view.kind === 'cohort' ? renderCohort(view, screen) : renderCohorts(view, screen);
  return lines.map((line) => clip(line, screen.columns));
}

/** The same in one line, without ages: it changes when something happens. */
export function summarize(view: WatchView): string {
  if (view.kind === 'cohorts') {
    return tame(`${countNoun(view.cohorts.length, 'cohort')}, ${countNoun(view.findings.length, 'finding')}`);
  }
  const { name, open_buckets, held_requests, agents, waits, verdict } = view.state;
  const rollouts = agents.reduce((sum, agent) => sum + agent.rollouts, 0);
  const waiting = waits.map(
    ({ agent, for: teacher, prompts }) => `${agent} waits for ${teacher} on ${prompts}`,
  );
  const parts = [
    `${name}: ${countNoun(rollouts, 'rollout')}, ${open_buckets} open, ${held_requests} held`,
    ...waiting,
    ...verdict.findings.map(({ code, agents: named }) => `${code} (${named.join(', ')})`),
  ];
  return tame(parts.join('; '));
}

function renderCohort(
  { method, state, step, curves }: Extract<WatchView, { kind: 'cohort' }>,
  { columns, colors }: Screen,
): string[] {
  const { name, open_buckets, held_requests, verdict } = state;
  const facts = [
    `${open_buckets} open`,
    `${held_requests} held here`,
    ...(step === null ? [] : [`step ${step}`]),
  ];
  return [
    `${paint(tame(name), BOLD, colors)} (${method})  ${facts.join('  ')}`,
    '',
    ...verdict.findings.flatMap(({ severity, message }) => [
      ...wrap(tame(message), columns).map((line) => paint(line, STYLES[severity], colors)),
      '',
    ]),
    ...agentTable(state),
    ...(curves.length === 0 ? [] : ['', ...curveTable(curves)]),
  ];
}

function agentTable({ agents, waits }: CohortState): string[] {
  const rows = agents.map(({ name, finished, last_arrival_ms_ago, rollouts, k, teachers }) => {
    const waiting = waits
      .filter(({ agent }) => agent === name)
      .map((wait) => `${wait.for}: ${countNoun(wait.prompts, 'prompt')}, ${formatAge(wait.oldest_age_ms)}`);
    const seen = last_arrival_ms_ago === null ? 'never' : `${formatAge(last_arrival_ms_ago)} ago`;
    return [
      name,
      finished ? 'has finished' : seen,
      String(rollouts),
      String(k),
      teachers.join(', ') || '-',
      waiting.join('; ') || '-',
    ];
  });
  const header = ['agent', 'last seen', 'rollouts', 'k', 'learns from', 'waits for'];
  return formatTable(
    [header, ...rows].map((row) => row.map(tame)),
    new Set([2, 3]),
  );
}

function curveTable(curves: readonly Curve[]): string[] {
  const rows = [...FIGURES].flatMap(([figure, title]) =>
    curves
      .filter((curve) => curve.figure === figure)
      .slice(0, MOST_OF_A_FIGURE)
      .map(({ subject, values }, at) => {
        const last = values.findLast((value) => value !== null) ?? null;
        return [
          at === 0 ? title : '',
          tame(subject),
          last === null ? '-' : last.toFixed(3),
          sparkline(values),
        ];
      }),
  );
  return formatTable(rows, new Set([2]));
}

function renderCohorts(
  { cohorts, findings }: Extract<WatchView, { kind: 'cohorts' }>,
  { columns, colors }: Screen,
): string[] {
  if (cohorts.length === 0) return ['There is no cohort yet: PUT /v1/cohorts/{cohort} makes one.'];
  const rows = cohorts.map(({ name, method, agents, findings: count }) => [
    name,
    method,
    String(agents),
    count === 0 ? '-' : String(count),
  ]);
  return [
    ...findings.flatMap(({ cohort, severity, message }) => [
      ...wrap(tame(`${cohort}: ${message}`), columns).map((line) => paint(line, STYLES[severity], colors)),
      '',
    ]),
    ...formatTable(
      [['cohort', 'method', 'agents', 'findings'], ...rows].map((row) => row.map(tame)),
      new Set([2, 3]),
    ),
    '',
    'One of them: --cohort NAME',
  ];
}

const BOLD = '\u001b[1m';
/** By severity: plain, amber, red. */
const STYLES = { info: '\u001b[2m', warning: '\u001b[33m', critical: '\u001b[31m' } as const;
const PLAIN = '\u001b[0m';

function paint(text: string, style: string, colors: boolean): string {
  return colors ? `${style}${text}${PLAIN}` : text;
}

/** Cuts what would run over the edge; a painted line is cut by wrapping already, or begins with a name. */
function clip(line: string, columns: number): string {
  return line.includes('\u001b') || line.length <= columns
    ? line
    : `${line.slice(0, Math.max(0, columns - 1))}…`;
}
