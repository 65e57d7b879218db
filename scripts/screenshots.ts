import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { groupRollouts, type Rollout, readRollouts } from '../bench/replay/rollouts.ts';
import { startServer } from '../bench/support/server-process.ts';
import { openPage, startBrowser } from '../test/support/browser.ts';
import { type Course, drawRun, RUN_AGENTS, RUN_K } from '../test/support/runs.ts';

const OUTPUT = resolve(import.meta.dirname, '../docs/images');
const COHORT = 'gsm8k';
const PROMPTS_PER_STEP = 2;
/** Prompts that the last agent does not send any more, so that there is somebody to wait for. */
const MISSING = 5;
const SILENT_MS = 3_000;

/** Drawn runs that have a picture of their own. */
const COURSES = ['healthy', 'collapsing'] as const;

/**
 * Runs a server, on drawn runs and on recorded rollouts where a file of them is given, and takes the pictures of
 * docs/live-page.md.
 */
async function main(): Promise<void> {
  const [path] = process.argv.slice(2);
  mkdirSync(OUTPUT, { recursive: true });
  const server = await startServer([]);
  const browser = await startBrowser();
  try {
    for (const course of COURSES) await playCourse(server.url, course);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const course of COURSES) await takeCourse(browser, server.url, course, colorScheme);
    for (const course of COURSES) await remove(`${server.url}/v1/cohorts/${course}`);
    if (path === undefined) return;
    const shown = await play(server.url, path);
    for (const colorScheme of ['light', 'dark'] as const)
      await takeAll(browser, server.url, shown, colorScheme);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function playCourse(url: string, course: Course): Promise<void> {
  const base = `${url}/v1/cohorts/${course}`;
  await send(base, 'PUT', { agents: RUN_AGENTS, k: RUN_K, answers: { mode: 'boxed' } });
  for (const { agent, body } of drawRun({ course, seed: 3, steps: 80, promptsPerStep: 8 }))
    await send(`${base}/agents/${agent}/rollouts`, 'POST', body);
}

async function takeCourse(
  browser: Browser,
  url: string,
  course: Course,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const { page } = await openPage(browser, { colorScheme, viewport: { width: 1280, height: 1000 } });
  await page.goto(`${url}/#/${course}`);
  const mood = course === 'healthy' ? 'good' : 'critical';
  await page.locator(`.verdict[data-mood="${mood}"]`).waitFor({ timeout: 60_000 });
  await page.locator('.charts canvas').first().waitFor();
  await page.getByLabel('Smoothing').fill('0.6');
  await take(page, `live-${course}-${colorScheme}.png`);
  await page.context().close();
}

/** Sends all but what the last agent owes, in the order of a training run; tells the prompt that divides the agents most. */
async function play(url: string, path: string): Promise<{ readonly path: string }> {
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
  return { path: await findDivided(base) };
}

async function findDivided(base: string): Promise<string> {
  const { prompts } = (await get(`${base}/samples`)) as {
    prompts: { prompt_id: string; round: number; agents: unknown[] }[];
  };
  const most = Math.max(...prompts.map(({ agents }) => agents.length));
  let best = { path: '', clusters: 0 };
  for (const { prompt_id: prompt, round, agents } of prompts) {
    if (agents.length < most) continue;
    const { rounds } = (await get(`${base}/buckets/${encodeURIComponent(prompt)}`)) as {
      rounds: { round: number; groups: { clusters: unknown[] }[] }[];
    };
    const shown = rounds.find((each) => each.round === round);
    const clusters = (shown?.groups ?? []).reduce((sum, group) => sum + group.clusters.length, 0);
    if (clusters > best.clusters) best = { path: `${encodeURIComponent(prompt)}/${round}`, clusters };
  }
  return best.path;
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

async function remove(url: string): Promise<void> {
  await fetch(url, { method: 'DELETE' });
}

async function send(url: string, method: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${method} ${url}: ${await reply.text()}`);
}

async function takeAll(
  browser: Browser,
  url: string,
  { path }: { readonly path: string },
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const { page } = await openPage(browser, { colorScheme, viewport: { width: 1280, height: 1100 } });
  await page.goto(`${url}/#/${COHORT}`);
  await page.locator('.finding').first().waitFor({ timeout: 60_000 });
  await page.locator('.charts canvas').first().waitFor();
  await take(page, `live-cohort-${colorScheme}.png`);
  await page.goto(`${url}/#/${COHORT}/inspect/${path}`);
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
