import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/cli/system-clock.ts';
import { openServer, submissionOf } from '../../protocol/test-server.ts';
import { expectAccessible, useBrowser } from './scene.ts';

const browser = useBrowser();
const STEPS = 10_000;
const TOKEN = 'reader-0123456789abcdef';

describe('the live page of a large run', () => {
  it('draws 10,000 steps with at most 600 points, and shows them closer when asked', async () => {
    const server = await openServer({ clock: systemClock });
    for (const agent of ['a', 'b']) await server.submit(agent, submissionOf('p', ['4', '5'], { step: 0 }));
    await server.get('/v1/cohorts/test/diagnostics');
    const { steps: known } = await server.store.readDiagnostics('test', { from: 0, to: 0, most: 1 });
    const counted = known.flatMap(({ tally }) => tally.increments);
    for (let from = 1; from < STEPS; from += 1_000) {
      const steps = Array.from({ length: Math.min(1_000, STEPS - from) }, (_, at) => from + at);
      await server.store.addDiagnostics(
        'test',
        steps.flatMap((step) => counted.map((increment) => ({ ...increment, step }))),
      );
    }
    const { page, complaints } = await browser.open(`${await server.listen()}/#/test`);
    await page.locator('.charts canvas').first().waitFor();
    const button = page.getByRole('button', { name: 'Show as table: Reward', exact: true });
    await button.click();
    const rows = page.getByRole('region', { name: 'Reward', exact: true }).locator('tbody tr');
    expect(await rows.count()).toBe(60);
    const stepAt = async (at: number) => Number(await rows.nth(at).locator('th').textContent());
    // A point holds 17 steps, and the last what is left.
    expect([await stepAt(0), await stepAt(1)]).toEqual([9_999, 9_995]);
    const plot = page.locator('.u-over').first();
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    if (box === null) throw new Error('there is no plot');
    await page.mouse.move(box.x + 40, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 50, box.y + 30, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Show all steps' }).waitFor();
    await expect.poll(() => stepAt(0)).toBeLessThan(3_000);
    await page.getByRole('button', { name: 'Show all steps' }).click();
    await expect.poll(() => stepAt(0)).toBe(9_999);
    expect(complaints).toEqual([]);
  });

  it('lists 50 cohorts, and narrows the list; on a narrow screen nothing is wider than it', async () => {
    const server = await openServer({ clock: systemClock });
    for (let at = 1; at < 50; at++) {
      await server.send('PUT', `/v1/cohorts/run-${at}`, {
        agents: ['x', 'y', 'z'],
        k: 2,
        supervision: 'pooled',
      });
    }
    const { page, complaints } = await browser.open(await server.listen(), {
      viewport: { width: 320, height: 640 },
    });
    const list = page.getByRole('navigation', { name: 'Cohorts' });
    await expect.poll(() => list.getByRole('link').count()).toBe(50);
    await page.getByLabel('Narrow the list').fill('RUN-4');
    expect(await list.getByRole('link').count()).toBe(11);
    await list.getByRole('link').last().click();
    await page.getByRole('img', { name: '3 agents; nobody waits.' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
    await expectAccessible(page);
  });
});

describe('the live page of a server with tokens', () => {
  it('asks for one, keeps it in the tab, and forgets it when told to', async () => {
    const server = await openServer({ clock: systemClock, server: { tokens: `read: ${TOKEN}` } });
    const { page } = await browser.open(await server.listen());
    await page.getByRole('heading', { name: 'This server asks for a token' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Token').fill('wrong-0123456789abcdef');
    await page.keyboard.press('Enter');
    await page.getByText('The server does not know that token.').waitFor();
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByRole('heading', { name: 'This server asks for a token' }).waitFor();
  });
});
