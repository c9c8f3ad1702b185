// What surrounds a chart: one row of tools at any width, drawing tools beside it, the legend, and a page head that never moves it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { DESKTOP, describeInBrowser, PHONE, TEST_MS, TestBrowser, TIMEOUT_MS } from './browser.fixture.ts';
import { drawnText, recordDrawnText } from './drawn-text.fixture.ts';
import { forgetDocuments, lineOf, PushedPrices, rowOf, toolOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const TOOLS = [
  ...['Chart type', 'Indicators', 'Alert', 'Publish', 'Order flow', 'Compare', 'Signals', 'List of signals'],
  ...['News', 'Calendar', 'Undo', 'Redo', 'Scale: Lin', 'Go to date', 'Save image or CSV', 'Fullscreen'],
];
const DRAWING_TOOLS = [
  ...['Draw', 'Trend line', 'Ray', 'Horizontal line', 'Vertical line', 'Rectangle', 'Parallel channel'],
  ...['Fibonacci retracement', 'Long position', 'Short position', 'Text', 'Measure'],
];
const chartOf = (page: Page, name = 'Chart'): Locator => page.getByRole('region', { name, exact: true });
const railOf = (chart: Locator): Locator => chart.getByRole('group', { name: 'Drawing tools' });

async function open(page: Page, path: string): Promise<Locator> {
  await page.goto(path);
  await chartOf(page).locator('.chart-legend-time').filter({ visible: true }).waitFor();
  return chartOf(page);
}

/** After that, observers of sizes have run. */
const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Tools that are neither in the row nor in its menu. Everything in the row is inside of it and large enough. */
async function missingTools(chart: Locator): Promise<readonly string[]> {
  const bar = chart.locator('.chart-bar');
  const faults = await bar.evaluate((element) => {
    const { left, right, top, bottom, height } = element.getBoundingClientRect();
    const cut = [...element.querySelectorAll('button')].filter((button) => {
      const box = button.getBoundingClientRect();
      const isInside = box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
      return button.checkVisibility() && !(isInside && box.width >= 24 && box.height >= 24);
    });
    return [
      ...cut.map((button) => `cut off: ${button.ariaLabel ?? button.textContent}`),
      ...(height > 36 ? [`${height} pixels high`] : []),
    ];
  });
  const missing: string[] = [];
  for (const name of TOOLS) if ((await (await toolOf(chart, name)).count()) !== 1) missing.push(name);
  await chart.page().keyboard.press('Escape');
  return [...faults, ...missing];
}

describeInBrowser('the frame of a chart', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());
  beforeEach(() => forgetDocuments(owner));

  test(
    'has one row of tools at any width, and a menu with those that do not fit',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const chart = await open(page, '/markets/EURUSD/5m');
        await railOf(chart).getByRole('button', { name: 'Measure' }).waitFor();
        for (const width of [1920, 1440, 1280, 1000, 820, 390, 320]) {
          await page.setViewportSize({ width, height: 800 });
          await twoFrames(page);
          expect([width, await missingTools(chart)]).toEqual([width, []]);
          const drawing = width > 700 ? DRAWING_TOOLS : [];
          expect([width, await railOf(chart).getByRole('button').count()]).toEqual([width, drawing.length]);
          for (const name of drawing)
            expect([name, await railOf(chart).getByRole('button', { name, exact: true }).count()]).toEqual([name, 1]);
          if (width <= 700) expect(await (await toolOf(chart, 'Draw')).count()).toBe(1);
          await page.keyboard.press('Escape');
        }
      }),
    TEST_MS,
  );

  test(
    'opens a panel in place of the menu, closes it with the same button, and keeps the focus',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, hasTouch: true, isMobile: true }, async (page) => {
        const chart = await open(page, '/markets/EURUSD/5m');
        const more = chart.getByRole('button', { name: 'More tools' });
        const menu = page.getByRole('dialog', { name: 'More tools' });
        await (await toolOf(chart, 'Compare')).tap();
        const panel = page.getByRole('dialog', { name: 'Compare' });
        await panel.waitFor();
        expect(await menu.count()).toBe(0);
        const [{ y, height }, box] = [(await more.boundingBox())!, (await panel.boundingBox())!];
        expect([box.y >= y + height, box.x >= 0, box.x + box.width <= PHONE.width]).toEqual([true, true, true]);
        await page.keyboard.press('Escape');
        expect(await more.evaluate((button) => document.activeElement === button)).toBe(true);
        // A switch leaves the menu open.
        const news = await toolOf(chart, 'News');
        await news.tap();
        expect([await news.getAttribute('aria-pressed'), await menu.isVisible()]).toEqual(['false', true]);
        await more.tap();
        await menu.waitFor({ state: 'detached' });
      }),
    TEST_MS,
  );

  test.each([2, 4])(
    'of %d charts, the active one has the tools, over the whole width',
    (count) =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const charts = Array.from({ length: count }, () => ({ symbol: 'EURUSD', interval: '1h' }));
        await page.addInitScript(
          (stored) => localStorage.setItem('tickwire.layout', stored),
          JSON.stringify({ charts }),
        );
        await page.goto('/markets/EURUSD/1h');
        for (let at = 1; at <= count; at++)
          await chartOf(page, `Chart ${at}`).locator('.chart-legend-time').filter({ visible: true }).waitFor();
        const grid = (await page.getByRole('group', { name: 'Charts' }).boundingBox())!;
        for (const at of [count, 1]) {
          const chart = chartOf(page, `Chart ${at}`);
          await chart.locator('.chart-surface').click({ position: { x: 150, y: 120 } });
          expect(await page.locator('.chart-bar').filter({ visible: true }).count()).toBe(1);
          expect(await page.locator('.draw-rail').filter({ visible: true }).count()).toBe(1);
          expect(await missingTools(chart)).toEqual([]);
          expect(await railOf(chart).getByRole('button').count()).toBe(DRAWING_TOOLS.length);
          const bar = (await chart.locator('.chart-bar').boundingBox())!;
          expect([bar.x, bar.y, bar.width]).toEqual([grid.x, grid.y, grid.width]);
        }
        // No chart lies below the tools.
        const faults = await page.locator('.chart-stage').evaluateAll(
          (stages, [left, top]) => {
            const boxes = stages.map((stage) => stage.getBoundingClientRect());
            return boxes.filter((box) => box.left < left! + 34 || box.top < top! + 36).length;
          },
          [grid.x, grid.y],
        );
        expect(faults).toBe(0);
      }),
    TEST_MS,
  );

  test(
    'begins with instrument, interval and the time until the bar closes, by the clock of the service',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        // The clock of the browser is two minutes slow.
        await page.clock.install({ time: Date.now() - 120_000 });
        const chart = await open(page, '/markets/EURUSD/15m');
        const head = chart.locator('.chart-legend-head');
        const seconds = async (): Promise<number> => {
          const [, minutes, rest] = /^EURUSD15m(\d+):(\d\d)$/.exec((await head.textContent())!) ?? [];
          return Number(minutes) * 60 + Number(rest);
        };
        const expected = (): number => 900 - ((Date.now() / 1_000) % 900);
        const deadline = Date.now() + TIMEOUT_MS;
        const isRight = async (): Promise<boolean> => Math.abs((await seconds()) - expected()) < 3;
        while (!(await isRight())) {
          if (Date.now() > deadline) throw new Error(`${await head.textContent()} instead of ${expected()} s`);
          await Bun.sleep(100);
        }
        const before = await seconds();
        while ((await seconds()) === before) await Bun.sleep(50);
        await chart.getByRole('button', { name: '4h', exact: true }).click();
        await head.getByText(/^(\d:)?\d+:\d\d$/).waitFor();
        expect(await head.textContent()).toStartWith('EURUSD4h');
      }),
    TEST_MS,
  );

  test(
    'has a line for each indicator that hides, shows, edits and removes it',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const chart = await open(page, '/markets/EURUSD/5m');
        const line = lineOf(chart, 'SMA 20');
        await line.getByText(/^\d\.\d+$/).waitFor();
        await lineOf(chart, 'SMA 50')
          .getByText(/^\d\.\d+$/)
          .waitFor();
        const tops = await Promise.all(
          ['SMA 20', 'SMA 50'].map(async (name) => (await lineOf(chart, name).boundingBox())!.y),
        );
        expect(tops[1]).toBeGreaterThan(tops[0]!);
        await line.getByRole('button', { name: 'Hide SMA 20' }).click();
        const show = line.getByRole('button', { name: 'Show SMA 20' });
        await show.waitFor();
        expect(await show.evaluate((button) => document.activeElement === button)).toBe(true);
        expect(await line.getByText(/^\d\.\d+$/).count()).toBe(0);
        await page.keyboard.press('Enter');
        await line.getByText(/^\d\.\d+$/).waitFor();

        await line.getByRole('button', { name: 'Edit SMA 20' }).click();
        const panel = page.getByRole('dialog', { name: 'Indicators' });
        await panel.getByLabel('Length').fill('30');
        await panel.getByRole('button', { name: 'Apply' }).click();
        await lineOf(chart, 'SMA 30')
          .getByText(/^\d\.\d+$/)
          .waitFor();
        await page.keyboard.press('Escape');

        await lineOf(chart, 'SMA 30').getByRole('button', { name: 'Remove SMA 30' }).click();
        await lineOf(chart, 'SMA 30').waitFor({ state: 'detached' });
        await page.keyboard.press('Control+z');
        await lineOf(chart, 'SMA 30').waitFor();

        // One in a pane of its own has its line there; hidden, it is in the legend.
        await (await toolOf(chart, 'Indicators')).click();
        await panel.getByLabel('Search indicators').fill('rsi');
        await panel.getByRole('button', { name: 'Add Relative strength index' }).click();
        await page.keyboard.press('Escape');
        await lineOf(chart, 'RSI 14').getByRole('button', { name: 'Hide RSI 14' }).click();
        await chart.locator('.chart-legend').getByRole('button', { name: 'Show RSI 14' }).click();
        await lineOf(chart, 'RSI 14').getByRole('button', { name: 'Maximise or restore RSI 14' }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'names compared instruments in the legend and at their lines, each in a colour that no other line has',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await recordDrawnText(page);
        const chart = await open(page, '/markets/BTCUSD/15m');
        await lineOf(chart, 'SMA 50').getByText(/\d/).first().waitFor();
        await (await toolOf(chart, 'Compare')).click();
        const panel = page.getByRole('dialog', { name: 'Compare' });
        for (const symbol of ['ETHUSD', 'SOLUSD']) {
          await panel.getByLabel('Instrument').fill(symbol);
          await panel.getByRole('button', { name: `Compare with ${symbol}` }).click();
          await lineOf(chart, symbol)
            .getByText(/^[+−]?\d+\.\d+%$/)
            .waitFor();
        }
        await page.keyboard.press('Escape');
        const names = ['SMA 20', 'SMA 50', 'ETHUSD', 'SOLUSD'];
        const colors = await Promise.all(
          names.map((name) =>
            lineOf(chart, name)
              .locator('.swatch')
              .evaluate((swatch) => (swatch as HTMLElement).style.getPropertyValue('--swatch')),
          ),
        );
        expect(new Set(colors).size).toBe(names.length);
        const named = async (symbol: string): Promise<boolean> =>
          (await drawnText(page)).some(({ text }) => text === symbol);
        while (!((await named('ETHUSD')) && (await named('SOLUSD')))) await Bun.sleep(50);
        await lineOf(chart, 'ETHUSD').getByRole('button', { name: 'Remove ETHUSD' }).click();
        await lineOf(chart, 'ETHUSD').waitFor({ state: 'detached' });
        await page.keyboard.press('Control+z');
        await lineOf(chart, 'ETHUSD').waitFor();
      }),
    TEST_MS,
  );
});

describeInBrowser('the page around the chart', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  let market: PushedPrices;
  beforeAll(async () => {
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none' });
    owner = await service.owner();
    market = await PushedPrices.by(owner, service.url);
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'gives the chart 65 % of 1440 pixels, and its head is as high whatever the figures are',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/BTCUSD/5m');
        const bid = page.locator('.head .prices dd').first();
        await bid.filter({ hasText: '–' }).waitFor();
        expect((await chartOf(page).boundingBox())!.width / DESKTOP.width).toBeGreaterThanOrEqual(0.65);
        const heights = async (): Promise<readonly number[]> => {
          const all: number[] = [];
          for (const width of [1920, 1440, 1180, 1000, 820, 390, 320]) {
            await page.setViewportSize({ width, height: 900 });
            all.push((await page.locator('.head').boundingBox())!.height, (await chartOf(page).boundingBox())!.y);
          }
          return all;
        };
        const before = await heights();
        await market.quote('BTCUSD', 1_111_108.25, 1_111_208.75);
        await bid.filter({ hasText: /1,?111,?108/ }).waitFor();
        expect(await heights()).toEqual(before);
        // One row on a desktop.
        expect(before[0]).toBeLessThanOrEqual(50);
      }),
    TEST_MS,
  );

  test(
    'shows whole codes in the watchlist',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await rowOf(page, 'DOGEUSD').waitFor();
        const cut = await page
          .locator('.watch .row .label')
          .evaluateAll((labels) =>
            labels.filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent),
          );
        expect(cut).toEqual([]);
      }),
    TEST_MS,
  );
});
