import type { Course } from '../../theory/dynamics.ts';
import { type Limit, limitOf } from '../../theory/limit.ts';
import { sampleRun } from '../../theory/stochastic.ts';
import { follow, type Moment } from '../../theory/trajectory.ts';
import { separatrixOpposite } from '../../theory/two-agents.ts';
import type { Table } from '../format-table.ts';
import type { Chart, Report } from './report.ts';
import { seeded } from './seeded.ts';
import { courseOf, type Settings } from './settings.ts';

/** A start between two ends, which no number can decide. */
export class SeparatrixError extends Error {
  override readonly name = 'SeparatrixError';
}

/** One course from a start of the user's, with runs of finite groups beside it where asked for. */
export function simulateRun(settings: Settings, start: readonly number[]): Report {
  const course = requireCourse(settings, start.length);
  const limit = limitOf(course, start);
  if (limit.kind === 'separatrix') throw new SeparatrixError(onSeparatrix(course, start));
  const moments = follow(course, start, timesUntil(settings.until));
  const shown = moments.filter((_, at) => at % Math.max(1, Math.floor(moments.length / 10)) === 0);
  const columns = ['time', ...agentNames(start.length), 'mean'];
  const rows = shown.map(({ time, p }) => [time, ...p, average(p)]);
  const sampled = settings.runs > 0 ? sampleEnds(course, start, settings) : null;
  return {
    title: `${course.teaching} from (${start.join(', ')})`,
    settings: { ...settings, start },
    tables: [{ title: 'Chance of a right answer', columns, rows }, ...(sampled === null ? [] : [sampled])],
    chart: chartOf(`Teaching: ${course.teaching}`, moments),
    conclusions: [describeLimit(limit)],
  };
}

export function requireCourse(settings: Settings, agents: number, overrides: Partial<Course> = {}): Course {
  const course = courseOf(settings, agents, overrides);
  if (course === null) {
    throw new RangeError(`--k and --eta take one number, or one for each of the ${agents} agents.`);
  }
  if (agents < 2 && course.teaching !== 'self') {
    throw new RangeError('A single agent has no peer: take --teaching self, or --start with more numbers.');
  }
  return course;
}

/** 101 times from 0 to the end, whatever its length. */
export function timesUntil(until: number): readonly number[] {
  return Array.from({ length: 101 }, (_, at) => (until * at) / 100);
}

function agentNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `agent ${n + 1}`);
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function describeLimit(limit: Limit): string {
  switch (limit.kind) {
    case 'separatrix':
      return 'It starts on the separatrix, between two ends.';
    case 'undecided':
      return 'It has not settled within 2,000 units of time.';
    case 'settles': {
      if (limit.to.every((end) => end === 1)) return 'All agents learn the right answer (limit 1).';
      if (limit.to.every((end) => end === 0)) return 'All agents unlearn it (limit 0).';
      return `The agents end apart: ${limit.to.join(', ')}.`;
    }
  }
}

function chartOf(title: string, moments: readonly Moment[]): Chart {
  const agents = moments[0]?.p.length ?? 0;
  return {
    title,
    xLabel: 'time (η units)',
    yLabel: 'chance of a right answer',
    lines: agentNames(agents).map((name, n) => ({
      name,
      points: moments.map(({ time, p }) => [time, p[n] ?? 0] as const),
    })),
  };
}

function onSeparatrix(course: Course, start: readonly number[]): string {
  const [a, b] = course.learners;
  const [pA = 0] = start;
  const base = `The start (${start.join(', ')}) lies on the separatrix, between starts that end at 1 and starts that end at 0: rounding alone would decide.`;
  const isPair = start.length === 2 && course.teaching !== 'self' && course.wrong === 1;
  if (!isPair || a === undefined || b === undefined || pA <= 0 || pA >= 1) return `${base} Move it.`;
  return `${base} For agent 1 at ${pA} it runs through ${separatrixOpposite(a, b, pA).toPrecision(6)} of agent 2: start above or below.`;
}

/** How real votes with finite groups end, over seeded runs as long as the course. */
function sampleEnds(course: Course, start: readonly number[], { runs, seed, until }: Settings): Table {
  if (course.wrong !== 1) throw new RangeError('--runs samples binary answers: leave out --wrong.');
  const random = seeded(seed);
  const steps = Math.ceil(until);
  let right = 0;
  let lost = 0;
  let sum = 0;
  for (let run = 0; run < runs; run++) {
    const end = sampleRun(course, start, steps, random).at(-1)?.p ?? start;
    sum += average(end);
    if (end.every((p) => p > 0.5)) right++;
    if (end.every((p) => p < 0.5)) lost++;
  }
  return {
    title: `${runs} sampled runs of ${steps} steps, seed ${seed}`,
    columns: ['all above 1/2', 'all below 1/2', 'apart', 'mean chance at the end'],
    rows: [[right / runs, lost / runs, (runs - right - lost) / runs, sum / runs]],
  };
}
