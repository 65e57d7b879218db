import { DEFAULT_RELIABILITY_RULES } from '../../domain/plan.ts';
import { type Planned, type Supervised, sampleTraining, type Training } from '../../theory/adaptive.ts';
import { drawBeta, type Random } from '../../theory/random.ts';
import type { Report } from './report.ts';
import { average, requireCourse } from './run.ts';
import { seeded } from './seeded.ts';
import type { Settings } from './settings.ts';

const RUNS = 200;
const PROBLEMS = 100;
/** What of the wrong answers is the agent's favourite, where there are several: the rest are alike. */
const FAVOURITE = 0.6;

/** Chances of a right answer at the start: good agents 2/3 on average, a bad one 1/3. */
const GOOD = [4, 2] as const;
const BAD = [2, 4] as const;

interface Setup {
  readonly name: string;
  readonly agents: number;
  /** The last ones. */
  readonly bad: number;
  readonly twins?: Training['twins'];
}

const COHORTS: readonly Setup[] = [
  { name: '3 agents, 1 bad', agents: 3, bad: 1 },
  { name: '5 agents, 1 bad', agents: 5, bad: 1 },
  { name: '3 agents, none bad', agents: 3, bad: 0 },
  { name: '5 agents, 2 bad twins', agents: 5, bad: 2, twins: [[3, 4]] },
  { name: '5 agents, 2 good twins', agents: 5, bad: 0, twins: [[3, 4]] },
  { name: '3 agents, 2 bad twins', agents: 3, bad: 2, twins: [[1, 2]] },
];

const RING = { kind: 'ring', direction: 'predecessor' } as const;
const PEERS = { kind: 'peer-majority' } as const;
const ADAPTIVE = {
  kind: 'adaptive',
  fallback: 'predecessor',
  minPrompts: 50,
  margin: 0.01,
  minDwell: 2,
} as const;

/** The defaults of the server, but for windows that fit a small data set and as many answers as there are. */
function planned(
  supervision: Planned['supervision'],
  overrides: Partial<Planned['reliability']>,
  weighting: Planned['weighting'] = 'none',
): (answers: number) => Supervised {
  return (classes) => ({
    supervision,
    weighting,
    reliability: { ...DEFAULT_RELIABILITY_RULES, every: 100, window: 300, classes, ...overrides },
  });
}

const WAYS: readonly (readonly [string, (answers: number) => Supervised])[] = [
  ['ring, predecessor', () => 'predecessor'],
  ['peer-majority', () => 'peer-majority'],
  ['ring, min_posterior 0.7', planned(RING, { minPosterior: 0.7 })],
  ['dawid-skene', planned(PEERS, {}, 'dawid-skene')],
  ['dawid-skene, min_posterior 0.7', planned(PEERS, { minPosterior: 0.7 }, 'dawid-skene')],
  ['adaptive, min_posterior 0', planned(ADAPTIVE, {})],
  ['adaptive', planned(ADAPTIVE, { minPosterior: 0.7 })],
  ['adaptive, truth of 5 %', planned(ADAPTIVE, { minPosterior: 0.7, truthShare: 0.05 })],
  ['dawid-skene, 0.7, truth of 5 %', planned(PEERS, { minPosterior: 0.7, truthShare: 0.05 }, 'dawid-skene')],
];

/** Final accuracy of cohorts with bad agents under each supervision; the runs of one seed start alike. */
export function adaptive(settings: Settings): Report {
  const runs = settings.runs || RUNS;
  const problems = settings.problems ?? PROBLEMS;
  const visits = Math.ceil(settings.until);
  const answers = settings.wrong + 1;
  const seeds = Array.from({ length: runs }, (_, run) => settings.seed + run);
  const tables = COHORTS.map((setup) => {
    const { learners } = requireCourse(settings, setup.agents);
    const start: number[] = [];
    const results = WAYS.map(([, wayOf], at) =>
      seeds.map((seed) => {
        const random = seeded(seed);
        const starts = Array.from({ length: problems }, () => drawStart(setup, answers, random));
        if (at === 0) start.push(average(starts.map((all) => average(all.map(([right = 0]) => right)))));
        const training = { learners, starts, visits, twins: setup.twins ?? [] };
        const result = sampleTraining(training, wayOf(answers), random);
        return { ...result, mean: average(result.accuracy) };
      }),
    );
    const ring = results[0]?.map(({ mean }) => mean) ?? [];
    const rows = WAYS.map(([way], at) => {
      const runsOf = results[at] ?? [];
      const means = runsOf.map(({ mean }) => mean);
      return [
        way,
        formatInterval(means),
        at === 0 ? '' : formatInterval(means.map((mean, run) => mean - (ring[run] ?? 0))),
        average(runsOf.map(({ changes }) => changes)),
        average(runsOf.map(({ unlabeled }) => unlabeled)),
      ];
    });
    return {
      title: `${setup.name}, from ${average(start).toFixed(3)}: mean accuracy over agents and problems`,
      columns: ['teachers', 'at the end', 'less ring', 'changes', 'unlabeled'],
      rows,
    };
  });
  return {
    title: `${runs} seeds from ${settings.seed}, ${problems} problems, ${visits} visits each, ${answers} answers; means with 95 % confidence intervals`,
    settings: { ...settings, runs, problems },
    tables,
    chart: null,
    conclusions: [
      'Differences are paired by seed. Agents err independently but for twins, which sample the same; the estimate assumes independence.',
    ],
  };
}

/** Chances of each answer by agent, the right one first. */
function drawStart({ agents, bad, twins = [] }: Setup, answers: number, random: Random): number[][] {
  const drawn = Array.from({ length: agents }, (_, n) => {
    const [a, b] = n < agents - bad ? GOOD : BAD;
    const right = drawBeta(a, b, random);
    const favourite = answers === 2 ? 1 : 1 + Math.floor(random() * (answers - 1));
    const rest = answers === 2 ? 0 : (1 - FAVOURITE) / (answers - 2);
    return Array.from({ length: answers }, (_answer, answer) => {
      if (answer === 0) return right;
      return (1 - right) * (answers === 2 ? 1 : answer === favourite ? FAVOURITE : rest);
    });
  });
  return drawn.map((own, n) => {
    const first = twins.find(([, second]) => second === n)?.[0];
    return first === undefined ? own : (drawn[first] ?? own);
  });
}

/** Mean and half the width of its 95 % confidence interval, by the normal approximation. */
function formatInterval(values: readonly number[]): string {
  const mean = average(values);
  const variance =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return `${mean.toFixed(4)} ± ${(1.96 * Math.sqrt(variance / values.length)).toFixed(4)}`;
}
