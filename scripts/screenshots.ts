import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/** Sends all but what the last agent owes; tells a prompt whose answers differ. */
async function play(url: string, path: string): Promise<{ readonly prompt: string }> {
  const { rollouts, agents, k } = readRollouts(path);
  await send(`${url}/v1/cohorts/${COHORT}`, 'PUT', {
    agents,
    k,
    watchdog: { silent_after_ms: SILENT_MS, stalled_after_ms: SILENT_MS },
  });
  const groups = [...groupRollouts(rollouts).values()].flatMap((group) =>
    group[0] ? [{ first: group[0], group }] : [],
  );
  const prompts = [
    ...new Set(groups.map(({ first }) => JSON.stringify([first.round, first.promptId]))),
  ].sort();
  const last = agents.at(-1);
  for (const { first, group } of groups) {
    const at = prompts.indexOf(JSON.stringify([first.round, first.promptId]));
    if (first.agent === last && at >= prompts.length - MISSING) continue;
    await send(`${url}/v1/cohorts/${COHORT}/agents/${first.agent}/rollouts`, 'POST', {
      step: Math.floor(at / PROMPTS_PER_STEP),
      groups: [toGroup(first, group)],
    });
  }
  const divided = groups.find(({ first, group }) => first.round === 0 && new Set(group.map(tailOf)).size > 2);
  return { prompt: divided?.first.promptId ?? rollouts[0]?.promptId ?? '' };
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

function tailOf({ completion }: Rollout): string {
  return completion.slice(completion.lastIndexOf('\\boxed'));
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
  const { page } = await openPage(browser, { colorScheme, viewport: { width: 1280, height: 1000 } });
  await page.goto(`${url}/#/${COHORT}`);
  await page.locator('.trouble').first().waitFor({ timeout: 60_000 });
  await page.locator('.charts canvas, .charts').first().waitFor();
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
