import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { canonicalKey } from '../src/answers/canonical-key.ts';
import { extract } from '../src/answers/extract.ts';
import { grade } from '../src/answers/grade.ts';
import type { ExtractionMode } from '../src/answers/modes.ts';

/**
 * Runs the grading corpora through the engine: `--data DIR` with math-verify.json, other.json, reported.json; and the
 * completions of DIR/../rollouts (or `--rollouts DIR`): gsm8k.jsonl, mmlu.jsonl. `--list` prints the misses, and the
 * completions that are taken to state no answer. Exits with 1 when a file is below its wanted share.
 */
interface Case {
  id: string;
  family?: string;
  gold?: string;
  prediction?: string;
  completion?: string;
  expected: boolean | string | null;
  kind?: 'grade' | 'extract';
  format?: string;
  certainty?: 'clear' | 'policy';
  config?: CaseConfig;
}

interface CaseConfig {
  extract?: string[];
  wrap?: string;
  mcq?: boolean;
  kind?: string;
  extracted?: string[];
  contested?: boolean;
  float_rounding?: number;
  strict?: boolean;
}

interface Tally {
  correct: number;
  falsePositive: number;
  falseNegative: number;
  contested: number;
}

type Outcome = { got: boolean | string | null; expected: boolean | string | null } | null;

const FORMATS: Readonly<Record<string, ExtractionMode>> = {
  mcq: 'choice',
  answer_tag: 'answer-tag',
  gsm8k: 'gsm8k',
  gsm8k_strict: 'gsm8k',
  gsm8k_flexible: 'number',
  boxed: 'boxed',
  raw: 'raw',
};
const WANTED: Readonly<Record<string, number>> = {
  'math-verify.json': 0.985,
  'other.json': 0.992,
  'reported.json': 1,
};

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rollouts: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
if (values.data === undefined) {
  console.error('usage: npm run conformance -- --data DIR [--list]');
  process.exit(2);
}

let failed = false;
for (const [file, wanted] of Object.entries(WANTED)) {
  const path = join(values.data, file);
  if (!existsSync(path)) continue;
  if (!reportFile(file, JSON.parse(readFileSync(path, 'utf8')) as Case[], wanted)) failed = true;
}
const rollouts = values.rollouts ?? join(values.data, '..', 'rollouts');
for (const [file, mode] of [
  ['gsm8k.jsonl', 'boxed'],
  ['mmlu.jsonl', 'choice'],
] as const) {
  const path = join(rollouts, file);
  if (existsSync(path)) reportRollouts(file, mode, readFileSync(path, 'utf8').trim().split('\n'));
}
process.exitCode = failed ? 1 : 0;

function reportFile(file: string, cases: Case[], wanted: number): boolean {
  const families = new Map<string, Tally>();
  const total = emptyTally();
  for (const item of cases) {
    const outcome = runCase(item);
    if (outcome === null) continue;
    const family = item.family ?? item.certainty ?? 'all';
    const tally = families.get(family) ?? emptyTally();
    families.set(family, tally);
    const counts = [tally, ...(item.certainty === 'policy' ? [] : [total])];
    const right = outcome.got === outcome.expected;
    for (const count of counts) {
      if (right) count.correct += 1;
      else if (item.config?.contested) count.contested += 1;
      else if (outcome.got === false || outcome.got === null) count.falseNegative += 1;
      else count.falsePositive += 1;
    }
    if (!right && values.list) console.log(`  miss ${describe(item, outcome)}`);
  }
  console.log(`\n${file}`);
  for (const [family, tally] of families) console.log(`  ${family.padEnd(20)} ${formatTally(tally)}`);
  console.log(`  ${'total'.padEnd(20)} ${formatTally(total)}   wanted ${(100 * wanted).toFixed(1)} %`);
  return share(total) >= wanted;
}

interface Rollout {
  prompt_id: string;
  agent: string;
  round: number;
  k: number;
  prompt: string;
  gold: string;
  completion: string;
}

/** Counts answers and those equal to the gold by agent; a completion without an answer is listed, to be read. */
function reportRollouts(file: string, mode: ExtractionMode, lines: string[]): void {
  const agents = new Map<string, { answered: number; equal: number; none: number }>();
  console.log(`\n${file}, mode ${mode}`);
  for (const line of lines) {
    const rollout = JSON.parse(line) as Rollout;
    const counts = agents.get(rollout.agent) ?? { answered: 0, equal: 0, none: 0 };
    agents.set(rollout.agent, counts);
    const answer = extract(rollout.completion, { mode, choices: readChoices(rollout.prompt) });
    if (answer === null) {
      counts.none += 1;
      if (values.list) {
        const id = `${rollout.prompt_id} ${rollout.agent} round ${rollout.round} k ${rollout.k}`;
        console.log(`  none ${id} ${JSON.stringify(rollout.completion.slice(-120))}`);
      }
      continue;
    }
    counts.answered += 1;
    if (grade(answer, rollout.gold, mode).equal) counts.equal += 1;
  }
  for (const [agent, { answered, equal, none }] of agents) {
    console.log(
      `  ${agent.padEnd(20)} answered ${answered}, of these equal to the gold ${equal}, no answer ${none}`,
    );
  }
}

/** The option texts of a prompt that lists them as `A) …, B) …`. */
function readChoices(prompt: string): string[] {
  const options = /: A\) (.*), B\) (.*), C\) (.*), D\) (.*?) Answer in /s.exec(prompt);
  return options === null ? [] : options.slice(1);
}

function runCase(item: Case): Outcome {
  if (item.kind === 'extract') {
    const mode = FORMATS[item.format ?? ''] ?? 'auto';
    return { got: extract(item.completion ?? '', { mode }), expected: item.expected };
  }
  if (item.config === undefined) {
    const mode = FORMATS[item.format ?? ''] ?? 'auto';
    const choice = mode === 'choice' ? 'choice' : 'auto';
    const prediction = item.prediction ?? extract(item.completion ?? '', { mode: choice });
    return { got: grade(prediction, item.gold ?? '', choice).equal, expected: item.expected };
  }
  return item.config.kind === 'extraction' ? runExtraction(item, item.config) : runPair(item, item.config);
}

/** The corpus says what its own grader was told to look for; switches of that grader that we lack are left out. */
function runExtraction(item: Case, config: CaseConfig): Outcome {
  if (/-1|malformed_operators=False/.test((config.extract ?? []).join())) return null;
  const mode = config.extract?.includes('string') ? 'choice' : 'auto';
  const answer = extract(item.prediction ?? '', { mode, fallback: 'last' });
  const wanted = config.extracted ?? [];
  const right =
    answer === null
      ? wanted.length === 0
      : wanted.some((text) => canonicalKey(text) === canonicalKey(answer));
  return { got: right, expected: true };
}

function runPair(item: Case, config: CaseConfig): Outcome {
  const letters = config.mcq === true || config.extract?.includes('NativeLetters');
  const bare = config.wrap === 'bare';
  const mode: ExtractionMode = letters ? 'choice' : 'auto';
  const take = (text: string): string | null => {
    if (bare) return text;
    const fallback = config.extract?.includes('expr') ? 'last' : 'formula';
    return letters ? extract(text, { mode: 'choice' }) : extract(text, { mode: 'auto', fallback });
  };
  const gold = take(item.gold ?? '');
  if (gold === null) return { got: false, expected: item.expected };
  const decimals = config.float_rounding ?? 6;
  return { got: grade(take(item.prediction ?? ''), gold, { mode, decimals }).equal, expected: item.expected };
}

function describe(item: Case, outcome: { got: unknown; expected: unknown }): string {
  const text = [item.gold, item.prediction ?? item.completion].map((part) =>
    JSON.stringify(part?.slice(-160)),
  );
  const how = item.config?.contested ? 'contested' : (item.certainty ?? '');
  return `${item.id} ${item.family ?? ''} ${how} got ${outcome.got} want ${outcome.expected} ${text.join(' | ')}`;
}

function emptyTally(): Tally {
  return { correct: 0, falsePositive: 0, falseNegative: 0, contested: 0 };
}

function share(tally: Tally): number {
  return tally.correct / Math.max(1, tally.correct + tally.falsePositive + tally.falseNegative);
}

function formatTally(tally: Tally): string {
  const all = tally.correct + tally.falsePositive + tally.falseNegative;
  const contested = tally.contested === 0 ? '' : `  contested ${tally.contested}`;
  return `${`${tally.correct}/${all}`.padStart(10)}  ${(100 * share(tally)).toFixed(1).padStart(5)} %  false positives ${tally.falsePositive}  false negatives ${tally.falseNegative}${contested}`;
}
