import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { METRICS } from '../../src/observability/metrics-table.ts';
import { openRlhfOf, openServer, submissionOf, type TestServer } from '../protocol/test-server.ts';
import { CodeService } from '../support/code-service.ts';
import { until } from '../support/service.ts';
import { readTable } from './markdown-table.ts';

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

async function scrape(server: TestServer): Promise<readonly Sample[]> {
  const { text } = await server.get('/metrics');
  return text.split('\n').flatMap((line): Sample[] => {
    const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name.startsWith('peervote_') ? [{ name, labels, value: Number(value) }] : [];
  });
}

/** A bit of everything that a cohort can go through. */
async function run(server: TestServer): Promise<void> {
  const send = (agent: string, promptId: string, answers: readonly (string | null)[], truth?: unknown) =>
    server.submit(agent, {
      groups: [
        {
          prompt_id: promptId,
          ground_truth: truth,
          rollouts: answers.map((answer, index) => ({ index, answer, tokens: 10, truncated: index === 0 })),
        },
      ],
    });
  await send('a', 'id-right', ['4', '4'], '4');
  await send('b', 'id-right', ['4', '4'], '4');
  await send('a', 'wrong', ['5', '5'], '4');
  await send('b', 'wrong', ['4', '5'], '4');
  // A repeat with another truth.
  await send('b', 'wrong', ['4', '5'], '5');
  await send('a', 'unreadable', ['4', null], { target: 4, numbers: [2, 2] });
  await send('b', 'unreadable', [null, null]);
  await server.submit('a', submissionOf('eval', ['4'], { split: 'eval' }));
  await server.reward('b', openRlhfOf('4', { split: 'eval', answer: '4' }));
  await server.send('PUT', '/v1/cohorts/choosing', { agents: ['c', 'd', 'e'], supervision: 'adaptive' });
  await server.send('PUT', '/v1/cohorts/choosing/plan', { teachers: { c: 'd' } });
  // Diversity takes some twenty labels.
  await server.send('PUT', '/v1/cohorts/many', { agents: ['x', 'y'], k: 1 });
  const groups = Array.from({ length: 25 }, (_, at) => ({
    prompt_id: `p${at}`,
    rollouts: [{ answer: '4' }],
  }));
  for (const agent of ['x', 'y']) {
    await server.send('POST', `/v1/cohorts/many/agents/${agent}/rollouts`, { groups });
  }
  const waiting = server.submit('a', submissionOf('waits', ['4', '4']), '?wait=100');
  await server.untilHeld(1);
  await server.advance(20_000);
  await server.watch();
  void waiting;
}

/** Two programs for a sandbox that answers one of them and keeps the other. */
async function runPrograms(server: TestServer): Promise<void> {
  const rollouts = ['def f(): return 1', 'def f(): return 2'].map((completion) => ({ completion }));
  const group = { prompt_id: 'code', mode: 'code', test_code: 'assert f() == 1', rollouts };
  void server.submit('a', { split: 'eval', groups: [group] });
  await until(async () => (await server.get('/metrics')).text.includes('peervote_code_run_seconds_count'));
}

async function openCodeService(): Promise<string> {
  const service = await CodeService.once({
    run_result: { status: 'Finished', stdout: '', execution_time: 1 },
  });
  onTestFinished(() => service.close());
  return service.url;
}

const open = (sandboxUrl: string | null = null) =>
  openServer({
    code: { workers: 1, sandboxUrl },
    barrier: { deadlineMs: 3_600_000 },
    watchdog: { silentAfterMs: 10_000, stalledAfterMs: 10_000 },
  });

describe('docs/metrics.md', () => {
  it('lists exactly the metrics there are, with type, labels and meaning', () => {
    const text = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
    expect(readTable(text, 'metric')).toEqual(
      Object.entries(METRICS).map(([name, { type, labels, help }]) => [
        `\`${name}\``,
        type,
        labels.map((label) => `\`${label}\``).join(', '),
        help,
      ]),
    );
  });
});

describe('the metrics of a server', () => {
  it('all move in a run, and there are no others', async () => {
    const server = await open(await openCodeService());
    await run(server);
    await runPrograms(server);
    const samples = await scrape(server);
    const familyOf = ({ name }: Sample) => name.replace(/_(?:bucket|sum|count)$/, '');
    const names = Object.keys(METRICS).filter((name) => !/^peervote_(redis|judge)_/.test(name));
    expect([...new Set(samples.map(familyOf))].sort()).toEqual([...names].sort());
    // Only workers of our own sandbox are replaced: test/unit/observability/metrics.test.ts.
    for (const name of names.filter((each) => each !== 'peervote_code_workers_replaced_total')) {
      const moved = samples.filter((sample) => familyOf(sample) === name && sample.value > 0);
      expect([name, moved.length]).not.toEqual([name, 0]);
    }
  });

  it('say what happened', async () => {
    const server = await open();
    await run(server);
    const samples = await scrape(server);
    const value = (name: string, labels: string) =>
      samples.find((sample) => sample.name === name && sample.labels === labels)?.value;
    const a = 'cohort="test",agent="a"';
    expect({
      scored: value('peervote_groups_settled_total', `${a},status="scored"`),
      unlabeled: value('peervote_groups_settled_total', `${a},status="unlabeled"`),
      right: value('peervote_labels_graded_total', `${a},correct="yes"`),
      wrong: value('peervote_labels_graded_total', `${a},correct="no"`),
      agree: value('peervote_agreement_total', `${a},peer="b",agree="yes"`),
      disagree: value('peervote_agreement_total', `${a},peer="b",agree="no"`),
      bothRight: value('peervote_pairs_graded_total', `${a},peer="b",outcome="both_right"`),
      peerRight: value('peervote_pairs_graded_total', `${a},peer="b",outcome="peer_right"`),
      paid: value('peervote_reward_sum', a),
      rewards: value('peervote_reward_count', a),
      answered: value('peervote_answers_total', `${a},answered="yes"`),
      silent: value('peervote_answers_total', `${a},answered="no"`),
      tokens: value('peervote_completion_tokens_total', a),
      truncated: value('peervote_completions_truncated_total', a),
      unread: value('peervote_unreadable_truths_total', a),
      evals: value('peervote_rollouts_received_total', `${a},split="eval"`),
      held: value('peervote_held_requests', 'cohort="test"'),
      open: value('peervote_open_buckets', 'cohort="test"'),
      silentAgent: value('peervote_findings', 'cohort="test",code="silent_agent",severity="critical"'),
      clones: value('peervote_findings', 'cohort="test",code="clones",severity="critical"'),
    }).toEqual({
      scored: 2,
      unlabeled: 1,
      right: 1,
      wrong: 1,
      agree: 1,
      disagree: 1,
      bothRight: 1,
      peerRight: 1,
      paid: 2,
      rewards: 6,
      answered: 5,
      silent: 1,
      tokens: 60,
      truncated: 3,
      unread: 1,
      evals: 1,
      held: 1,
      open: 1,
      silentAgent: 1,
      clones: 0,
    });
  });

  it('never have a prompt, an answer or a path in a label', async () => {
    const server = await open();
    await run(server);
    await server.get('/v1/cohorts/no-such-cohort');
    await server.get('/no/such/path');
    for (const { labels } of await scrape(server)) {
      expect(labels).not.toMatch(/id-right|waits|no-such|no\/such/);
    }
  });

  it('forget a cohort that was deleted, though requests waited in it', async () => {
    const server = await open();
    await run(server);
    await server.send('DELETE', '/v1/cohorts/test');
    await server.advance(1_000);
    const left = (await scrape(server)).filter(({ labels }) => labels.includes('cohort="test"'));
    expect(left).toEqual([]);
  });
});
