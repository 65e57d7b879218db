import type { AgentName } from '../../domain/cohort.ts';
import { type CandidateCohort, candidateCohorts } from '../../theory/candidate-cohorts.ts';
import { compareCohorts, meanOfWorlds, resampleMeans } from '../../theory/compare-cohorts.ts';
import { Predictor } from '../../theory/predict-cohorts.ts';
import type { Random } from '../../theory/random.ts';
import type { Progress } from '../rollouts/progress.ts';
import { meanPasses, type PossiblePasses } from './impute.ts';
import { judgeComparison, type PairResult, rateCohorts } from './result.ts';
import type { PairSettings } from './settings.ts';

/** Cohorts that are predicted: all of six candidates are 493. */
export const MOST_COHORTS = 5_000;
/** More alternatives than this change next to nothing. */
const MOST_WRONG = 32;
/** Nothing is known of wrong answers: as in the paper, which is the careful end. */
const BINARY = 1;

type Found = Pick<PairResult, 'agents' | 'searched' | 'cohorts' | 'verdict'> & { readonly wrong: number };

/** What the prediction starts from. */
export interface PassRates {
  /** By prompt: one world where its truth is known, several where it is imputed. */
  readonly worlds: readonly (readonly PossiblePasses[])[];
  /** As in what was gathered. */
  readonly wrongAnswers: number | null;
}

/** Ranks every cohort of the candidates by where the dynamics of Co-RL take its pass rates. */
export function rankByPassRates(
  { worlds, wrongAnswers }: PassRates,
  candidates: readonly AgentName[],
  settings: PairSettings,
  random: Random,
  progress: (total: number) => Progress,
): Found {
  const { k, prior, resamples } = settings;
  const wrong = settings.wrong ?? Math.min(MOST_WRONG, Math.max(1, Math.round(wrongAnswers ?? BINARY)));
  const [a, b] = prior;
  const rates = worlds
    .flat()
    .map(({ passes }) => passes.map(({ rollouts, right }) => (right + a) / (rollouts + a + b)));
  const predictor = new Predictor(rates, { k, wrong });
  const selves = candidates.map((_, at) => meanOfWorlds(predictor.selfEndsOf(at), worlds));
  const nows = meanPasses(worlds, candidates.length);
  const { cohorts, largest } = candidateCohorts(candidates.length, settings, MOST_COHORTS);
  const bar = progress(cohorts.length);
  const ends = cohorts.map((cohort) => {
    bar.read(1);
    return predictor.endsOf(cohort);
  });
  bar.end();
  const values = ends.map((own) => meanOfWorlds(own, worlds));
  const drawn = resampleMeans(ends, worlds, resamples, random);
  const comparison = compareCohorts(values, drawn, worlds.length);
  const meanOf = ({ members }: CandidateCohort, values: readonly number[]) =>
    average(members.map((member) => values[member] ?? 0));
  const rated = rateCohorts(cohorts, comparison, candidates, (cohort) => ({
    now: meanOf(cohort, nows),
    self: meanOf(cohort, selves),
  }));
  const [best] = rated;
  return {
    wrong,
    agents: candidates.map((agent, at) => ({ agent, accuracy: nows[at] ?? null, self: selves[at] ?? null })),
    searched: { cohorts: cohorts.length, largest, candidates: candidates.length },
    cohorts: rated,
    verdict: best === undefined ? null : judgeComparison(comparison, best, rated, worlds.length),
  };
}

function average(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}
