import type { Command } from 'commander';
import { EXTRACTION_MODES } from '../../answers/modes.ts';
import { checksToJson, exitCodeOf, formatChecks } from './check.ts';
import { diagnose } from './doctor.ts';
import { parseDoctorSettings } from './settings.ts';

interface Flags {
  readonly json?: true;
  readonly token?: string;
}

/** Adds `peervote doctor`: what would go wrong with a run, before it costs GPU time. */
export function declareDoctor(program: Command): void {
  const { env, stdin, stdout, stderr } = process;
  program
    .command('doctor')
    .description(
      "Check a server, its cohort and the jobs' data sets before a run, and try a dry step of fakes.",
    )
    .option('--url <url>', 'where the server listens', env.PEERVOTE_URL ?? 'http://127.0.0.1:8080')
    .option('--cohort <name>', 'which cohort', env.PEERVOTE_COHORT ?? 'default')
    .option('--token <token>', 'of an administrator, or what there is; default: PEERVOTE_TOKEN')
    .option('--agent-token <agent=token...>', "the jobs' own tokens")
    .option('--data <agent=file...>', "the jobs' data sets: JSONL, JSON or CSV, .gz or not")
    .option('--eval <agent=file...>', 'their data sets for evaluation')
    .option('--k <agent=count...>', 'what the trainers sample per prompt; a count alone is for all')
    .option('--seed <agent=seed...>', 'seeds of the trainers; one alone is for all')
    .option('--order <how>', 'whether trainers keep the order of the file, or shuffle: file, shuffle')
    .option('--mode <mode>', `how truths are read: ${EXTRACTION_MODES.join(', ')} (default: the cohort's)`)
    .option('--id-column <name>', 'where the prompt id is (default: as the adapters look for it)')
    .option('--prompt-column <name>', 'where the problem is')
    .option('--truth-column <name>', 'where the ground truth is')
    .option('--label-column <name>', 'which column OpenRLHF and slime send as label (default: label)')
    .option('--no-dry-step', 'send no fakes')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  peervote doctor --url http://peervote:8080 --data qwen=a.jsonl --data llama=b.jsonl --k 8',
    )
    .action(async ({ json, token = env.PEERVOTE_TOKEN, ...raw }: Flags & Record<string, unknown>) => {
      const parsed = parseDoctorSettings({ ...raw, ...(token && { token }) });
      if (!parsed.ok) {
        stderr.write(`${parsed.problems.join('\n')}\n`);
        process.exitCode = 2;
        return;
      }
      const checks = await diagnose(parsed.settings, { env, stdin });
      stdout.write(json ? checksToJson(checks) : formatChecks(checks));
      process.exitCode = exitCodeOf(checks);
    });
}
