import type { Readable } from 'node:stream';
import { toCohortConfig } from '../../config/parse-cohort.ts';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { CohortError, completeCohort, readCohortSource, readingCohort } from '../rollouts/cohort-source.ts';
import type { Collection } from '../rollouts/collection.ts';
import { openInput } from '../rollouts/input.ts';
import { isInputError } from '../rollouts/input-error.ts';
import type { Progress } from '../rollouts/progress.ts';
import { countSamples } from '../rollouts/sample-counts.ts';
import { seeded } from '../simulate/seeded.ts';
import { countBucket, judgeAll, newTally } from './count.ts';
import { toCsv } from './csv.ts';
import { MajorityTable } from './majority.ts';
import { formatScore } from './print.ts';
import { figuresOf, type ScoreResult } from './result.ts';
import { RewardsFile } from './rewards-file.ts';
import { parseScoreSettings, type ScoreSettings } from './settings.ts';

const EXIT_INPUT = 2;

/** Where a command reads and writes; `progress` is told what takes long and how much there is to come, null where nobody knows. */
export interface Terminal {
  readonly stdin: Readable;
  readonly progress: (what: string, total: number | null) => Progress;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Scores rollouts from files. Returns the exit status: 0, or 2 for what the user must change. */
export async function score(
  files: readonly string[],
  raw: Readonly<Record<string, unknown>>,
  format: 'table' | 'json' | 'csv',
  terminal: Terminal,
): Promise<number> {
  const parsed = parseScoreSettings(raw);
  const refuse = (message: string) => {
    terminal.complain(`${message}\n`);
    return EXIT_INPUT;
  };
  if (!parsed.ok) return refuse(parsed.problems.join('\n'));
  try {
    const result = await scoreFiles(files, parsed.settings, terminal);
    if (format === 'json') terminal.print(`${JSON.stringify(result, null, 2)}\n`);
    else terminal.print(format === 'csv' ? toCsv(result) : formatScore(result));
    return 0;
  } catch (error) {
    if (isInputError(error)) return refuse(error.message);
    throw error;
  }
}

async function scoreFiles(
  files: readonly string[],
  settings: ScoreSettings,
  terminal: Terminal,
): Promise<ScoreResult> {
  const asked = settings.method !== undefined || settings.config !== undefined;
  if (settings.rewards !== undefined && !asked) {
    throw new CohortError('--rewards needs a method: --method co-rl, or a cohort of a file with --config.');
  }
  const source = await readCohortSource(asked ? settings : { ...settings, method: 'ttrl' });
  const { collection, counts } = await openInput(files, {
    settings,
    cohort: readingCohort(source),
    withSignals: asked,
    terminal,
  });
  if (collection.rollouts === 0) throw new CohortError('There is no rollout in these files.');
  const cohort = completeCohort(source, collection, settings.agents);
  const sizes = settings.maj ?? [Math.min(...collection.agents.map((agent) => collection.usualSize(agent)))];
  const majority = new MajorityTable(collection.agents, sizes, {
    tie: settings.tie,
    random: seeded(settings.seed),
    buckets: collection.mostGroups,
  });
  const tally = newTally(cohort);
  const rewards = settings.rewards === undefined ? null : new RewardsFile(settings.rewards);
  for (const bucket of collection.buckets(cohort)) {
    const samples = countSamples(bucket);
    const judgements = judgeAll(cohort, bucket);
    countBucket(tally, cohort, bucket, samples, judgements);
    majority.add(bucket, samples);
    await rewards?.write(bucket, judgements);
  }
  await rewards?.close();
  const figures = figuresOf(cohort, tally, asked);
  return {
    read: counts,
    seed: settings.seed,
    tie: settings.tie,
    ...figures,
    maj_at_k: majority.rows(),
    cohort: asked ? toCohortConfig(cohort) : null,
    notes: [
      ...readingNotes(figures.agents, cohort.answers.mode),
      ...notesOf(cohort, collection, figures.pairs),
      ...majorityNotes(majority),
    ],
  };
}

function notesOf(cohort: Cohort, collection: Collection, pairs: ScoreResult['pairs']): readonly string[] {
  const apart = pairs
    .filter(({ basis, agent, peer }) => basis === 'sample' && agent !== peer)
    .filter(({ figures }) => figures.complementarity_bound?.denominator === 0)
    .map(({ agent, peer }) => `${agent} and ${peer}`);
  const sized = cohort.agents.map(({ name }): readonly [AgentName, number] => [
    name,
    collection.usualSize(name),
  ]);
  const differ = new Set(sized.map(([, size]) => size)).size > 1;
  return [
    ...(apart.length > 0
      ? [
          `No prompt in common: ${apart.join(', ')}. Ids made from the text differ where chat templates do: name the problems by prompt_id.`,
        ]
      : []),
    ...(differ
      ? [`Groups differ in size: ${sized.map(([name, size]) => `${name} ${size}`).join(', ')} rollouts.`]
      : []),
  ];
}

/** Fewer readable rollouts than this speak of a wrong mode. */
const FEW_ANSWERS = 0.5;

function readingNotes(agents: ScoreResult['agents'], mode: string): readonly string[] {
  const silent = agents.filter(({ figures }) => (figures.parseable_fraction?.value ?? 1) < FEW_ANSWERS);
  if (silent.length === 0) return [];
  return [
    `Mode ${mode} finds no answer in most rollouts of ${silent.map(({ agent }) => agent).join(', ')}: --mode says how they are written, as choice for options (A), (B), ….`,
  ];
}

function majorityNotes(majority: MajorityTable): readonly string[] {
  const short = majority.rows().filter(({ prompts }) => prompts === 0);
  const sizes = [...new Set(short.map(({ k }) => k))];
  return sizes.map((k) => `maj@${k} has no prompt with a truth in which every agent has ${k} rollouts.`);
}
