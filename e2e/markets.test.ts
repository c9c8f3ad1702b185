// The markets page: prices move, timeframes and instruments change, with and without a mouse.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { rowOf, statusOf, waitForChange } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const TIMEFRAMES = ['1m', '5m', '15m', '1h', '4h', '1d'];
const chartOf = (page: Page) => page.getByRole('region', { name: 'Chart' });
/** Elements beyond the right edge of the screen that are not in a scrollable container. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
      .filter((element) => !scrolls(element) && element.closest('svg, canvas, table.tv-lightweight-charts') === null)
      .map((element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 40)}`);
  });
const pathOf = (page: Page) => new URL(page.url()).pathname;

describeInBrowser('the markets page', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'a price moves in the watchlist, in the instrument header and in the data age, and is labelled as simulated',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/1m');
        const bid = rowOf(page, 'EURUSD').getByRole('gridcell').first();
        await bid.filter({ hasText: /^\d\.\d{5}$/ }).waitFor();
        const before = (await bid.textContent()) ?? '';
        expect(await waitForChange(bid, before)).not.toBe(before);
        await page.getByRole('heading', { name: 'EURUSD', level: 1 }).waitFor();
        await statusOf(page).getByText(/^live/).first().waitFor();
        expect(await page.getByText('simulated').first().isVisible()).toBe(true);
      }),
    TEST_MS,
  );

  test(
    'each timeframe has a button and a key, and is part of the URL',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        for (const timeframe of TIMEFRAMES) {
          // The current timeframe need not be requested again.
          const loaded =
            timeframe === '5m'
              ? null
              : page.waitForResponse((response) => response.url().includes(`timeframe=${timeframe}`));
          await chartOf(page).getByRole('button', { name: timeframe, exact: true }).click();
          if (loaded) expect((await loaded).status()).toBe(200);
          await page.waitForURL(`**/markets/EURUSD/${timeframe}`);
        }
        for (const [at, timeframe] of TIMEFRAMES.entries()) {
          await page.keyboard.press(String(at + 1));
          await page.waitForURL(`**/markets/EURUSD/${timeframe}`);
          await page.getByLabel(`EURUSD, ${timeframe} bars`).waitFor();
        }
        // Opening the URL directly shows the same.
        await page.goto('/markets/XAUUSD/4h');
        await page.getByLabel('XAUUSD, 4h bars').waitFor();
      }),
    TEST_MS,
  );

  test(
    'everything works without a mouse: arrow keys move in the watchlist, the search finds, the palette opens every page',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/1m');
        await rowOf(page, 'GBPUSD').waitFor();
        // The watchlist has the initial focus.
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/markets/GBPUSD/1m');
        await page.keyboard.press('/');
        await page.keyboard.type('gold');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/markets/XAUUSD/1m');
        expect(await page.getByRole('searchbox', { name: 'Search instruments' }).inputValue()).toBe('gold');
        await page.keyboard.press('Escape');

        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.type('btcusd');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/markets/BTCUSD/1m');
        for (const [typed, path] of [
          ['go to signals', '/signals'],
          ['go to news', '/news'],
          ['api keys', '/settings'],
        ] as const) {
          await page.keyboard.press('Control+k');
          await page.getByRole('dialog').waitFor();
          await page.keyboard.type(typed);
          await page.keyboard.press('Enter');
          await page.waitForURL((url) => url.pathname === path);
          expect(await page.getByRole('dialog').count()).toBe(0);
        }
        await page.goBack();
        expect(pathOf(page)).toBe('/news');
      }),
    TEST_MS,
  );

  test(
    'Tab reaches every link and button of the page frame, and the focus is visible',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/');
        await rowOf(page, 'EURUSD').waitFor();
        const reached = new Set<string>();
        for (let count = 0; count < 120; count++) {
          await page.keyboard.press('Tab');
          const at = await page.evaluate(() => {
            const { activeElement: on } = document;
            if (!on || on === document.body) return null;
            const { outlineStyle, boxShadow } = getComputedStyle(on);
            const seen =
              outlineStyle !== 'none' || boxShadow !== 'none' || on.matches('[role=treegrid], [role=treegrid] *');
            return { text: on.textContent?.trim() || on.getAttribute('aria-label') || on.tagName, seen };
          });
          if (!at) continue;
          expect([at.text, at.seen]).toEqual([at.text, true]);
          reached.add(at.text);
        }
        for (const name of ['Markets', 'Signals', 'News', 'Settings', 'Guide', 'API', 'Sign out', ...TIMEFRAMES])
          expect([...reached]).toContain(name);
      }),
    TEST_MS,
  );

  test(
    'on a phone nothing is wider than the screen, and every page is reachable',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, hasTouch: true, isMobile: true }, async (page) => {
        await page.goto('/');
        await page.getByText('EURUSD').first().waitFor();
        const fits = async (where: string) => expect([where, await tooWide(page)]).toEqual([where, []]);
        await fits('/');
        for (const name of ['Signals', 'News', 'Settings', 'Markets']) {
          await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).tap();
          await page.waitForURL(name === 'Markets' ? /\/(markets.*)?$/ : `**/${name.toLowerCase()}**`);
          await page.getByRole('heading', { level: 1 }).first().waitFor();
          await fits(name);
        }
        const row = rowOf(page, 'XAUUSD');
        await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
        await row.tap();
        await page.waitForURL('**/markets/XAUUSD/**');
        const button = chartOf(page).getByRole('button', { name: '1h', exact: true });
        await button.tap();
        await page.waitForURL('**/markets/XAUUSD/1h');
        await fits('the chart');
      }),
    TEST_MS,
  );
});
