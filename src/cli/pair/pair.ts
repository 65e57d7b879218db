import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { FEWEST_AGENTS } from '../../domain/plan.ts';
import type { Random } from '../../theory/random.ts';
import { CohortError, completeCohort, readCohortSource, readingCohort } from '../rollouts/cohort-source.ts';
import { openInput } from '../rollouts/input.ts';
import { isInputError } from '../rollouts/input-error.ts';
import type { Terminal } from '../score/score.ts';
import { seeded } from '../simulate/seeded.ts';
import { agreementOf } from './agreement.ts';
import { MOST_COHORTS, rankByPassRates } from './by-pass-rates.ts';
import { type Gathered, gather } from './gather.ts';
import { imputePasses, type PossiblePasses } from './impute.ts';
import { formatPair } from './print.ts';
import type { PairResult, RatedCohort } from './result.ts';
import { type PairSettings, parsePairSettings } from './settings.ts';

const EXIT_INPUT = 2;
/** A bootstrap over fewer prompts than this says little of others. */
const FEW_PROMPTS = 30;

/** Recommends a cohort from rollouts. Returns the exit status: 0, or 2 for what the user must change. */
export async function pair(
  files: readonly string[],
  raw: Readonly<Record<string, unknown>>,
  format: 'table' | 'json',
  terminal: Terminal,
): Promise<number> {
  const parsed = parsePairSettings(raw);
  const refuse = (message: string) => {
    terminal.complain(`${message}\n`);
    return EXIT_INPUT;
  };
  if (!parsed.ok) return refuse(parsed.problems.join('\n'));
  try {
    const result = await pairFiles(files, parsed.settings, terminal);
    if (parsed.settings.write !== undefined && result.config !== null) {
      await writeFile(parsed.settings.write, result.config);
    }
    terminal.print(
      format === 'json' ? `${JSON.stringify(result, null, 2)}\n` : formatPair(result, parsed.settings.show),
    );
    return 0;
  } catch (error) {
    if (isInputError(error)) return refuse(error.message);
    throw error;
  }
}

async function pairFiles(
  files: readonly string[],
  settings: PairSettings,
  terminal: Terminal,
): Promise<PairResult> {
  const source = await readCohortSource({ ...settings, method: 'ttrl' });
  const { collection, counts } = await openInput(files, {
    settings,
    cohort: readingCohort(source),
    withSignals: false,
    terminal,
  });
  const candidates = chooseCandidates(collection.agents, settings.agents);
  const cohort = completeCohort(source, collection);
  const gathered = gather(collection, cohort, candidates);
  const hasTruth = gathered.passes.length > 0;
  if (!hasTruth && gathered.leftOut > 0) {
    throw new CohortError(
      `No prompt with a truth has rollouts of all of ${candidates.join(', ')}: --agents chooses fewer; docs/score.md tells how prompts are matched.`,
    );
  }
  const random: Random = seeded(settings.seed);
  const worlds = hasTruth
    ? gathered.passes.map((passes) => [{ weight: 1, passes }])
    : impute(gathered, settings, cohort);
  const found =
    !hasTruth && candidates.length < FEWEST_AGENTS
      ? { ...nothingOf(candidates), wrong: settings.wrong ?? null }
      : rankByPassRates({ ...gathered, worlds }, candidates, settings, random, (total) =>
          terminal.progress('predicting', total),
        );
  const { wrong, ...rest } = found;
  const [best] = found.cohorts;
  return {
    read: counts,
    basis: hasTruth ? 'pass-rates' : 'imputed',
    settings: {
      k: settings.k,
      wrong,
      prior: settings.prior,
      resamples: settings.resamples,
      seed: settings.seed,
      mode: cohort.answers.mode,
    },
    prompts: worlds.length,
    agreement: agreementOf(gathered.labels, candidates.length),
    ...rest,
    config: best === undefined ? null : toConfig(best, settings, cohort),
    notes: [
      ...(rest.cohorts.length > 0 ? [describeRules(settings, wrong)] : []),
      ...notesOf(gathered, found, settings),
    ],
  };
}

function chooseCandidates(
  agents: readonly AgentName[],
  wanted: readonly AgentName[] | undefined,
): readonly AgentName[] {
  const unknown = wanted?.filter((name) => !agents.includes(name)) ?? [];
  if (unknown.length > 0) {
    throw new CohortError(
      `There are no rollouts of ${unknown.join(', ')}; there are of ${agents.join(', ')}.`,
    );
  }
  const candidates = [...new Set(wanted ?? agents)];
  if (candidates.length >= 2) return candidates;
  throw new CohortError(
    `A cohort needs two agents, and the files have ${agents.length === 0 ? 'none' : `only ${agents.join(', ')}`}.`,
  );
}

function nothingOf(candidates: readonly AgentName[]) {
  return {
    agents: candidates.map((agent) => ({ agent, accuracy: null, self: null })),
    searched: { cohorts: 0, largest: 0, candidates: candidates.length },
    cohorts: [],
    verdict: null,
  };
}

/** What may be right, where nobody says so. Letters of a choice are few; of open answers a nominal number is taken. */
function impute(
  { answers }: Gathered,
  { wrong, shared }: PairSettings,
  cohort: Cohort,
): readonly (readonly PossiblePasses[])[] {
  const classes = wrong === undefined ? (cohort.answers.mode === 'choice' ? 4 : 10) : wrong + 1;
  return imputePasses(answers, { classes, shared });
}

function toConfig(best: RatedCohort, { k, name }: PairSettings, { answers }: Cohort): string {
  const cohort = {
    agents: best.agents,
    k,
    method: 'co-rl',
    supervision: best.supervision,
    ...(best.ring !== null && { ring: best.ring }),
    // No fallback: it is for evaluation, and this is a run to come.
    answers: {
      mode: answers.mode,
      ...(answers.pattern !== null && { pattern: answers.pattern }),
      ...(answers.reasoning !== undefined && { reasoning: answers.reasoning }),
    },
  };
  return stringify({ cohorts: { [name]: cohort } });
}

function describeRules(
  { k, prior, wrong: given, resamples, seed }: PairSettings,
  wrong: number | null,
): string {
  const answers = wrong === 1 ? 'binary answers' : `${wrong} wrong answers to a prompt`;
  return `Predicted for K = ${k}, ${answers} (${given === undefined ? 'estimated' : 'given'}), prior Beta(${prior.join(', ')}), ${resamples} resamples, seed ${seed}.`;
}

function notesOf(
  { passes, leftOut, answers }: Gathered,
  { agents, searched, cohorts }: Pick<PairResult, 'agents' | 'searched' | 'cohorts'>,
  { smallest, largest, shared }: PairSettings,
): readonly string[] {
  const notes: string[] = [];
  const hasTruth = passes.length > 0;
  if (leftOut > 0) {
    notes.push(`${leftOut} prompts with a truth lack rollouts of some candidate and are left out.`);
  }
  const prompts = hasTruth ? passes.length : answers.length;
  if (cohorts.length > 0 && prompts < FEW_PROMPTS) {
    notes.push(`${prompts} prompts are few: intervals from so few are too narrow.`);
  }
  const wanted = Math.min(largest, searched.candidates);
  if (searched.cohorts > 0 && searched.largest < wanted) {
    notes.push(
      `Cohorts of more than ${searched.largest} agents were not searched: there would be more than ${MOST_COHORTS.toLocaleString('en')}. --agents chooses fewer candidates, --smallest and --largest the sizes.`,
    );
  }
  if (searched.largest < smallest && searched.candidates > 2) {
    notes.push(`There is no cohort of ${smallest} agents to look at.`);
  }
  const [best] = cohorts;
  const alone = agents.filter(({ self }) => best !== undefined && self !== null && self > best.value);
  if (best !== undefined && alone.length > 0) {
    notes.push(
      `${alone.map(({ agent, self }) => `${agent} by its own votes (${self?.toFixed(3)})`).join(', ')}: predicted to end above the mean of every cohort. What the others gain there costs it something.`,
    );
  }
  if (best !== undefined && best.self !== null && best.value <= best.self) {
    notes.push('No gain: the agents of the best cohort are predicted to end as high by their own votes.');
  }
  if (!hasTruth) notes.push(...notesWithoutTruth(agents, answers.length, shared));
  return notes;
}

function notesWithoutTruth(agents: PairResult['agents'], rows: number, shared: number): readonly string[] {
  if (agents.length === 2) {
    return [
      'Without a truth, agreement does not tell which of two agents is right: give a truth, or a third agent.',
    ];
  }
  return [
    `No truth is given: which answers are right is estimated from the votes of the candidates on ${rows} prompts (Dawid and Skene), as if they erred independently but on ${formatShare(shared)} of the prompts (--shared). The intervals hold that the truths are not known. Prompts on which all fail alike look solved, so that this is weaker than truths.`,
  ];
}

function formatShare(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`;
}
