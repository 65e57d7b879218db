import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extract } from '../../src/answers/extract.ts';
import { grade } from '../../src/answers/grade.ts';
import { EXTRACTION_MODES, type ExtractionMode } from '../../src/answers/modes.ts';

interface Rollout {
  prompt_id: string;
  agent: string;
  round: number;
  k: number;
  prompt: string;
  gold: string;
  completion: string;
}

type Readings = Record<string, string | null>;

/** Counts answers and those equal to the gold by agent; with `list`, a completion without an answer is printed, to be read. */
export function reportRollouts(path: string, mode: ExtractionMode, list: boolean): void {
  const agents = new Map<string, { answered: number; equal: number; none: number }>();
  console.log(`\n${path}, mode ${mode}`);
  for (const rollout of readRollouts(path)) {
    const counts = agents.get(rollout.agent) ?? { answered: 0, equal: 0, none: 0 };
    agents.set(rollout.agent, counts);
    const answer = extract(rollout.completion, { mode, choices: readChoices(rollout.prompt) });
    if (answer === null) {
      counts.none += 1;
      if (list) console.log(`  none ${nameOf(rollout)} ${JSON.stringify(rollout.completion.slice(-120))}`);
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

/**
 * What every mode reads in every completion. Written to `file` where there is none yet; else compared with it, each
 * completion whose reading changed on a line of its own. So two states of the engine are compared: run one, then the other.
 */
export function compareReadings(paths: readonly string[], file: string): void {
  const readings: Readings = {};
  const ends = new Map<string, string>();
  for (const path of paths) {
    for (const rollout of readRollouts(path)) {
      for (const mode of EXTRACTION_MODES) {
        const name = `${mode} ${nameOf(rollout)}`;
        readings[name] = extract(rollout.completion, { mode, choices: readChoices(rollout.prompt) });
        ends.set(name, rollout.completion.slice(-200));
      }
    }
  }
  if (!existsSync(file)) {
    writeFileSync(file, JSON.stringify(readings));
    console.log(`\n${Object.keys(readings).length} readings written to ${file}`);
    return;
  }
  const before = JSON.parse(readFileSync(file, 'utf8')) as Readings;
  const changed = Object.keys(readings).filter((name) => readings[name] !== before[name]);
  console.log(`\n${changed.length} of ${Object.keys(readings).length} readings changed`);
  for (const name of changed) {
    const end = JSON.stringify(ends.get(name));
    console.log(`  ${name}: ${JSON.stringify(before[name])} -> ${JSON.stringify(readings[name])} ${end}`);
  }
}

function readRollouts(path: string): Rollout[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Rollout);
}

function nameOf({ prompt_id, agent, round, k }: Rollout): string {
  return `${prompt_id} ${agent} round ${round} k ${k}`;
}

/** The option texts of a prompt that lists them as `A) …, B) …`. */
function readChoices(prompt: string): string[] {
  const options = /: A\) (.*), B\) (.*), C\) (.*), D\) (.*?) Answer in /s.exec(prompt);
  return options === null ? [] : options.slice(1);
}
