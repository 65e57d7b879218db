import { type Command, Option } from 'commander';
import { EXTRACTION_MODES, FALLBACKS } from '../../answers/modes.ts';
import { REASONING_POLICIES } from '../../answers/reasoning-policy.ts';
import { METHOD_NAMES } from '../../domain/cohort.ts';
import { barProgress, NO_PROGRESS } from '../rollouts/progress.ts';
import { score, type Terminal } from './score.ts';

interface Flags {
  readonly json?: true;
  readonly csv?: true;
}

/** Adds `peervote score FILES…`: what rollouts say of their agents, and the rewards that any method would pay. */
export function declareScore(program: Command): void {
  declareReading(
    program
      .command('score')
      .description('Score rollouts from JSONL files: votes, agreement, complementarity, maj@k, rewards.'),
  )
    .option('--method <method>', `also compute rewards: ${METHOD_NAMES.join(', ')}`)
    .option('--agents <names>', 'of the cohort, in ring order (default: as they appear in the files)')
    .option('--supervision <kind>', 'of method co-rl: ring, peer-majority, pooled or graph')
    .option('--ring <direction>', 'predecessor or successor')
    .option('--set <key=value...>', 'any setting of a cohort, as in vote.threshold=0.5; may be repeated')
    .option('--config <file>', 'take the cohort from a configuration file of serve')
    .option('--cohort <name>', 'which cohort of that file')
    .option('--rewards <file>', 'write every reward into a JSONL file')
    .option('--maj <k>', 'votes of maj@k: a number or several, as in 4,8 (default: the usual group size)')
    .option('--tie <way>', 'what a tie of maj@k is worth: fractional, first or discard (default: fractional)')
    .option('--json', 'print JSON')
    .addOption(new Option('--csv', 'print every figure as a line of CSV').conflicts('json'))
    .action(async (files: string[], { json, csv, ...raw }: Flags & Record<string, unknown>) => {
      process.exitCode = await score(files, raw, json ? 'json' : csv ? 'csv' : 'table', processTerminal());
    });
}

/** What `score` and `pair` have in common: which rollouts, and how they are read. */
export function declareReading(command: Command): Command {
  return command
    .argument('<files...>', 'JSONL, .gz or not, - for stdin; AGENT=FILE says whose rollouts a file holds')
    .option('--fields <names>', 'what fields are called, as in gold=answer,prompt_id=qid')
    .option('--mode <mode>', `how answers are read: ${EXTRACTION_MODES.join(', ')} (default: auto)`)
    .option('--pattern <regex>', 'of mode regex')
    .option(
      '--reasoning <who>',
      `who opens it: ${REASONING_POLICIES.join(', ')} (default: as the prompt shows)`,
    )
    .option(
      '--fallback <what>',
      `what mode auto takes from a text without an announced answer: ${FALLBACKS.join(', ')} (default: none)`,
    )
    .option('--skip-bad', 'leave out lines that cannot be read, and count them')
    .option('--seed <number>', 'of everything that is drawn (default: 1)');
}

/** The streams of the process, with a bar while files are read where people look at it. */
export function processTerminal(): Terminal {
  return {
    stdin: process.stdin,
    progress: (what, total) =>
      process.stderr.isTTY ? barProgress(process.stderr, what, total) : NO_PROGRESS,
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  };
}
