import type { Cohort } from '../../domain/cohort.ts';
import type { Wanted } from '../../domain/diagnostics/figures.ts';
import type { DiagnosticsView } from '../../service/diagnostics-reader.ts';
import { subjectsOf } from './subjects.ts';

const HEAD = 'first_step,last_step,steps,agent,peer,metric,value,numerator,denominator';

/**
 * One row for each point, agent or pair, and figure; an empty cell for null. Names of agents and figures hold no comma
 * and no quote.
 */
export function toDiagnosticsCsv(cohort: Cohort, view: DiagnosticsView, wanted: Wanted): string {
  const rows = [HEAD];
  const subjects = subjectsOf(cohort, view.start, wanted);
  for (const { first, last, count, tally } of view.points) {
    for (const { agent, peer, figures } of subjects) {
      for (const [name, { value, numerator, denominator }] of figures.read(tally)) {
        const cells = [first, last, count, agent, peer, name, value, numerator, denominator];
        rows.push(cells.map((cell) => cell ?? '').join(','));
      }
    }
  }
  return `${rows.join('\r\n')}\r\n`;
}
