import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import { cohortConfigSchema } from '../../src/config/cohort-schema.ts';
import { parseCohort } from '../../src/config/parse-cohort.ts';
import { referenceRates } from '../../src/domain/diagnostics/figures.ts';
import { Tally } from '../../src/domain/diagnostics/tally.ts';
import { renderOpenApi } from '../../src/http/openapi.ts';
import { METRIC_KEYS } from '../../src/protocol/native/metrics.ts';
import { decidedReplySchema, pendingReplySchema } from '../../src/protocol/native/reply.ts';
import { skipSchema, submissionSchema } from '../../src/protocol/native/request.ts';
import { EXTRA_LOG_KEYS, openRlhfReplySchema } from '../../src/protocol/openrlhf/reply.ts';
import { openRlhfRequestSchema } from '../../src/protocol/openrlhf/schema.ts';
import { PROBLEMS, problemSchema } from '../../src/protocol/problem.ts';
import { openServer } from '../protocol/test-server.ts';
import { buildCohort } from '../support/builders.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const FILE = join(PROJECT, 'openapi/openapi.yaml');
const document = parse(readFileSync(FILE, 'utf8'));

/** Of the first of two agents under `co-rl`, which the examples are of. */
const REFERENCE_KEYS = [...referenceRates(buildCohort(), 'a', new Tally()).keys()];

/** Every schema that the description shows by example. */
const SHOWN: Readonly<Record<string, z.ZodType>> = {
  Submission: submissionSchema,
  DecidedSubmission: decidedReplySchema,
  PendingSubmission: pendingReplySchema,
  Skip: skipSchema,
  OpenRlhfRequest: openRlhfRequestSchema,
  OpenRlhfReply: openRlhfReplySchema,
  CohortConfig: cohortConfigSchema,
  Problem: problemSchema,
};

const examplesOf = (name: string): readonly unknown[] => document.components.schemas[name].examples;

describe('openapi/openapi.yaml', () => {
  it('is what the server says of itself (npm run openapi writes it anew)', async () => {
    const { app } = await openServer();
    await app.ready();
    expect(readFileSync(FILE, 'utf8')).toBe(renderOpenApi(app));
  });

  it('has no error and no warning of a linter', async () => {
    const manifest = fileURLToPath(import.meta.resolve('@redocly/cli/package.json'));
    const cli = join(dirname(manifest), 'bin/cli.js');
    const args = [cli, 'lint', FILE, '--config', join(PROJECT, 'openapi/redocly.yaml'), '--format', 'json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  it('describes every response, and every operation by name and summary', () => {
    for (const operations of Object.values<Record<string, Record<string, unknown>>>(document.paths)) {
      for (const { operationId, summary, tags, responses } of Object.values(operations)) {
        expect(operationId).toMatch(/^[a-z]+[A-Za-z]+$/);
        expect([operationId, summary, tags]).toEqual([operationId, expect.any(String), [expect.any(String)]]);
        for (const { description } of Object.values(responses as Record<string, { description: string }>)) {
          expect(description).not.toBe('Default Response');
        }
      }
    }
  });
});

describe('the examples of the description', () => {
  it.each(Object.entries(SHOWN))('of %s are what the server takes or gives', (name, schema) => {
    expect(examplesOf(name).length).toBeGreaterThan(0);
    for (const example of examplesOf(name)) expect(schema.safeParse(example).error).toBeUndefined();
  });

  it('of cohorts keep the rules between their keys', () => {
    for (const example of examplesOf('CohortConfig'))
      expect(parseCohort('c', example)).toMatchObject({ ok: true });
  });

  it('of replies have the keys that replies have', () => {
    for (const example of examplesOf('DecidedSubmission')) {
      expect(Object.keys((example as { metrics: object }).metrics)).toEqual([
        ...METRIC_KEYS,
        ...REFERENCE_KEYS,
      ]);
    }
    for (const example of examplesOf('OpenRlhfReply')) {
      expect(Object.keys((example as { extra_logs: object }).extra_logs)).toEqual([
        ...EXTRA_LOG_KEYS,
        ...REFERENCE_KEYS,
      ]);
    }
  });

  it('of problems say of their code what the server says', () => {
    for (const example of examplesOf('Problem')) {
      const { code, status, title, retryable } = example as (typeof PROBLEMS)['internal'] & {
        code: keyof typeof PROBLEMS;
      };
      expect({ status, title, retryable }).toEqual(PROBLEMS[code]);
    }
  });

  it('of a submission and its reply belong together', async () => {
    const server = await openServer({
      agents: ['qwen', 'llama'],
      answers: { mode: 'boxed', pattern: null },
    });
    const [submission] = examplesOf('Submission') as [{ groups: { prompt_id: string }[] }];
    const [decided] = examplesOf('DecidedSubmission') as [{ groups: unknown; metrics: object }];
    const [pending] = examplesOf('PendingSubmission');
    const promptId = submission.groups[0]?.prompt_id;
    const teach = (index: number) =>
      server.submit('llama', { groups: [{ prompt_id: promptId, rollouts: [{ index, answer: '4' }] }] });
    await teach(0);
    expect((await server.submit('qwen', submission)).body).toEqual(pending);
    await teach(1);
    const { body } = await server.submit('qwen', submission);
    const waited = { barrier_wait_s: 41.2, 'co_labeling/rendezvous_wait_seconds': 41.2 };
    expect({ ...body, metrics: { ...body.metrics, ...waited } }).toEqual(decided);
  });
});
