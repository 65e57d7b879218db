import { Argument, type Command, Option } from 'commander';
import { TEACHING } from '../../theory/dynamics.ts';
import { PRESETS } from './presets.ts';
import { simulate } from './simulate.ts';

interface Flags {
  readonly json?: true;
  readonly svg?: string;
  readonly png?: string;
}

/** Adds `peervote simulate [PRESET]`: where a cohort goes by the theory of Co-RL. */
export function declareSimulate(program: Command): void {
  const presets = Object.entries(PRESETS).map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`);
  program
    .command('simulate')
    .description('Show where a cohort goes by the theory of Co-RL (Theorem 1), from --start or as a preset.')
    .addArgument(new Argument('[preset]', 'a known case').choices(Object.keys(PRESETS)))
    .option('--start <chances>', 'chance of a right answer of each agent, as in 0.9,0.2')
    .option('--k <rollouts>', 'rollouts per prompt: one number, or one for each agent (default: 8)')
    .option('--eta <rates>', 'learning rate: one number, or one for each agent (default: 1)')
    .addOption(new Option('--teaching <way>', 'whose label rewards an agent').choices(TEACHING))
    .option('--wrong <count>', 'equally likely wrong answers; 1 makes answers binary (default: 1)')
    .option('--until <time>', 'how long, in units of 1/η (default: 50)')
    .option(
      '--runs <count>',
      'sampled runs with real votes beside the course (default: 0); of preset adaptive (default: 200)',
    )
    .option('--problems <count>', 'problems of preset population (default: 2000) and adaptive (default: 100)')
    .option('--seed <number>', 'of everything that is drawn (default: 1)')
    .option('--json', 'print JSON')
    .option('--svg <file>', 'draw the chart into a file')
    .option('--png <file>', 'draw the chart into a file')
    .addHelpText('after', `\nPresets:\n${presets.join('\n')}`)
    .action(
      async (preset: string | undefined, { json, svg, png, ...raw }: Flags & Record<string, unknown>) => {
        process.exitCode = await simulate(preset, raw, {
          json,
          svg,
          png,
          colors: process.stdout.isTTY === true && !process.env.NO_COLOR,
          print: (text) => process.stdout.write(text),
          complain: (text) => process.stderr.write(text),
        });
      },
    );
}
