import { type Course, driftOf } from './dynamics.ts';
import { limitOf } from './limit.ts';
import { drawBeta, type Random } from './random.ts';

export interface PopulationResult {
  /** Mean limit accuracy over problems and agents, 0 to 1. */
  readonly mean: number;
  /** Standard error of that mean over problems. */
  readonly error: number;
  readonly problems: number;
  /** Problems whose end is not known: on a separatrix, or too slow; they count with their start. */
  readonly undecided: number;
}

/**
 * Where training takes a data set: each problem gives each agent a chance drawn from Beta(a, b), independently, and
 * ends where its course ends. For Beta(2, 1) self-teaching tends to 3/4 and two agents that teach each other to 5/6.
 */
export function populationLimit(
  course: Course,
  { a, b }: { readonly a: number; readonly b: number },
  problems: number,
  random: Random,
): PopulationResult {
  const drift = driftOf(course);
  let sum = 0;
  let squares = 0;
  let undecided = 0;
  for (let problem = 0; problem < problems; problem++) {
    const start = course.learners.map(() => drawBeta(a, b, random));
    const limit = limitOf(course, start, drift);
    if (limit.kind !== 'settles') undecided++;
    const ends = limit.kind === 'settles' ? limit.to : start;
    const mean = ends.reduce((total, end) => total + end, 0) / ends.length;
    sum += mean;
    squares += mean * mean;
  }
  const mean = sum / problems;
  const variance = Math.max(0, squares / problems - mean * mean);
  return { mean, error: Math.sqrt(variance / problems), problems, undecided };
}
