import type { Cohort } from '../../domain/cohort.ts';
import type { DiagnosticsView } from '../../service/diagnostics-reader.ts';
import { subjectsOf } from './subjects.ts';

const HEAD = 'first_step,last_step,steps,agent,peer,metric,value,numerator,denominator';

/**
 * One row for each point, agent or pair, and figure; an empty cell for null. Names of agents and figures hold no comma
 * and no quote.
 */
export function toDiagnosticsCsv(
  cohort: Cohort,
  view: DiagnosticsView,
  names: ReadonlySet<string> | null,
): string {
  const rows = [HEAD];
  const subjects = subjectsOf(cohort, view.start, names);
  for (const { first, last, count, tally } of view.points) {
    for (const { agent, peer, figures } of subjects) {
      for (const [name, figure] of figures) {
        const { value, numerator, denominator } = figure(tally);
        const cells = [first, last, count, agent, peer, name, value, numerator, denominator];
        rows.push(cells.map((cell) => cell ?? '').join(','));
      }
    }
  }
  return `${rows.join('\r\n')}\r\n`;
}
