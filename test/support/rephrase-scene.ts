import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type RephraseJob,
  type RephraseOutcome,
  rephraseFile,
} from '../../src/external/rephrase/rephrase-file.ts';
import type { CompareSolutions } from '../../src/external/rephrase/rephrase-row.ts';
import { openChatClient } from './chat-client.ts';
import { type Behaviour, FakeEndpoint } from './fake-endpoint.ts';
import { faithfully, problemOf, problems, rewrites } from './rephrasing.ts';

export const NO_LIMITS = { requests: null, tokens: null, cost: null };

/** A data set in a folder of its own, an endpoint that rewrites it faithfully, and what runs the one through the other. */
export async function openRephrasing(rows = problems(5)) {
  const folder = mkdtempSync(join(tmpdir(), 'peervote-rephrase-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const endpoint = await FakeEndpoint.start();
  endpoint.otherwise(rewrites(faithfully));
  const { client, clock } = openChatClient(endpoint.url, { retry: { attempts: 1, baseMs: 1, capMs: 1 } });
  const input = join(folder, 'in.jsonl');
  const output = join(folder, 'out.jsonl');
  const failed = join(folder, 'out.failed.jsonl');
  writeFileSync(input, rows);
  const stop = new AbortController();
  const steps: string[] = [];
  const run = (overrides: Partial<RephraseJob> = {}, compare: CompareSolutions | null = null) =>
    rephraseFile(
      {
        input,
        output,
        fields: { text: null, id: null },
        settings: { model: 'm' },
        rules: { attempts: 3, temperature: 0.7, rewriteTokens: 100, solveTokens: 100 },
        concurrency: 2,
        limits: NO_LIMITS,
        prices: { input: 0, output: 0 },
        force: false,
        ...overrides,
      },
      {
        client,
        compare,
        signal: stop.signal,
        progress: {
          begin: (total, done) => steps.push(`${done}/${total}`),
          step: ({ kind }) => steps.push(kind),
          end: () => steps.push('end'),
        },
      },
    );
  return { endpoint, run, clock, stop, steps, folder, input, output, failed, journal: `${output}.journal` };
}

/** The rows of a file; none where there is no file. */
export const linesOf = (path: string) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

/** The outcome of a run that wrote its output. */
export function written(outcome: RephraseOutcome) {
  if (outcome.kind !== 'written') throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** Behaves so on rows that hold this text, and rewrites the others faithfully. */
export const failsOn =
  (text: string, behaviour: Behaviour): Behaviour =>
  (response, asked) => {
    const isMeant = problemOf(asked)?.includes(text) === true;
    (isMeant ? behaviour : rewrites(faithfully))(response, asked);
  };
