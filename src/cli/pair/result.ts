import type { AgentName } from '../../domain/cohort.ts';
import type { Interval } from '../../theory/bootstrap.ts';
import type { CandidateCohort } from '../../theory/candidate-cohorts.ts';
import type { Comparison } from '../../theory/compare-cohorts.ts';
import type { ReadCounts } from '../rollouts/read-rollouts.ts';

/** A cohort that was looked at. */
export interface RatedCohort {
  readonly agents: readonly AgentName[];
  readonly supervision: 'ring' | 'peer-majority' | 'pooled';
  /** Null but for a ring. */
  readonly ring: 'predecessor' | 'successor' | null;
  /** The predicted accuracy in the limit. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Share of the resamples in which none was better. */
  readonly best_in: number;
  /** Mean pass rate now, and the limit of each by its own votes. */
  readonly now: number;
  readonly self: number;
}

export interface Verdict {
  /** The best is told apart from the next. */
  readonly enough: boolean;
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Prompts beyond those that there are; null where no number would do, or where there is enough. */
  readonly more_prompts: number | null;
  /** Cohorts that are as good as the best in every resample, the best among them. */
  readonly alike: number;
  readonly says: string;
}

/** What `peervote pair` found, as `--json` prints it. */
export interface PairResult {
  readonly read: ReadCounts;
  /** `pass-rates` with truths; `imputed`, which is weaker, without. */
  readonly basis: 'pass-rates' | 'imputed';
  readonly settings: Readonly<Record<string, unknown>>;
  readonly prompts: number;
  readonly agents: readonly {
    readonly agent: AgentName;
    /** The mean pass rate, imputed without truths; null where there is no estimate. */
    readonly accuracy: number | null;
    readonly self: number | null;
  }[];
  /** Share of prompts on which two have the same label, of those on which both have one. */
  readonly agreement: readonly (readonly (number | null)[])[];
  readonly searched: { readonly cohorts: number; readonly largest: number; readonly candidates: number };
  /** Best first. */
  readonly cohorts: readonly RatedCohort[];
  readonly verdict: Verdict | null;
  /** The best cohort as a configuration file; null without one. */
  readonly config: string | null;
  readonly notes: readonly string[];
}

/** The ranking of candidate cohorts by name, best first. */
export function rateCohorts(
  cohorts: readonly CandidateCohort[],
  { all, ranking }: Comparison,
  candidates: readonly AgentName[],
  besides: (cohort: CandidateCohort) => Pick<RatedCohort, 'now' | 'self'>,
): readonly RatedCohort[] {
  return ranking.flatMap((at) => {
    const [cohort, compared] = [cohorts[at], all[at]];
    if (cohort === undefined || compared === undefined) return [];
    const { members, teaching } = cohort;
    const isRing = teaching === 'predecessor' || teaching === 'successor';
    return [
      {
        agents: members.map((member) => candidates[member] ?? ''),
        supervision: isRing ? ('ring' as const) : teaching,
        ring: isRing ? teaching : null,
        value: compared.value,
        ...compared.interval,
        best_in: compared.bestIn,
        ...besides(cohort),
      },
    ];
  });
}

/** Who teaches whom, in one line: an arrow points from the teacher to who learns. */
export function describeCohort({ agents, supervision, ring }: RatedCohort): string {
  if (supervision !== 'ring') return `${agents.join(', ')} (${supervision})`;
  if (agents.length === 2) return agents.join(' ⇄ ');
  const order = ring === 'successor' ? [...agents].reverse() : agents;
  return `${[...order, order[0]].join(' → ')}`;
}

/** Whether the best is told from the next, in words. `rated` is in the order of the ranking. */
export function judgeComparison(
  { runnerUp, alike, ranking }: Comparison,
  best: RatedCohort,
  rated: readonly RatedCohort[],
  prompts: number,
): Verdict {
  const same =
    alike.length > 1
      ? ` ${alike.length - 1} other cohort${alike.length > 2 ? 's do' : ' does'} as well on every resample of the prompts; this is the first of the simplest.`
      : '';
  const next = runnerUp === null ? undefined : rated[ranking.indexOf(runnerUp.at)];
  if (runnerUp === null || next === undefined) {
    const says = `Nothing tells ${describeCohort(best)} from the others.${same}`;
    return {
      enough: false,
      difference: null,
      low: null,
      high: null,
      more_prompts: null,
      alike: alike.length,
      says,
    };
  }
  const { difference, interval, clear, promptsNeeded } = runnerUp;
  const compared = `${describeCohort(best)} over ${describeCohort(next)} by ${signed(difference)} (95 % ${formatInterval(interval)})`;
  const base = { difference, ...interval, alike: alike.length };
  if (clear) return { ...base, enough: true, more_prompts: null, says: `Enough data: ${compared}.${same}` };
  const more = promptsNeeded === null ? null : Math.max(1, promptsNeeded - prompts);
  const wanted =
    more === null
      ? 'They are as good in the mean: no number of such prompts tells them apart'
      : `About ${more.toLocaleString('en')} more prompts like these ${prompts} would tell them apart in 4 of 5 cases`;
  return {
    ...base,
    enough: false,
    more_prompts: more,
    says: `Not enough data: ${compared}. ${wanted}.${same}`,
  };
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

export function formatInterval({ low, high }: Interval): string {
  return `${low.toFixed(3)} … ${high.toFixed(3)}`;
}
