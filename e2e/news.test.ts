// The news page: a headline opens with what the market did, the accuracy of the sentiment is visible, filters are in the address.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PushedPrices } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const HOUR = 3_600_000;
const TITLE = 'EURUSD rises as the euro zone economy beats forecasts';

/** Headlines that are too different to be versions of one. */
const TOWNS =
  'Zurich London Dubai Shanghai Perth Toronto Johannesburg Lima Accra Tashkent Oslo Ankara Manila Lagos Osaka Reno'.split(
    ' ',
  );
const VERBS = ['melts', 'stores', 'exports', 'refines', 'insures'];

interface Bars {
  readonly items: readonly { readonly time: string; readonly close: number }[];
}

describeInBrowser('news', () => {
  const browser = new TestBrowser();
  const publishedAt = Date.now() - 5 * HOUR;
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    // Simulated markets have nine hours of minutes from the start.
    service = await Service.start({ house: 'none', news: 'none' });
    owner = await service.owner();
    const wire = await PushedPrices.by(owner, service.url);
    await wire.headline(TITLE, {
      ...{ time: publishedAt, source: 'Morning Wire', url: 'https://example.org/euro', id: 'euro' },
    });
    for (const [n, town] of TOWNS.entries())
      await wire.headline(`${town} ${VERBS[n % VERBS.length]} bullion`, {
        ...{ category: 'gold', time: Date.now() - 6 * HOUR - n * 600_000, id: town },
      });
    await wire.headline('EURUSD little changed before the ECB decision', { time: Date.now() - 120_000, id: 'now' });
  }, TEST_MS);
  afterAll(() => service.stop());

  const opened = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  };

  test(
    'opens a headline with its source, its instruments, what the market did and a chart; back leads to the list',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/news?category=forex');
        // Anywhere on the row.
        await page.locator('.news-item', { hasText: TITLE }).click({ position: { x: 20, y: 30 } });
        await opened(page);
        await page.waitForURL(/\/news\/[^?]+$/);
        const source = page.getByRole('article').getByRole('link', { name: 'Morning Wire ↗' });
        expect(await source.getAttribute('href')).toBe('https://example.org/euro');
        expect(await source.getAttribute('rel')).toContain('noopener');
        await page.getByRole('article').getByRole('link', { name: 'EURUSD', exact: true }).waitFor();

        // The figures, from the same bars as everybody can request them.
        const table = page.getByRole('table', { name: 'After the headline' });
        const row = table.getByRole('row', { name: /EURUSD/ });
        await row.waitFor();
        const cells = await row.getByRole('cell').allInnerTexts();
        const range = `from=${publishedAt - HOUR}&to=${publishedAt + 4 * HOUR}`;
        const { items } = await owner.read<Bars>(`/api/bars/EURUSD?interval=1m&limit=400&${range}`);
        const closeAt = (time: number): number => items.findLast((bar) => Date.parse(bar.time) + 60_000 <= time)!.close;
        const at = closeAt(publishedAt);
        const later = [5, 30, 60, 240].map((minutes) => closeAt(publishedAt + minutes * 60_000));
        const shown = cells.map((cell) => Number.parseFloat(cell.replace('−', '-')));
        expect(shown.slice(2)).toEqual([at, ...later]);
        const changes = cells.slice(3).map((cell) => Number(/([+−]?[\d.]+) %/.exec(cell)![1]!.replace('−', '-')));
        for (const [index, price] of later.entries())
          expect(Math.abs(changes[index]! - (price / at - 1) * 100)).toBeLessThanOrEqual(0.0051);

        // The chart has bars of five minutes, from an hour before the headline on.
        const chart = page.getByLabel('Prices of EURUSD around the publication');
        await chart.waitFor();
        // Its legend names the headline at its bar.
        await chart.focus();
        await page.keyboard.press('Home');
        const named = page.locator('.chart-legend-news', { hasText: TITLE });
        for (let bar = 0; bar < 12 && !(await named.isVisible()); bar++) await page.keyboard.press('ArrowRight');
        expect(await named.isVisible()).toBe(true);

        await page.goBack();
        await page.waitForURL('**/news?category=forex');
        const link = page.locator('.news-item a.news-title', { hasText: TITLE });
        await link.waitFor();
        expect(await link.evaluate((each) => each === document.activeElement)).toBe(true);
        expect(await page.title()).toBe('News · Tickwire');
        // The same by the address alone, and back by the link.
        await page.goForward();
        await opened(page);
        await page.reload();
        await opened(page);
        expect(await page.title()).toStartWith(TITLE);
        await page.getByRole('link', { name: '← All news' }).click();
        await page.waitForURL('**/news');
        await page.getByText('London stores bullion').waitFor();
      }),
    TEST_MS,
  );

  test(
    'returns to the place in the list, and has a dash for what is not over yet',
    () =>
      browser.visit(service.url, { as: owner, viewport: { width: 1440, height: 420 } }, async (page) => {
        await page.goto('/news');
        const far = page.getByRole('link', { name: /^Reno / });
        await far.scrollIntoViewIfNeeded();
        const list = page.locator('.news-main');
        const before = await list.evaluate((element) => element.scrollTop);
        expect(before).toBeGreaterThan(300);
        await far.click();
        await page.getByRole('heading', { level: 1, name: /^Reno / }).waitFor();
        await page.goBack();
        await far.waitFor();
        expect(Math.abs((await list.evaluate((element) => element.scrollTop)) - before)).toBeLessThan(5);

        await page.goto('/news');
        await page.getByRole('link', { name: /little changed before the ECB/ }).click();
        const row = page.getByRole('table', { name: 'After the headline' }).getByRole('row', { name: /EURUSD/ });
        await row.waitFor();
        const cells = await row.getByRole('cell').allInnerTexts();
        expect(cells[2]).toMatch(/^\d\.\d+$/);
        expect(cells.slice(3)).toEqual(['–', '–', '–', '–']);
        await page.getByText('A dash: not over yet').waitFor();
      }),
    TEST_MS,
  );

  test(
    'has the sentiment for each instrument: in the list, in the filters and at the bars of the chart',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const wire = await PushedPrices.by(owner, service.url);
        const title = 'US dollar tumbles to three-year low';
        await wire.headline(title, { time: Date.now() - 30_000, id: 'dollar' });
        const row = page.locator('.news-item', { hasText: title });
        await page.goto('/news');
        await row.getByRole('link', { name: /^EURUSD\W+bullish$/ }).waitFor();
        await row.getByRole('link', { name: /^USDJPY\W+bearish$/ }).waitFor();
        for (const [symbol, sentiment, isShown] of [
          ['EURUSD', 'bullish', true],
          ['USDJPY', 'bearish', true],
          ['USDJPY', 'bullish', false],
        ] as const) {
          await page.goto(`/news?symbol=${symbol}&sentiment=${sentiment}`);
          await page.getByText('End of list').or(page.getByText('No news matches these filters.')).waitFor();
          expect([symbol, sentiment, (await row.count()) > 0]).toEqual([symbol, sentiment, isShown]);
        }
        for (const [symbol, sentiment] of [
          ['EURUSD', 'bullish'],
          ['USDJPY', 'bearish'],
        ] as const) {
          await page.goto(`/markets/${symbol}/5m`);
          await page.getByRole('region', { name: 'Latest headlines' }).getByText(title).waitFor();
          await page.getByLabel(`${symbol}, 5m bars`).focus();
          await page.keyboard.press('End');
          const mark = page.locator('.chart-legend-news', { hasText: title });
          // The headline belongs to the newest bar or to the one before it.
          await mark.waitFor({ timeout: 2_000 }).catch(() => page.keyboard.press('ArrowLeft'));
          await mark.waitFor();
          expect([symbol, await mark.getAttribute('data-sign')]).toEqual([
            symbol,
            sentiment === 'bullish' ? 'up' : 'down',
          ]);
        }
      }),
    TEST_MS,
  );

  test(
    'says that a headline is not there',
    () =>
      browser.visit(service.url, { as: owner, expected: [/404/] }, async (page) => {
        await page.goto('/news/nothing');
        await page.getByRole('heading', { name: 'This headline was not found' }).waitFor();
        await page.getByRole('link', { name: '← All news' }).click();
        await page.getByRole('link', { name: TITLE }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'shows the accuracy of the sentiment at once, and on a phone in one line',
    async () => {
      const calibrated = async (page: Page): Promise<void> => {
        await page.route('**/api/news/calibration', (route) => {
          const item = { model: 'lexicon', category: 'forex', horizon_minutes: 60, average_move_percent: 0.01 };
          const rate = (items: number, hits: number) => ({ items, hits, hit_rate: hits / items });
          const bounds = { hit_rate_low: 0.4, hit_rate_high: 0.7 };
          const items = [
            { ...item, ...rate(60, 36), ...bounds, sentiment: 'bullish' },
            { ...item, ...rate(40, 18), ...bounds, sentiment: 'bearish' },
          ];
          return route.fulfill({ json: { items, count: 2, since: '2026-03-02T10:00:00.000Z' } });
        });
        await page.goto('/news');
        await page.getByText('54% right, 100 headlines, 1 h later').waitFor();
      };
      await browser.visit(service.url, { as: owner }, async (page) => {
        await calibrated(page);
        const table = page.getByRole('table', { name: 'Sentiment accuracy' });
        await table.getByRole('row', { name: /Forex, bullish.*60.*60% \(40–70\)/ }).waitFor();
        const box = (await table.boundingBox())!;
        expect(box.y).toBeLessThan(900);
      });
      await browser.visit(service.url, { as: owner, viewport: PHONE }, calibrated);
    },
    TEST_MS,
  );

  test(
    'keeps filters and search in the address',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/news');
        await page.getByRole('button', { name: 'Gold' }).click();
        await page.getByLabel('Search loaded headlines').fill('zurich');
        await page.waitForURL('**/news?category=gold&q=zurich');
        await page.getByText(/^Zurich /).waitFor();
        expect(await page.getByText(/^London /).count()).toBe(0);
        // They stay while a headline is open.
        await page.getByRole('link', { name: /^Zurich / }).click();
        await page.getByRole('heading', { level: 1, name: /^Zurich / }).waitFor();
        await page.getByRole('link', { name: '← All news' }).click();
        await page.waitForURL('**/news?category=gold&q=zurich');
        await page.reload();
        await page.getByText(/^Zurich /).waitFor();
        expect(await page.getByLabel('Search loaded headlines').inputValue()).toBe('zurich');
      }),
    TEST_MS,
  );

  test(
    'fits a phone',
    () =>
      browser.visit(service.url, { as: owner, viewport: { width: 320, height: 700 } }, async (page) => {
        await page.goto('/news');
        await page.getByRole('link', { name: TITLE }).click();
        await page.getByLabel('Prices of EURUSD around the publication').waitFor();
        const width = (): Promise<number> => page.locator('.news-page').evaluate((e) => e.scrollWidth - e.clientWidth);
        expect(await width()).toBe(0);
      }),
    TEST_MS,
  );
});
