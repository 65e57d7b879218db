import { setMaxListeners } from 'node:events';
import { type Command, Option } from 'commander';
import { EXTRACTION_MODES } from '../../answers/modes.ts';
import { ID_FIELDS, TEXT_FIELDS } from '../../external/rephrase/row.ts';
import { BarProgress, LineProgress } from './progress.ts';
import { rephrase } from './run.ts';

/** Adds `peervote rephrase IN.jsonl OUT.jsonl`: the same problems in other words, row by row. */
export function declareRephrase(program: Command): void {
  program
    .command('rephrase')
    .description('Write a data set whose problems say the same in other words, row by row, with a model.')
    .argument('<in>', 'rows of JSON, one problem each')
    .argument(
      '<out>',
      'one row for each row of <in>, in order; rows marked "rephrased": false keep their text',
    )
    .option('--url <url>', 'an OpenAI-compatible endpoint, as in http://host:8000/v1')
    .option('--model <name>', 'the model that rephrases')
    .option('--api-key-env <variable>', 'the environment variable that holds the API key')
    .option('--api-key-file <file>', 'the file that holds the API key')
    .option('--field <name>', `the field of the problem (default: the first of ${TEXT_FIELDS.join(', ')})`)
    .option('--id-field <name>', `the field of the prompt id (default: the first of ${ID_FIELDS.join(', ')})`)
    .option('--concurrency <count>', 'rows at a time (default: 8)')
    .option('--attempts <count>', 'rewrites of a row until one passes the checks (default: 3)')
    .option('--temperature <number>', 'of the rewrites; solutions have 0 (default: 0.7)')
    .option('--max-reply-tokens <count>', 'longest reply of the model (default: 4096)')
    .option('--timeout-ms <ms>', 'for one request (default: 120000)')
    .option('--budget <limits>', 'of all runs together: requests=1000,tokens=2000000,cost=5, any of them')
    .option('--price-in <price>', 'of a million prompt tokens')
    .option('--price-out <price>', 'of a million completion tokens')
    .option('--verify', 'solve each problem and its rewrite, and take only rewrites with the same answer')
    .addOption(
      new Option('--mode <mode>', 'how --verify takes the answers (default: boxed)').choices(
        EXTRACTION_MODES,
      ),
    )
    .option('--extra-body <json>', 'further keys of each request; null takes one of ours away')
    .option('--force', 'replace <out> if it is there')
    .addHelpText(
      'after',
      '\nExits with 1 when rows keep their text. A run that was stopped or killed is gone on with by the same command.',
    )
    .action(async (input: string, output: string, flags: Readonly<Record<string, unknown>>) => {
      const stop = new AbortController();
      setMaxListeners(0, stop.signal);
      process.once('SIGINT', () => stop.abort());
      process.once('SIGTERM', () => stop.abort());
      const complain = (text: string) => process.stderr.write(text);
      process.exitCode = await rephrase([input, output], flags, {
        env: process.env,
        signal: stop.signal,
        terminal: {
          print: (text) => process.stdout.write(text),
          complain,
          progress: process.stderr.isTTY
            ? new BarProgress(process.stderr)
            : new LineProgress(complain, () => performance.now()),
        },
      });
    });
}
