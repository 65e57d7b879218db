import { comparePairs, type ReportInput } from './report.ts';

/**
 * Holds the agreement that the server counted for this cohort against the recomputed one; tells the
 * differences.
 */
export function compareCounters(
  exposition: string,
  cohort: string,
  report: Pick<ReportInput, 'file' | 'recomputed'>,
): string[] {
  const counted = new Map<string, number>();
  for (const line of exposition.split('\n')) {
    const match = /^peervote_agreement_total\{([^}]*)\} (\S+)$/.exec(line);
    if (match === null) continue;
    const labels = new Map(
      [...(match[1] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    );
    if (labels.get('cohort') !== cohort) continue;
    counted.set([labels.get('agent'), labels.get('peer'), labels.get('agree')].join(), Number(match[2]));
  }
  return comparePairs(report).flatMap(({ agents, both, agree }) => {
    const yes = counted.get([...agents, 'true'].join()) ?? counted.get([...agents, 'yes'].join()) ?? 0;
    const no = counted.get([...agents, 'false'].join()) ?? counted.get([...agents, 'no'].join()) ?? 0;
    if (yes === agree && yes + no === both) return [];
    return [
      `the server counted ${yes} of ${yes + no} labels of ${agents.join(' and ')} as equal, not ${agree} of ${both}`,
    ];
  });
}
