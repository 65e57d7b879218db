import type { Command } from 'commander';
import { checksToJson, exitCodeOf, formatChecks } from '../doctor/check.ts';
import { addServeFlags, type RawFlags, toFlagValues } from '../serve-flags.ts';
import { checkConfiguration } from './run.ts';

/** Adds `peervote check [FILE]`: what `serve` would run on, and what of it would go wrong. */
export function declareCheck(program: Command): void {
  const command = program
    .command('check')
    .description('Check a configuration as serve would load it, and try a dry step of fakes in each cohort.')
    .argument('[file]', 'configuration file, YAML or JSON; the same as --config')
    .option('--json', 'print JSON');
  addServeFlags(command).action(
    async (file: string | undefined, { json, ...flags }: RawFlags & { readonly json?: true }) => {
      const given = toFlagValues({ ...(flags as RawFlags), ...(file !== undefined && { config: file }) });
      const checks = await checkConfiguration(given, process.env);
      process.stdout.write(json ? checksToJson(checks) : formatChecks(checks));
      process.exitCode = exitCodeOf(checks);
    },
  );
}
