import type { AgentName } from '../../domain/cohort.ts';
import type { Rate } from '../../domain/diagnostics/rates.ts';
import { formatTable, type Table } from '../format-table.ts';
import type { ReadCounts } from '../rollouts/read-rollouts.ts';
import type { ScoreResult } from './result.ts';

const DIGITS = 3;

/** The matrices of a file with truths, and of one without. */
const MATRICES = [
  { name: 'agreement', title: 'Agreement: both answered the same / both answered' },
  { name: 'complementarity', title: 'Complementarity c: exactly one is right / all' },
  { name: 'oracle', title: 'Oracle u: one of both is right / all' },
  { name: 'both_wrong_same', title: 'Wrong together w: both wrong with the same answer / all' },
  { name: 'kappa', title: "Cohen's kappa of being right" },
] as const;
const MATRICES_WITHOUT_TRUTH = [
  MATRICES[0],
  { name: 'complementarity_bound', title: 'Bound of c without a truth: 1 − same answer / all' },
] as const;

/** The result for people. */
export function formatScore(result: ScoreResult): string {
  const { agents, maj_at_k: majority, notes, read, cohort } = result;
  const hasTruth = read.prompts_with_truth > 0;
  const names = agents.map(({ agent }) => agent);
  const tables: Table[] = [
    agentTable('Agents', agents, [
      ...(hasTruth ? ['accuracy', 'pass_at_k', 'label_accuracy'] : []),
      'label_coverage',
      'parseable_fraction',
      'vote_tie_rate',
      'top_frequency_mean',
    ]),
  ];
  if (cohort !== null) {
    tables.push(
      agentTable(`Rewards of ${cohort.method}`, agents, [
        'reward_mean',
        ...(hasTruth ? ['reward_accuracy'] : []),
        'match_rate',
        'reward_std_within_pop',
        'frac_reward_zero_std',
        'supervision_fraction',
        'expired_fraction',
      ]),
    );
  }
  for (const { name, title } of hasTruth ? MATRICES : MATRICES_WITHOUT_TRUTH) {
    tables.push(matrix(title, names, (agent, peer) => figureOf(result, agent, peer, name)));
  }
  if (majority.some(({ score }) => score !== null)) {
    tables.push({
      title: `maj@k, ties ${result.tie}, ± the standard error of drawn subsets`,
      columns: ['votes of', 'k', 'maj@k', '±', 'prompts'],
      rows: majority.map((row) => [
        row.agents.join(' + '),
        row.k,
        row.score === null ? null : row.score.toFixed(DIGITS),
        row.exact ? 'all subsets' : (row.standard_error?.toFixed(4) ?? null),
        row.prompts,
      ]),
    });
  }
  return `${[describeRead(read), ...tables.map(formatTable), ...notes].join('\n\n')}\n`;
}

/** What was read, and what was not. */
export function describeRead(read: ReadCounts): string {
  const parts = [
    `${read.rollouts} rollouts of ${read.prompts} prompts, ${read.prompts_with_truth} with a truth, from ${read.lines} lines`,
  ];
  if (read.repeated_under_filters > 0) {
    parts.push(`${read.repeated_under_filters} lines of lm-eval repeat a sample under another filter`);
  }
  if (read.bad_lines > 0) {
    parts.push(`${read.bad_lines} bad lines left out, the first: ${read.first_bad.join('; ')}`);
  }
  return parts.join('\n');
}

function agentTable(title: string, agents: ScoreResult['agents'], columns: readonly string[]): Table {
  return {
    title,
    columns: ['agent', 'groups', ...columns],
    rows: agents.map(({ agent, groups, figures }) => [
      agent,
      groups,
      ...columns.map((name) => formatRate(figures[name])),
    ]),
  };
}

/** A symmetric matrix; an agent against itself is two different rollouts of it. */
export function matrix(
  title: string,
  names: readonly AgentName[],
  cellOf: (agent: AgentName, peer: AgentName) => string | null,
): Table {
  return {
    title,
    columns: ['', ...names],
    rows: names.map((agent) => [agent, ...names.map((peer) => cellOf(agent, peer))]),
  };
}

function figureOf({ pairs }: ScoreResult, agent: AgentName, peer: AgentName, name: string): string | null {
  const found = pairs.find(
    (pair) =>
      pair.basis === 'sample' &&
      ((pair.agent === agent && pair.peer === peer) || (pair.agent === peer && pair.peer === agent)),
  );
  return formatRate(found?.figures[name]);
}

function formatRate(rate: Rate | undefined): string | null {
  return rate?.value == null ? null : rate.value.toFixed(DIGITS);
}
