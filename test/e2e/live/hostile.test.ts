import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/cli/system-clock.ts';
import { openServer } from '../../protocol/test-server.ts';
import { expectAccessible, useBrowser } from './scene.ts';

const browser = useBrowser();

/** Sets a mark on the page if any of it is taken for more than text. */
const HOSTILE = [
  '<img src=x onerror="document.body.id=\'hacked\'">',
  '</script></pre></bdi><script>document.body.id="hacked"</script>',
  'javascript:document.body.id="hacked"',
  '\u202e\u2066reversed\u0000\u0007 \ud83d\ude00 \ufffd',
  '{{constructor.constructor("document.body.id=1")()}}#{7*7}<!--',
  `"><svg onload=document.body.id='hacked'><style>*{display:none}</style>`,
  '../../../%2e%2e/?a=b#c',
  'w'.repeat(4_000),
];

describe('what models and trainers write', () => {
  it('is text on the page wherever it comes, and nothing else', async () => {
    const server = await openServer({
      clock: systemClock,
      k: HOSTILE.length,
      answers: { mode: 'raw', pattern: null },
    });
    const promptIds = HOSTILE.map((text) => text.slice(0, 200));
    for (const agent of ['a', 'b']) {
      await server.submit(agent, {
        incarnation: HOSTILE[0]?.slice(0, 40),
        groups: promptIds.map((prompt_id) => ({
          prompt_id,
          ground_truth: HOSTILE[1],
          problem: HOSTILE[5],
          rollouts: HOSTILE.map((text, index) => ({
            id: `${index}${text}`.slice(0, 100),
            index,
            completion: text,
          })),
        })),
      });
    }
    const url = await server.listen();
    const { page, complaints } = await browser.open(`${url}/#/test/inspect?list=kept`);
    const links = page.locator('.prompts a');
    await links.first().waitFor();
    const shown = await links.locator('.foreign').allTextContents();
    expect([...shown].sort()).toEqual([...promptIds].sort());
    for (const [at, id] of shown.entries()) {
      await links.nth(at).click();
      await page.locator('.detail h2 .foreign', { hasText: id.slice(0, 8) }).waitFor();
      await page.locator('.sample pre').first().waitFor();
      expect(await page.locator('.detail h2 .foreign').textContent()).toBe(id);
      const texts = await page.locator('.sample pre').allTextContents();
      expect(new Set(texts)).toEqual(new Set([HOSTILE[0], HOSTILE[1]]));
      expect(await page.locator('.problem').textContent()).toBe(HOSTILE[5]);
    }
    const answers = await page.locator('.clusters .answer').allTextContents();
    for (const text of HOSTILE.filter((text) => text.trim() === text && !text.includes('\u0000'))) {
      expect(answers).toContain(text);
    }
    await page.goto(`${url}/#/test/inspect`);
    await page.locator('.prompts .note').first().waitFor();
    expect(await page.locator('main img, main script, main style, main svg').count()).toBe(0);
    expect(await page.locator('body').getAttribute('id')).toBeNull();
    // The longest word makes nothing wider than the window.
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
    await expectAccessible(page);
  });

  it('could not run if it were taken for more: the policy of the page lets nothing in', async () => {
    const server = await openServer({ clock: systemClock });
    const { page, complaints } = await browser.open(await server.listen());
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'document.body.id = "hacked"';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="https://example.invalid/x.png" onerror="document.body.id = 1">');
    }`);
    await expect
      .poll(() => complaints.filter((text) => text.includes('Content Security Policy')).length)
      .toBeGreaterThan(1);
    expect(await page.locator('body').getAttribute('id')).toBeNull();
  });
});
