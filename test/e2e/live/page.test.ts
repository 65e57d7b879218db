import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/cli/system-clock.ts';
import { openServer, type TestServer } from '../../protocol/test-server.ts';
import { expectAccessible, useBrowser } from './scene.ts';

const browser = useBrowser();

/** A server on the real time over cohort `test` of `a` and `b`, where `a` waits for `b` on one prompt. */
async function openWaiting(): Promise<{ server: TestServer; url: string }> {
  const server = await openServer({ clock: systemClock, answers: { mode: 'boxed', pattern: null } });
  const completed = (texts: readonly string[], step: number) => ({
    step,
    groups: [
      {
        prompt_id: `p${step}`,
        ground_truth: '4',
        rollouts: texts.map((text, index) => ({ index, completion: text, tokens: text.length })),
      },
    ],
  });
  for (const step of [0, 1, 2]) {
    await server.submit('a', completed(['so \\boxed{4}', 'so \\boxed{5}'], step));
    await server.submit('b', completed(['\\boxed{4.0}', '\\boxed{4}'], step));
  }
  await server.submit('a', completed(['it is \\boxed{7}', 'no idea'], 3));
  return { server, url: await server.listen() };
}

describe('the live page', () => {
  it('shows a running cohort, names who is waited for, and has curves, without a complaint of the browser', async () => {
    const { url } = await openWaiting();
    const { page, complaints } = await browser.open(url);
    await page.getByRole('heading', { name: 'test', level: 1 }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.locator('.facts').textContent()).toMatch(/Waited forb since \d+ s/);
    expect(await page.getByRole('img', { name: 'a waits for b on 1 prompt.' }).count()).toBe(1);
    await page.locator('.charts canvas').first().waitFor();
    expect(await page.locator('figcaption h3').allInnerTexts()).toContain('Agreement');
    expect(complaints).toEqual([]);
    await expectAccessible(page);
  });

  it('shows a bucket: answers, votes, label, rewards, and where in a completion the answer was read', async () => {
    const { url } = await openWaiting();
    const { page, complaints } = await browser.open(`${url}/#/test/inspect/p1`);
    const group = page.getByRole('article', { name: 'Group of a' });
    await page.locator('mark').first().waitFor();
    expect(await group.locator('.why').textContent()).toBe(
      'It votes for 4 (right). Status scored: rewarded against the label 4.0 (right) of b (peer-vote).',
    );
    const rows = (await group.locator('tbody tr').allInnerTexts()).map((row) => row.split(/\s+/));
    expect(rows).toEqual([
      ['#0', '1', '4', '4'],
      ['#1', '0', '5', '5'],
    ]);
    expect(await group.locator('mark').allInnerTexts()).toEqual(['4', '5']);
    await page.getByRole('link', { name: 'p3' }).first().click();
    await page.getByText('Its rewards wait for the teachers.').waitFor();
    expect(await page.locator('.sample').nth(1).textContent()).toMatch(/abstains[\s\S]*No answer was found/);
    expect(page.url()).toBe(`${url}/#/test/inspect/p3/0`);
    expect(complaints).toEqual([]);
    await expectAccessible(page);
  });

  it('says that a prompt is unknown, and that a cohort is', async () => {
    const { url } = await openWaiting();
    const { page } = await browser.open(`${url}/#/test/inspect/nowhere`);
    await page.getByText('holds nothing of prompt "nowhere"').waitFor();
    await page.goto(`${url}/#/elsewhere`);
    await page.getByText('There is no cohort "elsewhere"').waitFor();
  });

  it('is usable with the keyboard alone: skip link, cohorts by arrows, a prompt by its id', async () => {
    const { server, url } = await openWaiting();
    await server.send('PUT', '/v1/cohorts/zeta', { agents: ['x', 'y'], k: 2 });
    const { page } = await browser.open(url);
    await page.getByText('Choose one from the list.').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
    for (const key of ['Tab', 'Tab', 'Tab', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'test', level: 1 }).waitFor();
    await page.locator('.facts dd').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#prompt-id').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('id')).toBe('prompt-id');
    await page.keyboard.type('p2');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Prompt p2' }).waitFor();
  });

  it('says what a server without cohorts is for', async () => {
    const server = await openServer({ clock: systemClock });
    await server.send('DELETE', '/v1/cohorts/test');
    const { page, complaints } = await browser.open(await server.listen(), { colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'No cohort yet' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 22, 25)');
    await expectAccessible(page);
    await server.send('PUT', '/v1/cohorts/math', { agents: ['x', 'y'], k: 2 });
    await page.getByRole('heading', { name: 'math', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('says when the server is gone, keeps what it knew, and goes on when it is back', async () => {
    const { server, url } = await openWaiting();
    const { page } = await browser.open(url);
    await page.locator('.facts dd').first().waitFor();
    await server.close();
    await page.getByText('The server does not answer. Trying again.').waitFor();
    expect(await page.getByText('No connection to the server. What is shown is').isVisible()).toBe(true);
    expect(await page.locator('.ring').isVisible()).toBe(true);
    const restarted = await openServer({ clock: systemClock });
    await restarted.app.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.locator('.stale').count()).toBe(0);
  });
});
