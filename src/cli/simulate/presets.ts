import { driftOf, type Teaching } from '../../theory/dynamics.ts';
import { criticalChance, limitOf } from '../../theory/limit.ts';
import { populationLimit } from '../../theory/population.ts';
import { follow } from '../../theory/trajectory.ts';
import { separatrixOpposite } from '../../theory/two-agents.ts';
import { meanSpread, pull, rateAtHalf, selfPull, speed, voteAccuracy } from '../../theory/vote-curve.ts';
import { adaptive } from './adaptive.ts';
import type { ChartLine, Report } from './report.ts';
import { average, describeLimit, requireCourse, timesUntil } from './run.ts';
import { seeded } from './seeded.ts';
import type { Settings } from './settings.ts';

/** What each preset shows, by its name. */
export const PRESETS: Readonly<
  Record<string, { readonly about: string; readonly run: (settings: Settings) => Report }>
> = {
  toy: { about: 'two problems, each known to one of two agents: self-voting against Co-RL', run: toy },
  basin: { about: 'which starts of two agents end at 1: the line p_A + p_B = 1', run: basin },
  ring: { about: 'three agents in a ring: its direction decides', run: ring },
  population: { about: 'a data set with Beta(2, 1) pass rates: self-voting against Co-RL', run: population },
  adaptive: {
    about: 'teachers chosen by their labels against a fixed ring, with a bad agent (minutes)',
    run: adaptive,
  },
  curve: { about: 'V_K, φ_K, h_K, q_K and the self-voting drift as functions of p', run: curve },
};

const WAYS: readonly Teaching[] = ['self', 'predecessor'];

/** Theorem 1's example: (.9, .2) and (.2, .9), or any start of two agents and its mirror image. */
function toy(settings: Settings): Report {
  const start = settings.start ?? [0.9, 0.2];
  const problems = [start, [...start].reverse()];
  const lines: ChartLine[] = [];
  const rows = WAYS.map((teaching) => {
    const course = requireCourse(settings, start.length, { teaching });
    const times = timesUntil(settings.until);
    const courses = problems.map((from) => follow(course, from, times));
    const means = times.map((_, at) => average(courses.map((moments) => average(moments[at]?.p ?? []))));
    lines.push({ name: nameOf(teaching), points: times.map((time, at) => [time, means[at] ?? 0] as const) });
    const limits = problems.map((from) => limitOf(course, from));
    const ends = limits.flatMap((limit) => (limit.kind === 'settles' ? limit.to : []));
    return [nameOf(teaching), means[0] ?? 0, means.at(-1) ?? 0, average(ends)];
  });
  return {
    title: 'Toy: each agent knows another problem',
    settings: { ...settings, start },
    tables: [
      {
        title: 'Mean accuracy over both problems and agents',
        columns: ['labels from', 'at the start', `at ${settings.until}`, 'in the limit'],
        rows,
      },
    ],
    chart: { title: 'Mean accuracy', xLabel: 'time (η units)', yLabel: 'accuracy', lines },
    conclusions: [`In the limit ${rows.map(([name, , , limit]) => `${name} reaches ${limit}`).join(', ')}.`],
  };
}

/** Starts on a grid, their ends, and the separatrix between them. */
function basin(settings: Settings): Report {
  const course = requireCourse({ ...settings, wrong: 1 }, 2);
  const [a, b] = course.learners;
  if (a === undefined || b === undefined) throw new RangeError('A basin is of two agents.');
  const grid = Array.from({ length: 19 }, (_, at) => (at + 1) / 20);
  const border = grid.map((p) => [p, separatrixOpposite(a, b, p)] as const);
  const drift = driftOf(course);
  const ends = grid.map((pB) => grid.map((pA) => endOf(limitOf(course, [pA, pB], drift))));
  const lines = [
    { name: 'separatrix', points: border },
    ...[0.1, 0.3, 0.5, 0.7, 0.9].flatMap((pA) =>
      [0.05, 0.95].map((pB) => ({
        name: `from (${pA}, ${pB})`,
        points: follow(course, [pA, pB], timesUntil(settings.until)).map(
          ({ p }) => [p[0] ?? 0, p[1] ?? 0] as const,
        ),
      })),
    ),
  ];
  const flat = ends.flat();
  const share = (end: string) => flat.filter((each) => each === end).length / flat.length;
  return {
    title: 'Basin: where two agents end',
    settings,
    tables: [
      {
        title: 'Ends by start: p_A across, p_B down from the top; 1 right, 0 wrong, ~ separatrix',
        columns: ['p_B', ...grid.map((p) => p.toFixed(2))],
        rows: [...ends.entries()].reverse().map(([at, row]) => [(grid[at] ?? 0).toFixed(2), ...row]),
      },
    ],
    chart: { title: 'Courses and separatrix', xLabel: 'p_A', yLabel: 'p_B', lines },
    conclusions: [
      `Of the grid's starts ${percent(share('1'))} end at 1, ${percent(share('0'))} at 0, and ${percent(share('~'))} lie on the separatrix.`,
    ],
  };
}

/** The same start with both directions of the ring, and the chance of the last agent at which the end turns. */
function ring(settings: Settings): Report {
  const start = settings.start ?? [0.9, 0.2, 0.3];
  const sizes = settings.k.length === 1 && settings.k[0] === 8 ? [8, 12, 15] : [settings.k[0] ?? 8];
  const last = start.length - 1;
  const lines: ChartLine[] = [];
  const rows = sizes.flatMap((k) =>
    (['predecessor', 'successor'] as const).map((teaching) => {
      const course = requireCourse({ ...settings, k: [k] }, start.length, { teaching });
      const points = follow(course, start, timesUntil(settings.until)).map(
        ({ time, p }) => [time, average(p)] as const,
      );
      lines.push({ name: `${teaching}, K = ${k}`, points });
      return [k, teaching, describeLimit(limitOf(course, start)), criticalChance(course, start, last)];
    }),
  );
  return {
    title: `Ring from (${start.join(', ')}): predecessor is the paper's direction, successor the reference code's`,
    settings: { ...settings, start },
    tables: [
      {
        title: 'Where it ends',
        columns: ['K', 'teacher', 'end', `p of agent ${last + 1} at which the end turns`],
        rows,
      },
    ],
    chart: { title: 'Mean chance', xLabel: 'time (η units)', yLabel: 'mean chance of a right answer', lines },
    conclusions: rows.map(([k, teaching, end]) => `K = ${k}, ${teaching}: ${end}`),
  };
}

/** Limits over problems whose chances are drawn independently from Beta(2, 1). */
function population(settings: Settings): Report {
  const agents = settings.start?.length ?? 2;
  const problems = settings.problems ?? 2_000;
  const rows = WAYS.map((teaching) => {
    const course = requireCourse(settings, agents, { teaching });
    // The same problems for both.
    const result = populationLimit(course, { a: 2, b: 1 }, problems, seeded(settings.seed));
    return [nameOf(teaching), result.mean, result.error, result.undecided];
  });
  return {
    title: `${problems} problems, ${agents} agents, pass rates from Beta(2, 1), seed ${settings.seed}`,
    settings: { ...settings, problems },
    tables: [
      {
        title: 'Mean accuracy in the limit',
        columns: ['labels from', 'mean', 'standard error', 'undecided problems'],
        rows,
      },
    ],
    chart: null,
    conclusions: ['Theory, two agents with binary answers: 3/4 for self-voting, 5/6 for Co-RL.'],
  };
}

function curve(settings: Settings): Report {
  const k = settings.k[0] ?? 8;
  const grid = Array.from({ length: 19 }, (_, at) => (at + 1) / 20);
  const curves: readonly (readonly [string, (p: number) => number])[] = [
    ['V', (p) => voteAccuracy(k, p)],
    ['φ', (p) => pull(k, p)],
    ['h', (p) => meanSpread(k, p)],
    ['q', (p) => speed(k, p, settings.eta[0])],
    ['self', (p) => p * (1 - p) * (settings.eta[0] ?? 1) * selfPull(k, p)],
  ];
  return {
    title: `One group of K = ${k} binary answers`,
    settings,
    tables: [
      {
        title: 'By the chance p of a right answer',
        columns: ['p', ...curves.map(([name]) => name)],
        rows: grid.map((p) => [p, ...curves.map(([, f]) => f(p))]),
      },
    ],
    chart: {
      title: `K = ${k}`,
      xLabel: 'p',
      yLabel: 'value',
      lines: curves.map(([name, f]) => ({ name, points: grid.map((p) => [p, f(p)] as const) })),
    },
    conclusions: [
      `Near p = 1/2 two agents leave it together at a rate of ${rateAtHalf(k, settings.eta[0]).toFixed(4)}.`,
    ],
  };
}

function endOf(limit: ReturnType<typeof limitOf>): string {
  if (limit.kind !== 'settles') return '~';
  const [a, b] = limit.to;
  return a === b ? String(a) : '/';
}

function nameOf(teaching: Teaching): string {
  return teaching === 'self' ? 'self-voting' : 'Co-RL';
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
