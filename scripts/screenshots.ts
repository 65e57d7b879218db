import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { groupRollouts, type Rollout, readRollouts } from '../bench/replay/rollouts.ts';
import { startServer } from '../bench/support/server-process.ts';
import { openPage, startBrowser } from '../test/support/browser.ts';

const OUTPUT = resolve(import.meta.dirname, '../docs/images');
const COHORT = 'gsm8k';
const PROMPTS_PER_STEP = 2;
/** Prompts that the last agent does not send any more, so that there is somebody to wait for. */
const MISSING = 5;
const SILENT_MS = 3_000;

/** Runs a server on recorded rollouts and takes the pictures of docs/live-page.md. */
async function main(): Promise<void> {
  const [path] = process.argv.slice(2);
  if (path === undefined)
    throw new Error('Give it a file of rollouts: npm run screenshots -- ROLLOUTS.jsonl');
  mkdirSync(OUTPUT, { recursive: true });
  const server = await startServer([]);
  const browser = await startBrowser();
  try {
    const shown = await play(server.url, path);
    for (const colorScheme of ['light', 'dark'] as const)
      await takeAll(browser, server.url, shown, colorScheme);
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Sends all but what the last agent owes, in the order of a training run; tells the prompt that divides the agents most. */
async function play(url: string, path: string): Promise<{ readonly prompt: string }> {
  const { rollouts, agents, k } = readRollouts(path);
  const base = `${url}/v1/cohorts/${COHORT}`;
  const watchdog = { silent_after_ms: SILENT_MS, stalled_after_ms: SILENT_MS };
  await send(base, 'PUT', { agents, k, watchdog });
  const visits = new Map<string, (readonly Rollout[])[]>();
  for (const group of groupRollouts(rollouts).values()) {
    const name = JSON.stringify([group[0]?.round, group[0]?.promptId]);
    visits.set(name, [...(visits.get(name) ?? []), group]);
  }
  const inOrder = [...visits].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [at, [, groups]] of inOrder.entries()) {
    for (const group of groups) {
      const [first] = group;
      if (first === undefined) continue;
      if (first.agent === agents.at(-1) && at >= inOrder.length - MISSING) continue;
      await send(`${base}/agents/${first.agent}/rollouts`, 'POST', {
        step: Math.floor(at / PROMPTS_PER_STEP),
        groups: [toGroup(first, group)],
      });
    }
  }
  // Completions are written a moment later.
  await setTimeout(1_500);
  return { prompt: await findDivided(base) };
}

async function findDivided(base: string): Promise<string> {
  const { prompts } = (await get(`${base}/samples`)) as {
    prompts: { prompt_id: string; agents: unknown[] }[];
  };
  const most = Math.max(...prompts.map(({ agents }) => agents.length));
  let best = { prompt: '', clusters: 0 };
  for (const { prompt_id: prompt, agents } of prompts) {
    if (agents.length < most) continue;
    const { rounds } = (await get(`${base}/buckets/${encodeURIComponent(prompt)}`)) as {
      rounds: { groups: { clusters: unknown[] }[] }[];
    };
    const clusters = (rounds.at(-1)?.groups ?? []).reduce((sum, group) => sum + group.clusters.length, 0);
    if (clusters > best.clusters) best = { prompt, clusters };
  }
  return best.prompt;
}

async function get(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

function toGroup({ promptId, round, gold }: Rollout, group: readonly Rollout[]) {
  const rollouts = group.map(({ index, completion }) => ({
    id: `r${index}`,
    index,
    completion,
    // The file does not tell; a token is about four characters.
    tokens: Math.round(completion.length / 4),
  }));
  return { prompt_id: promptId, round, ground_truth: gold, rollouts };
}

async function send(url: string, method: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${method} ${url}: ${await reply.text()}`);
}

async function takeAll(
  browser: Browser,
  url: string,
  { prompt }: { readonly prompt: string },
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const { page } = await openPage(browser, { colorScheme, viewport: { width: 1280, height: 1100 } });
  await page.goto(`${url}/#/${COHORT}`);
  await page.locator('.finding').first().waitFor({ timeout: 60_000 });
  await page.locator('.charts canvas').first().waitFor();
  await take(page, `live-cohort-${colorScheme}.png`);
  await page.goto(`${url}/#/${COHORT}/inspect/${encodeURIComponent(prompt)}`);
  await page.locator('.sample').first().waitFor();
  await take(page, `live-inspector-${colorScheme}.png`);
  await page.context().close();
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: join(OUTPUT, name) });
  console.log(`docs/images/${name}`);
}

await main();
