import { formatTable, type Table } from '../format-table.ts';
import { describeRead, matrix } from '../score/print.ts';
import { describeCohort, formatInterval, type PairResult } from './result.ts';

/** The result for people: the `show` best cohorts, the verdict, the configuration. */
export function formatPair(result: PairResult, show: number): string {
  const { read, basis, agents, agreement, cohorts, verdict, config, notes } = result;
  const names = agents.map(({ agent }) => agent);
  const rate = basis === 'pass-rates' ? 'pass rate' : 'imputed pass rate';
  const number = (value: number | null) => (value === null ? null : value.toFixed(3));
  const tables: Table[] = [
    {
      title: 'Candidates',
      columns: ['agent', rate, 'by its own votes'],
      rows: agents.map(({ agent, accuracy, self }) => [agent, number(accuracy), number(self)]),
    },
    matrix('Agreement of labels: the same / both have one', names, (agent, peer) =>
      number(agreement[names.indexOf(agent)]?.[names.indexOf(peer)] ?? null),
    ),
  ];
  if (cohorts.length > 0) {
    tables.push({
      title: 'Predicted accuracy in the limit, best first',
      columns: ['cohort', 'now', 'own votes', 'predicted', '95 % interval', 'best in'],
      rows: cohorts
        .slice(0, show)
        .map((cohort) => [
          describeCohort(cohort),
          number(cohort.now),
          number(cohort.self),
          number(cohort.value),
          formatInterval(cohort),
          `${(100 * cohort.best_in).toFixed(1)} %`,
        ]),
    });
  }
  const parts = [
    describeRead(read),
    ...tables.map(formatTable),
    ...notes,
    ...(verdict === null ? [] : [verdict.says]),
    ...(config === null ? [] : [`# for serve --config\n${config.trimEnd()}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}
