import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/cli/system-clock.ts';
import { openServer, type TestServer } from '../../protocol/test-server.ts';
import { type Course, drawRun, RUN_AGENTS, RUN_K } from '../../support/runs.ts';
import { expectAccessible, useBrowser } from './scene.ts';

const browser = useBrowser();
const PHONE = { width: 390, height: 844 };

/** A server on the real time over drawn runs, each a cohort of the name of its course, with its verdicts made. */
async function openRuns(...courses: Course[]): Promise<{ server: TestServer; url: string }> {
  const server = await openServer({ clock: systemClock });
  await server.send('DELETE', '/v1/cohorts/test');
  for (const course of courses) {
    const put = await server.send('PUT', `/v1/cohorts/${course}`, {
      agents: RUN_AGENTS,
      k: RUN_K,
      answers: { mode: 'boxed' },
      watchdog: { silent_after_ms: 1_000, stalled_after_ms: 1_000 },
    });
    expect(put.status).toBe(201);
    for (const { agent, body } of drawRun({ course, seed: 3, steps: 40, promptsPerStep: 4 }))
      await server.send('POST', `/v1/cohorts/${course}/agents/${agent}/rollouts`, body);
  }
  await server.watch();
  return { server, url: await server.listen() };
}

describe('the cockpit', () => {
  it.each([
    ['healthy', 'good', 'Nothing is wrong', []],
    ['collapsing', 'critical', 'Something is wrong', ['collapse', 'collapse']],
    ['unreadable', 'critical', 'Something is wrong', ['answers not found', 'answers not found']],
    ['stalled', 'critical', 'Something is wrong', ['silent agent']],
  ] as const)(
    'says of a run that is %s on its first line how it goes and why, in words too',
    async (course, mood, word, codes) => {
      const { url } = await openRuns(course);
      const { page, complaints } = await browser.open(`${url}/#/${course}`);
      const verdict = page.locator('.verdict');
      await page.locator(`.verdict[data-mood="${mood}"]`).waitFor();
      expect(await verdict.locator('strong').textContent()).toBe(word);
      expect(await verdict.locator('.code').allTextContents()).toEqual(codes);
      expect(complaints).toEqual([]);
      await expectAccessible(page);
    },
    60_000,
  );

  it('shows what the vital signs are now and were at first', async () => {
    const { url } = await openRuns('collapsing');
    const { page } = await browser.open(`${url}/#/collapsing`);
    const accuracy = page.locator('.vitals > div').filter({ hasText: 'Label accuracy' });
    await accuracy.waitFor();
    expect(await accuracy.locator('strong').textContent()).toBe('0');
    expect(await accuracy.locator('.note').textContent()).toMatch(/at first 0\.\d/);
  }, 60_000);

  it('has the current value beside each curve, smoothed where the reader smooths it', async () => {
    const { url } = await openRuns('collapsing');
    const { page } = await browser.open(`${url}/#/collapsing`);
    const figure = page
      .locator('figure')
      .filter({ has: page.getByRole('heading', { name: 'Label accuracy' }) });
    const legend = figure.locator('.legend li');
    await legend.first().waitFor();
    expect(await legend.allTextContents()).toEqual(['qwen 0', 'llama 0']);
    await page.getByLabel('Smoothing').fill('0.9');
    const smoothed = (await legend.allTextContents()).map((text) => Number(text.split(' ')[1]));
    for (const value of smoothed) expect(value).toBeGreaterThan(0.01);
    await page.reload();
    await legend.first().waitFor();
    expect(await page.getByLabel('Smoothing').inputValue()).toBe('0.9');
  }, 60_000);

  it('draws cohorts beside each other, and the address holds which', async () => {
    const { url } = await openRuns('healthy', 'collapsing');
    const { page, complaints } = await browser.open(`${url}/#/healthy`);
    const legend = page.locator('figure').first().locator('.legend li');
    await legend.first().waitFor();
    await page.getByText('Compare with …').click();
    await page.getByLabel('collapsing').check();
    await page.getByText('collapsing: llama').first().waitFor();
    expect(page.url()).toBe(`${url}/#/healthy?compare=collapsing`);
    expect((await legend.allTextContents()).map((text) => text.replace(/ [\d.]+$/, ''))).toEqual([
      'healthy: qwen',
      'healthy: llama',
      'collapsing: qwen',
      'collapsing: llama',
    ]);
    await page.goto(`${url}/#/healthy?compare=nowhere`);
    await page.locator('.legend li').filter({ hasText: /^qwen/ }).first().waitFor();
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  }, 60_000);

  it('lists prompts to jump to, tells whether a label is true, and shows the problem', async () => {
    const { url } = await openRuns('healthy');
    const { page, complaints } = await browser.open(`${url}/#/healthy/inspect`);
    await page.getByRole('link', { name: /^Label wrong \([1-9]/ }).click();
    const first = page.locator('.prompts a').first();
    await first.filter({ hasText: 'label wrong' }).click();
    await page.locator('.verity.wrong').first().waitFor();
    expect(page.url()).toMatch(/\/#\/healthy\/inspect\/sum-\d+-\d+\/0\?list=label-wrong$/);
    await page.getByRole('link', { name: /^With completions \(/ }).click();
    await page
      .locator('.prompts a')
      .filter({ hasText: /completion/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Problem' }).waitFor();
    expect(await page.getByRole('region', { name: 'Problem' }).textContent()).toMatch(
      /^What is \d+ \+ \d+\?$/,
    );
    expect(complaints).toEqual([]);
    await expectAccessible(page);
  }, 60_000);

  it('works on a phone: a link to a prompt shows it at once, and the way back leads to the list', async () => {
    const { url } = await openRuns('healthy');
    const { page } = await browser.open(`${url}/#/healthy/inspect/sum-3-1/0?list=tie`, { viewport: PHONE });
    await page.getByRole('heading', { name: 'Prompt sum-3-1' }).waitFor();
    expect(await page.locator('.prompts').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All prompts' }).click();
    const entry = page.locator('.prompts a').filter({ hasText: 'tie' }).first();
    await entry.click();
    await page.getByRole('link', { name: 'All prompts' }).waitFor();
    await page.goBack();
    await entry.waitFor();
    await page.goto(`${url}/#/healthy`);
    await page.locator('.legend li').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  }, 60_000);
});
