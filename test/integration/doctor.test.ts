import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkConfiguration } from '../../src/cli/check/run.ts';
import type { Check } from '../../src/cli/doctor/check.ts';
import { parseCohortView } from '../../src/cli/doctor/cohort-view.ts';
import { diagnose } from '../../src/cli/doctor/doctor.ts';
import { makeDryStep } from '../../src/cli/doctor/dry-step.ts';
import { httpLink, type LinkRequest } from '../../src/cli/doctor/link.ts';
import { parseDoctorSettings } from '../../src/cli/doctor/settings.ts';
import type { FlagValues } from '../../src/config/flags.ts';
import { composeFromFlags } from '../support/composed-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'peervote-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function listen(flags: FlagValues = {}): Promise<string> {
  const server = await composeFromFlags({ k: '8', mode: 'auto', ...flags });
  onTestFinished(() => server.close());
  return server.app.listen({ host: '127.0.0.1', port: 0 });
}

async function ask(url: string, raw: Readonly<Record<string, unknown>> = {}): Promise<readonly Check[]> {
  const parsed = parseDoctorSettings({ url, ...raw });
  if (!parsed.ok) throw new Error(parsed.problems.join(' '));
  return diagnose(parsed.settings, { env: {}, stdin: Readable.from([]) });
}

const byName = (checks: readonly Check[]) =>
  Object.fromEntries(checks.map(({ name, status, says }) => [name, `${status}: ${says}`]));

const jsonl = (ids: readonly string[]) =>
  ids.map((id) => `${JSON.stringify({ prompt_id: id, answer: '4' })}\n`).join('');

describe('peervote doctor', () => {
  it('passes a run that is set up right, through a dry step that leaves nothing behind', async () => {
    const url = await listen();
    const path = fileOf('good.jsonl', jsonl(['p', 'q']));
    const checks = await ask(url, {
      data: [`a=${path}`, `b=${path}`],
      k: ['8'],
      seed: ['a=1', 'b=2'],
      order: 'file',
    });
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(byName(checks)['dry step']).toContain('a 4 of 8 right; b 4 of 8 right');
    const { body } = await httpLink(url)({ method: 'GET', path: '/v1/cohorts' });
    expect(body).toMatchObject({ cohorts: [{ name: 'default' }] });
  });

  it('names what would go wrong, each by the check that is about it', async () => {
    const url = await listen();
    const data = [
      `a=${fileOf('one.jsonl', jsonl(['p', 'q']))}`,
      `zoe=${fileOf('two.jsonl', jsonl(['q', 'r']))}`,
    ];
    const found = byName(await ask(url, { data, k: ['a=4'] }));
    expect(found).toMatchObject({
      agents: 'FAIL: Cohort "default" has no agent "zoe": its agents are a, b.',
      k: expect.stringContaining('FAIL: Every group of "a" would stop at 4 of 8'),
      'ids a, zoe': expect.stringContaining('FAIL: 1 problems are in both'),
    });
    expect(
      byName(await ask(url, { data: [`a=${join(folder, 'absent.jsonl')}`], dryStep: false }))['data a'],
    ).toContain('FAIL: ');
  });

  it('says what is not there: a server, a PeerVote, a cohort', async () => {
    expect(byName(await ask('http://127.0.0.1:9')).server).toMatch(/^FAIL: /);
    const url = await listen();
    expect(byName(await ask(`${url}/elsewhere`)).server).toContain('FAIL: Something answers at');
    const found = byName(await ask(url, { cohort: 'nowhere' }));
    expect(found.cohort).toContain('FAIL: There is no cohort "nowhere"');
    expect(found['dry step']).toBe('skip: Not made: there is no cohort to copy.');
  });

  it('tells an unknown token from one that is not enough, and makes a dry step with an admin’s', async () => {
    const file = fileOf(
      'tokens.yaml',
      'admin: admin-0123456789abcdef\nread: reader-0123456789abcdef\nagents: { default/a: agent-a-0123456789abcdef }\n',
    );
    const url = await listen({ tokensFile: file });
    const tokens = [
      '',
      'unknown-0123456789abc',
      'reader-0123456789abcdef',
      'agent-a-0123456789abcdef',
      'admin-0123456789abcdef',
    ];
    const found = [];
    for (const token of tokens) {
      const agentToken = ['a=agent-a-0123456789abcdef', 'b=agent-a-0123456789abcdef'];
      const checks = byName(await ask(url, { agentToken, ...(token !== '' && { token }) }));
      found.push([checks.token?.slice(0, 30), checks['dry step']?.slice(0, 4)]);
      expect(checks['token a']).toMatch(/^ok/);
      expect(checks['token b']).toMatch(/^FAIL: This token is of agent "a"/);
    }
    expect(found).toEqual([
      ['FAIL: The server wants a token', 'skip'],
      ['FAIL: The server does not know', 'skip'],
      ['ok: It is a token for reading.', 'skip'],
      ['ok: It is a token of agent "a"', 'skip'],
      ['ok: It is a token of an admini', 'ok: '],
    ]);
  });

  it('deletes its scratch cohort when an agent cannot send, and fails', async () => {
    const url = await listen();
    const link = httpLink(url);
    const cohort = parseCohortView((await link({ method: 'GET', path: '/v1/cohorts/default' })).body);
    if (cohort === null) throw new Error('no cohort');
    const breaking = async (request: LinkRequest) => {
      if (request.path.endsWith('/agents/b/rollouts')) throw new Error('The network went away.');
      return link(request);
    };
    expect(await makeDryStep(breaking, { cohort, scratch: 'scratch', token: null })).toMatchObject({
      status: 'FAIL',
      says: 'The network went away.',
    });
    expect((await link({ method: 'GET', path: '/v1/cohorts/scratch' })).status).toBe(404);
  });

  it('says which option cannot be read', () => {
    expect(parseDoctorSettings({ url: 'http://x', k: ['a=many'], agentToken: ['secret'] })).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('--agent-token'), expect.stringContaining('--k')],
    });
  });
});

describe('peervote check', () => {
  const check = async (text: string, flags: FlagValues = {}) =>
    byName(await checkConfiguration({ config: fileOf('config.yaml', text), ...flags }, {}));

  it('tells who waits for whom, and makes a dry step in every cohort', async () => {
    const found = await check(
      'cohorts:\n  math: { agents: [a, b], k: 8 }\n  solo: { agents: [a], method: ttrl, k: 4 }\n',
    );
    expect(found).toMatchObject({
      'math agents': 'ok: Method co-rl: a waits for b; b waits for a.',
      'solo k': expect.stringMatching(/^warn: .*Fewer than 8 votes/),
      'math dry step': expect.stringMatching(/^ok: /),
      'solo dry step': expect.stringMatching(/^ok: .*a 2 of 4 right/),
    });
  });

  it('fails with each problem of the loader, and where it stands', async () => {
    const path = fileOf('bad.yaml', 'cohorts:\n  math: { agents: [a], kk: 8 }\n');
    const checks = await checkConfiguration({ config: path }, { PEERVOTE_NONSENSE: 'x' });
    expect(checks.map(({ status }) => status)).toEqual(checks.map(() => 'FAIL'));
    const all = checks.map(({ says }) => says).join('\n');
    expect(all).toContain('PEERVOTE_NONSENSE: ');
    expect(all).toContain('bad.yaml:2: cohorts.math.kk: ');
    expect(all).toContain('needs at least 2 agents');
  });

  it('warns where trainers give up before the deadline, learn from nobody’s students, or cannot send what a method needs', async () => {
    const found = await check(
      [
        'server: { openrlhf_hold_ms: 200000 }',
        'cohorts:',
        '  slow: { agents: [a, b, c], supervision: graph, teachers: { a: [b], b: [a], c: [a] }, deadline_ms: 2000000 }',
        '  entropy: { agents: [a], method: rent }',
        '  truth: { agents: [a], method: ground-truth }',
        '  judged: { agents: [a], method: llm-judge }',
      ].join('\n'),
    );
    expect(found).toMatchObject({
      holds: expect.stringMatching(/^warn: openrlhf_hold_ms is 200000/),
      'slow deadline': expect.stringMatching(/^warn: .*OpenRLHF.*ROLL.*TRL/),
      'slow agents': expect.stringMatching(/^warn: .*Nobody learns from c\./),
      'entropy method': expect.stringMatching(/^warn: Method rent needs more than texts \(entropy\)/),
      'truth method': expect.stringMatching(/^warn: Method ground-truth rewards by the ground truth/),
      'judged method': expect.stringMatching(/^FAIL: Method llm-judge needs a judge/),
      'judged dry step': expect.stringMatching(/^skip: /),
    });
  });

  it('holds tokens against the agents of the configuration', async () => {
    const file = fileOf(
      'stray.yaml',
      'admin: admin-0123456789abcdef\nagents: { math/c: agent-c-0123456789abcdef }\n',
    );
    const checks = await checkConfiguration(
      { config: fileOf('two.yaml', 'cohorts: { math: { agents: [a, b] } }'), tokensFile: file },
      {},
    );
    expect(checks.filter(({ name }) => name === 'tokens').map(({ says }) => says)).toEqual([
      'There are tokens for math/c, but no such agents in the configuration.',
      'No token is for math/a, math/b: its job needs one of an administrator.',
    ]);
    expect(await check('cohorts: {}', { tokensFile: join(folder, 'gone.yaml') })).toMatchObject({
      tokens: expect.stringMatching(/^FAIL: .*gone\.yaml cannot be read/),
    });
  });
});
