import { readFileSync } from 'node:fs';
import { extract } from '../../answers/extract.ts';
import { grade } from '../../answers/grade.ts';
import type { ExtractionMode } from '../../answers/modes.ts';
import { readApiKey } from '../../config/api-key.ts';
import type { Environment } from '../../config/environment.ts';
import type { Secret } from '../../config/secret.ts';
import { countNoun } from '../../domain/count-noun.ts';
import { ChatClient } from '../../external/llm/chat-client.ts';
import {
  type RephraseOutcome,
  type RephraseProgress,
  rephraseFile,
} from '../../external/rephrase/rephrase-file.ts';
import type { CompareSolutions } from '../../external/rephrase/rephrase-row.ts';
import { systemClock } from '../system-clock.ts';
import { describeSpent } from './progress.ts';
import { type Settings, settingsSchema } from './settings.ts';

export interface Terminal {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly progress: RephraseProgress;
}

const EXIT_KEPT = 1;
const EXIT_INPUT = 2;
const EXIT_INTERRUPTED = 130;

/** Nobody waits for one row: an endpoint that is away for a minute is waited for. */
const RETRY = { attempts: 6, baseMs: 1_000, capMs: 30_000 };
/** The run itself stops when row after row fails. */
const NO_BREAKER = { failures: Number.POSITIVE_INFINITY, openMs: 0 };
const MAX_RESPONSE_BYTES = 16_777_216;
const DEADLINE_MS = 1_800_000;

/** Runs `peervote rephrase`; its exit code. */
export async function rephrase(
  [input, output]: readonly [string, string],
  flags: Readonly<Record<string, unknown>>,
  { env, signal, terminal }: { env: Environment; signal: AbortSignal; terminal: Terminal },
): Promise<number> {
  const parsed = settingsSchema.safeParse(flags);
  if (!parsed.success) {
    for (const { message } of parsed.error.issues) terminal.complain(`${message}\n`);
    return EXIT_INPUT;
  }
  const settings = parsed.data;
  const section = { api_key_env: settings.apiKeyEnv, api_key_file: settings.apiKeyFile };
  const read = readApiKey(section, env, (path) => readFileSync(path, 'utf8'));
  if (read.kind === 'problem') {
    terminal.complain(`--${read.setting.replaceAll('_', '-')}: ${read.message}\n`);
    return EXIT_INPUT;
  }
  const client = openClient(settings, read.key);
  try {
    const { maxReplyTokens, model, verify, mode } = settings;
    const outcome = await rephraseFile(
      {
        input,
        output,
        fields: { text: settings.field ?? null, id: settings.idField ?? null },
        settings: { model, verify: verify ? mode : null },
        rules: {
          attempts: settings.attempts,
          temperature: settings.temperature,
          rewriteTokens: maxReplyTokens,
          solveTokens: maxReplyTokens,
        },
        concurrency: settings.concurrency,
        limits: settings.budget ?? { requests: null, tokens: null, cost: null },
        prices: { input: settings.priceIn, output: settings.priceOut },
        force: settings.force,
      },
      { client, compare: verify ? compareIn(mode) : null, signal, progress: terminal.progress },
    );
    return report(outcome, output, terminal);
  } catch (error) {
    terminal.complain(`${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_INPUT;
  } finally {
    await client.close();
  }
}

function openClient(settings: Settings, apiKey: Secret | null): ChatClient {
  return new ChatClient(
    {
      baseUrl: settings.url,
      model: settings.model,
      apiKey: apiKey?.reveal() ?? null,
      extraBody: settings.extraBody ?? {},
      timeoutMs: settings.timeoutMs,
      deadlineMs: DEADLINE_MS,
      concurrency: settings.concurrency,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      retry: RETRY,
      breaker: NO_BREAKER,
    },
    { clock: systemClock, chance: Math.random, observe: () => {} },
  );
}

/** Two solutions by their answers, as the server grades. */
function compareIn(mode: ExtractionMode): CompareSolutions {
  return (original, rewrite) => {
    const [before, after] = [extract(original, { mode }), extract(rewrite, { mode })];
    if (before === null || after === null) return 'unsolved';
    return grade(after, before, mode).equal ? 'same' : 'different';
  };
}

function report(outcome: RephraseOutcome, output: string, { print, complain }: Terminal): number {
  switch (outcome.kind) {
    case 'refused':
      for (const problem of outcome.problems) complain(`${problem}\n`);
      return EXIT_INPUT;
    case 'interrupted':
      complain(
        `Interrupted with ${outcome.done} of ${outcome.rows} rows done. Run the same command to go on.\n`,
      );
      return EXIT_INTERRUPTED;
    case 'written':
      return reportWritten(outcome, output, print);
  }
}

function reportWritten(
  { scan, counts, stopped, failed, unfinished, ...spending }: Extract<RephraseOutcome, { kind: 'written' }>,
  output: string,
  print: Terminal['print'],
): number {
  const { rephrased, kept } = counts;
  print(`${output}: ${rephrased} of ${countNoun(scan.rows, 'row')} rephrased; ${describeSpent(spending)}\n`);
  if (scan.unnamed > 0) {
    print(
      `${countNoun(scan.unnamed, 'row')} without an id: agents with different texts need the same prompt id for a problem.\n`,
    );
  }
  if (stopped !== null) print(`The run stopped early: ${stopped}.\n`);
  if (kept.size === 0) return 0;
  const reasons = [...kept].map(([code, count]) => `${code} ${count}`).join(', ');
  print(`The others keep their text, marked "rephrased": false. ${failed} lists them: ${reasons}.\n`);
  if (unfinished > 0) {
    print(`${countNoun(unfinished, 'row')} may still succeed: run the same command to try those again.\n`);
  }
  return EXIT_KEPT;
}
