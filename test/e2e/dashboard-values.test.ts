import { describe, expect, it, onTestFinished } from 'vitest';
import { DASHBOARDS } from '../../scripts/generate-dashboards.ts';
import { ServerProcess } from '../integration/server-process.ts';
import { Prometheus } from '../support/prometheus.ts';
import { findFreePort, RedisServer } from '../support/redis-server.ts';
import { expectedPanels, type PlayedPrompt } from './panel-oracle.ts';

const AGENTS = ['qwen', 'llama'] as const;
const K = 4;
/** Servers, Prometheus and a restart, on a machine that is busy. */
const TEST_MS = 180_000;
const POLL = { timeout: 60_000, interval: 1_000 };
/** `increase` scales each replica's counters to the window by its own samples: shares over replicas differ by little. */
const DIGITS = 1.6;

/** Majorities, ties, groups of one answer and of none, right and wrong, with and without a truth. */
function promptsOf(burst: number): PlayedPrompt[] {
  const own = [
    ['4', '4', '4', '5'],
    ['4', '4', '4', '4'],
    ['4', '5', '4', '5'],
    ['6', '6', null, '4'],
    [null, null, null, null],
    ['7', '7', '7', '4'],
  ];
  return Array.from({ length: 36 }, (_, n) => ({
    id: `p${burst}-${n}`,
    truth: n % 4 === 3 ? null : burst === 0 || n % 3 === 0 ? '4' : '6',
    answers: {
      qwen: own[n % 6] ?? [],
      llama: own[(n + (burst === 0 ? Math.floor(n / 6) : 3)) % 6] ?? [],
    },
  }));
}

async function play(urls: readonly string[], prompts: readonly PlayedPrompt[]): Promise<void> {
  for (const [place, { id, truth, answers }] of prompts.entries()) {
    await Promise.all(
      AGENTS.map(async (agent, at) => {
        const rollouts = answers[agent].map((answer, index) => ({
          index,
          answer,
          tokens: 100 * (at + 1) + index,
          truncated: index === 3,
        }));
        const group = { prompt_id: id, rollouts, ...(truth !== null && { ground_truth: truth }) };
        const url = `${urls[place % urls.length]}/v1/cohorts/math/agents/${agent}/rollouts?wait=20`;
        const body = JSON.stringify({ step: place, groups: [group] });
        const reply = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(reply.status, await reply.clone().text()).toBe(200);
      }),
    );
  }
}

/** What every panel of the cohort's dashboard that the oracle knows shows now, by panel and legend. */
async function shown(prometheus: Prometheus, known: ReadonlySet<string>): Promise<Record<string, number>> {
  const panels = Object.values(DASHBOARDS).flatMap((dashboard) => dashboard.panels);
  const found = await Promise.all(
    panels.flatMap(({ title, queries }) =>
      queries.map(async ([expression, legend]) => {
        const query = expression.replaceAll('$cohort', 'math').replaceAll('$window', '5m');
        const values = await prometheus.read(query);
        return values.map(({ labels, value }) => {
          const name = legend.replace(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '');
          return [`${title}: ${name}`, value] as const;
        });
      }),
    ),
  );
  return Object.fromEntries(found.flat().filter(([name]) => known.has(name)));
}

async function untilShown(prometheus: Prometheus, prompts: readonly PlayedPrompt[]): Promise<void> {
  const expected = expectedPanels(prompts, K);
  const known = new Set(Object.keys(expected));
  const close = Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      expect.closeTo(value, name.startsWith('Completion length') ? 0 : DIGITS),
    ]),
  );
  await expect.poll(() => shown(prometheus, known), POLL).toEqual(close);
}

describe('what the dashboard of a cohort shows on a real Prometheus', () => {
  it(
    'is what an oracle makes of the rollouts: at the first burst, over two replicas, and after the restart of one',
    async () => {
      const redis = await RedisServer.start();
      onTestFinished(() => redis.stop());
      const ports = [await findFreePort(), await findFreePort()];
      const start = (port: number | undefined) =>
        new ServerProcess([
          ...['--port', String(port), '--redis', redis.url, '--replicas', '2'],
          ...['--cohort', 'math', '--agents', AGENTS.join(), '--k', String(K)],
        ]);
      const replicas = ports.map(start);
      const urls = await Promise.all(replicas.map((replica) => replica.listening()));
      const prometheus = await Prometheus.start(urls.map((url) => new URL(url).host));
      const zeros = `count(peervote_groups_settled_total{cohort="math", status="scored"})`;
      await expect.poll(() => prometheus.read(zeros), POLL).toMatchObject([{ value: 2 * AGENTS.length }]);

      const first = promptsOf(0);
      await play(urls, first);
      await untilShown(prometheus, first);

      replicas[1]?.child.kill('SIGKILL');
      await replicas[1]?.ended;
      await expect.poll(() => prometheus.read('sum(up)'), POLL).toMatchObject([{ value: 1 }]);
      await start(ports[1]).listening();
      await expect.poll(() => prometheus.read('sum(up)'), POLL).toMatchObject([{ value: 2 }]);
      const second = promptsOf(1);
      await play(urls, second);
      await untilShown(prometheus, [...first, ...second]);
    },
    TEST_MS,
  );
});
