import { comparePairs, type ReportInput } from './report.ts';

export interface Counted {
  /** What `/metrics` of each replica says. */
  readonly expositions: readonly string[];
  /** False: some process was killed and its counts are gone, so that there may be fewer, and never more. */
  readonly isWhole: boolean;
}

/**
 * Holds the agreement that the replicas counted together for this cohort against the recomputed one; tells the
 * differences.
 */
export function compareCounters(
  { expositions, isWhole }: Counted,
  cohort: string,
  report: Pick<ReportInput, 'file' | 'recomputed'>,
): string[] {
  const counted = new Map<string, number>();
  for (const line of expositions.flatMap((exposition) => exposition.split('\n'))) {
    const match = /^peervote_agreement_total\{([^}]*)\} (\S+)$/.exec(line);
    if (match === null) continue;
    const labels = new Map(
      [...(match[1] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    );
    if (labels.get('cohort') !== cohort) continue;
    const pair = [labels.get('agent'), labels.get('peer'), labels.get('agree')].join();
    counted.set(pair, (counted.get(pair) ?? 0) + Number(match[2]));
  }
  return comparePairs(report).flatMap(({ agents, both, agree }) => {
    const yes = counted.get([...agents, 'true'].join()) ?? counted.get([...agents, 'yes'].join()) ?? 0;
    const no = counted.get([...agents, 'false'].join()) ?? counted.get([...agents, 'no'].join()) ?? 0;
    const isRight = isWhole ? yes === agree && no === both - agree : yes <= agree && no <= both - agree;
    if (isRight) return [];
    return [
      `the server counted ${yes} of ${yes + no} labels of ${agents.join(' and ')} as equal, not ${isWhole ? '' : 'at most '}${agree} of ${both}`,
    ];
  });
}
