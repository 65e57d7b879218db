import { once } from 'node:events';
import { AGENTS, STEPS } from './agents.ts';
import { comparePairs, type FigureInput, judgeAgents } from './figures.ts';
import { pickProblem, showInside } from './inside.ts';
import type { StepReport } from './messages.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { makeProblems, type Problem } from './problems.ts';
import { Progress } from './progress.ts';
import { scrapeMetrics } from './scrape.ts';
import { pickPort, startServer } from './server.ts';
import { LEGEND, tellBeginning, tellLimits, tellNext, tellResult } from './story.ts';
import { type CohortFigures, renderFigures } from './table.ts';
import { runAgents } from './trainers.ts';

/** As in cohorts.yaml. */
const COHORTS = [
  { cohort: 'ring', title: 'ring (Co-RL)' },
  { cohort: 'self', title: 'self (TTRL)' },
] as const;
const NAMES = AGENTS.map(({ name }) => name);
const EXIT_USAGE = 2;

const options = readArguments();
if (options !== null) await run(options);

function readArguments(): Options | null {
  try {
    const read = readOptions(process.argv.slice(2), process.stdout.isTTY && process.env.CI === undefined);
    if (read === null) console.log(USAGE);
    return read;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = EXIT_USAGE;
    return null;
  }
}

async function run(options: Options): Promise<void> {
  const problems = makeProblems();
  const server = await startServer(await pickPort(options.port));
  const { url } = server;
  try {
    console.log(tellBeginning(url, problems.length, options));
    const reports = await train(url, options);
    const figures = await readFigures(url, problems, reports);
    console.log(`\n${renderFigures(figures)}\n${LEGEND}\n\n${tellResult(figures)}\n${tellLimits(options)}`);
    const problem = pickProblem(problems, reports);
    console.log(`\nOne prompt of the ring from the inside, as the server explains it:\n`);
    console.log(`${await showInside(url, problem)}\n${tellNext(url, problem, options)}`);
    if (options.keep) await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  } finally {
    await server.close();
  }
}

/** Lets the agents train, and tells how it goes; what each got from the server at each step. */
async function train(url: string, { seed, twins }: Options): Promise<readonly StepReport[]> {
  const started = performance.now();
  const cohorts = COHORTS.map(({ cohort }) => cohort);
  const progress = new Progress(COHORTS, NAMES.length);
  const orders = NAMES.map((name) => {
    return { name, startsAs: twins ? (NAMES[0] ?? name) : name, url, cohorts, seed };
  });
  await runAgents(orders, (report) => {
    const line = progress.add(report);
    if (line !== null) console.log(line);
  });
  const submissions = NAMES.length * STEPS * COHORTS.length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  ${submissions} submissions, all rewarded, in ${seconds} s.`);
  return progress.reports;
}

async function readFigures(
  url: string,
  problems: readonly Problem[],
  reports: readonly StepReport[],
): Promise<CohortFigures[]> {
  const metrics = await scrapeMetrics(url);
  const truths = new Map(problems.map(({ id, truth }) => [id, truth]));
  return COHORTS.map(({ cohort, title }) => {
    const input: FigureInput = { cohort, agents: NAMES, reports, metrics, truths };
    return { title, pairs: comparePairs(input), agents: judgeAgents(input) };
  });
}
