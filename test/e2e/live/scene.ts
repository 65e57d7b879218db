import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { openPage, startBrowser } from '../../support/browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One browser for the tests of a file. */
export function useBrowser(): {
  open(url: string, options?: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }>;
} {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  return {
    open: async (url, options) => {
      if (browser === null) throw new Error('the browser has not started');
      const opened = await openPage(browser, options);
      onTestFinished(() => opened.page.context().close());
      await opened.page.goto(url);
      return opened;
    },
  };
}

/** No rule of WCAG 2.1 A and AA that axe-core can check is broken. */
export async function expectAccessible(page: Page): Promise<void> {
  // The policy of the page lets no script in but its own; the debugger may run one all the same.
  await page.evaluate(AXE);
  const found = await page.evaluate(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
  expect(found).toEqual([]);
}
