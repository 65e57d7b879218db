import type { Command } from 'commander';
import { declareReading, processTerminal } from '../score/declare.ts';
import { pair } from './pair.ts';

interface Flags {
  readonly json?: true;
}

/** Adds `peervote pair FILES…`: which of the agents should teach which. */
export function declarePair(program: Command): void {
  declareReading(
    program
      .command('pair')
      .description('Recommend a cohort: which agents, and who teaches whom, from rollouts in JSONL files.'),
  )
    .option('--agents <names>', 'candidates, separated by commas (default: all in the files)')
    .option('--k <rollouts>', 'rollouts per prompt of the run to come (default: 8)')
    .option('--wrong <count>', 'wrong answers that a prompt has; 1 is binary (default: estimated)')
    .option(
      '--shared <share>',
      'without truths: share of the prompts on which candidates are wrong for a common reason (default: 0.05)',
    )
    .option('--prior <a,b>', 'Beta prior of pass rates, which keeps them from 0 and 1 (default: 1,1)')
    .option('--smallest <agents>', 'fewest agents of a cohort (default: 2)')
    .option('--largest <agents>', 'most agents of a cohort (default: all)')
    .option('--resamples <count>', 'of the bootstrap over prompts (default: 1000)')
    .option('--show <count>', 'cohorts in the table; JSON has all (default: 10)')
    .option('--name <cohort>', 'name of the cohort in the configuration (default: pair)')
    .option('--write <file>', 'write the configuration into a file')
    .option('--json', 'print JSON')
    .action(async (files: string[], { json, ...raw }: Flags & Record<string, unknown>) => {
      process.exitCode = await pair(files, raw, json ? 'json' : 'table', processTerminal());
    });
}
