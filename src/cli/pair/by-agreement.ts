import type { AgentName } from '../../domain/cohort.ts';
import { type AgreementMatrix, triangulateAgents } from '../../methods/triangulate-agents.ts';
import { drawResample } from '../../theory/bootstrap.ts';
import { type CandidateCohort, candidateCohorts } from '../../theory/candidate-cohorts.ts';
import { compareCohorts } from '../../theory/compare-cohorts.ts';
import type { Random } from '../../theory/random.ts';
import { MOST_COHORTS } from './by-pass-rates.ts';
import type { Gathered } from './gather.ts';
import { judgeComparison, type PairResult, rateCohorts } from './result.ts';
import type { PairSettings } from './settings.ts';

type Labels = Gathered['labels'];
type Found = Pick<PairResult, 'agents' | 'searched' | 'cohorts' | 'verdict'>;

/** How often every two candidates have the same label, of the groups in which both have one; 1 on the diagonal. */
export function agreementOf(labels: Labels, candidates: number, weights?: Uint16Array): AgreementMatrix {
  const both = Array.from({ length: candidates }, () => new Float64Array(candidates));
  const same = Array.from({ length: candidates }, () => new Float64Array(candidates));
  const rows = labels.flatMap((rounds, at) => rounds.map((row) => ({ row, weight: weights?.[at] ?? 1 })));
  for (const { row, weight } of rows) {
    for (let i = 0; i < candidates; i++) {
      for (let j = 0; j < candidates; j++) {
        const [a, b] = [row[i] ?? null, row[j] ?? null];
        const [bothOf, sameOf] = [both[i], same[i]];
        if (a === null || b === null || bothOf === undefined || sameOf === undefined) continue;
        bothOf[j] = (bothOf[j] ?? 0) + weight;
        if (a === b) sameOf[j] = (sameOf[j] ?? 0) + weight;
      }
    }
  }
  return both.map((row, i) =>
    Array.from(row, (count, j) => (count === 0 ? null : (same[i]?.[j] ?? 0) / count)),
  );
}

/**
 * Ranks rings without a truth by their estimated oracle: the share of prompts that an agent or its teacher knows, which is
 * π_1 + π_2 − agreement where wrong answers do not collide, in the mean over the ring. Three candidates at least, since
 * agreement alone does not tell which of two is right; it does not tell the direction of a ring either.
 */
export function rankByAgreement(
  { labels }: Gathered,
  candidates: readonly AgentName[],
  settings: PairSettings,
  random: Random,
): Found {
  const answers = settings.wrong === 1 ? 'binary' : 'open';
  const made = candidateCohorts(candidates.length, settings, MOST_COHORTS);
  const rings = made.cohorts.filter(({ teaching }) => teaching === 'predecessor');
  const rate = (weights?: Uint16Array) => {
    const agreement = agreementOf(labels, candidates.length, weights);
    const reliability = triangulateAgents(agreement, answers);
    return { reliability, values: rings.map((ring) => rateRing(ring, agreement, reliability)) };
  };
  const { reliability, values } = rate();
  const agents = candidates.map((agent, at) => ({ agent, accuracy: reliability[at] ?? null, self: null }));
  const searched = { cohorts: rings.length, largest: made.largest, candidates: candidates.length };
  if (reliability.includes(null)) return { agents, searched, cohorts: [], verdict: null };
  const drawn = rings.map(() => new Float64Array(settings.resamples));
  for (let resample = 0; resample < settings.resamples; resample++) {
    for (const [at, value] of rate(drawResample(labels.length, random)).values.entries()) {
      const column = drawn[at];
      if (column !== undefined) column[resample] = value;
    }
  }
  const comparison = compareCohorts(values, drawn, labels.length);
  const cohorts = rateCohorts(rings, comparison, candidates, () => ({ now: null, self: null }));
  const [best] = cohorts;
  return {
    agents,
    searched,
    cohorts,
    verdict: best === undefined ? null : judgeComparison(comparison, best, cohorts, labels.length),
  };
}

/** Estimates that contradict each other would have more than all prompts known. */
function rateRing(
  { members }: CandidateCohort,
  agreement: AgreementMatrix,
  reliability: readonly (number | null)[],
): number {
  let sum = 0;
  for (const [place, student] of members.entries()) {
    const teacher = members.at(place - 1) ?? student;
    const known = (reliability[teacher] ?? 0) + (reliability[student] ?? 0);
    sum += Math.min(1, known - (agreement[student]?.[teacher] ?? 0));
  }
  return sum / members.length;
}
