import { DEFAULT_RELIABILITY_RULES } from '../../domain/plan.ts';
import { type Choosing, type Supervised, sampleTraining } from '../../theory/adaptive.ts';
import { drawBeta } from '../../theory/random.ts';
import type { Report } from './report.ts';
import { average, requireCourse } from './run.ts';
import { seeded } from './seeded.ts';
import type { Settings } from './settings.ts';

const RUNS = 200;
const PROBLEMS = 100;

/** Chances of a right answer at the start: good agents 2/3 on average, a bad one 1/3. */
const GOOD = [4, 2] as const;
const BAD = [2, 4] as const;

const COHORTS = [
  { name: '3 agents, 1 bad', agents: 3, bad: 1 },
  { name: '5 agents, 1 bad', agents: 5, bad: 1 },
  { name: '3 agents, none bad', agents: 3, bad: 0 },
] as const;

/** The defaults of the server, but for windows that fit a small data set and answers that are binary. */
function choosing(minPosterior: number, margin = 0.05): Choosing {
  return {
    rules: { fallback: 'predecessor', minPrompts: 50, margin, minDwell: 2, minPosterior },
    reliability: { every: 100, window: 300, classes: 2, prior: DEFAULT_RELIABILITY_RULES.prior },
  };
}

const WAYS: readonly (readonly [string, Supervised])[] = [
  ['ring, predecessor', 'predecessor'],
  ['ring, successor', 'successor'],
  ['peer-majority', 'peer-majority'],
  // No score is higher by more than 1, so this one never changes: what comes of the doubt alone.
  ['ring, min_posterior 0.7', choosing(0.7, 1)],
  ['adaptive', choosing(0)],
  ['adaptive, min_posterior 0.7', choosing(0.7)],
  ['adaptive, min_posterior 0.9', choosing(0.9)],
];

/** Final accuracy of cohorts with a bad agent under each supervision; the runs of one seed start alike. */
export function adaptive(settings: Settings): Report {
  const runs = settings.runs || RUNS;
  const problems = settings.problems ?? PROBLEMS;
  const visits = Math.ceil(settings.until);
  const tables = COHORTS.map(({ name, agents, bad }) => {
    const { learners } = requireCourse(settings, agents);
    const seeds = Array.from({ length: runs }, (_, run) => settings.seed + run);
    const start: number[] = [];
    const results = WAYS.map(([, way]) =>
      seeds.map((seed) => {
        const random = seeded(seed);
        const starts = Array.from({ length: problems }, () =>
          learners.map((_, n) => {
            const [a, b] = n < agents - bad ? GOOD : BAD;
            return drawBeta(a, b, random);
          }),
        );
        if (way === 'predecessor') start.push(average(starts.map(average)));
        const result = sampleTraining({ learners, starts, visits }, way, random);
        return { ...result, mean: average(result.accuracy) };
      }),
    );
    const meansOf = (at: number) => results[at]?.map(({ mean }) => mean) ?? [];
    const rows = WAYS.map(([way], at) => {
      const means = meansOf(at);
      const against = [0, 1].map((ring) => {
        const other = meansOf(ring);
        return at === ring ? '' : formatInterval(means.map((mean, run) => mean - (other[run] ?? 0)));
      });
      const runsOf = results[at] ?? [];
      return [
        way,
        formatInterval(means),
        ...against,
        average(runsOf.map(({ changes }) => changes)),
        average(runsOf.map(({ unlabeled }) => unlabeled)),
      ];
    });
    return {
      title: `${name}, from ${average(start).toFixed(3)}: mean accuracy over agents and problems`,
      columns: ['teachers', 'at the end', 'less predecessor', 'less successor', 'changes', 'unlabeled'],
      rows,
    };
  });
  return {
    title: `${runs} seeds from ${settings.seed}, ${problems} problems, ${visits} visits each; means with 95 % confidence intervals`,
    settings: { ...settings, runs, problems },
    tables,
    chart: null,
    conclusions: [
      'Differences are paired by seed. Answers are binary and agents err independently, which favours an estimate that assumes so.',
    ],
  };
}

/** Mean and half the width of its 95 % confidence interval, by the normal approximation. */
function formatInterval(values: readonly number[]): string {
  const mean = average(values);
  const variance =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return `${mean.toFixed(4)} ± ${(1.96 * Math.sqrt(variance / values.length)).toFixed(4)}`;
}
