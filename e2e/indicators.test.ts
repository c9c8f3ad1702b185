// Indicators of the chart: added, edited, undone, kept and removed, with the values of the service.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type DrawnLine, drawnLines, recordDrawnLines } from './drawn-lines.fixture.ts';
import { forgetDocuments, lineOf, toolOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

interface Answer {
  readonly indicators: readonly {
    readonly indicator: string;
    readonly items: readonly { readonly time: string; readonly value: number | null }[];
  }[];
}

const chartOf = (page: Page): Locator => page.getByRole('region', { name: 'Chart', exact: true });
const panelOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Indicators' });
/** Its pane, or its line in the legend, once it has a value. */
const paneOf = (page: Page, name: string): Locator => lineOf(chartOf(page), name);
const legendOf = (page: Page, name: string): Locator => paneOf(page, name).filter({ hasText: /\d\.\d/ });

async function add(page: Page, search: string, title: string): Promise<void> {
  if (!(await panelOf(page).isVisible()))
    await chartOf(page).getByRole('button', { name: 'Indicators', exact: true }).click();
  await panelOf(page).getByLabel('Search indicators').fill(search);
  await panelOf(page)
    .getByRole('button', { name: `Add ${title}` })
    .click();
}

describeInBrowser('indicators', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());
  beforeEach(() => forgetDocuments(owner));

  test(
    'RSI and VWAP are added, and their values at the crosshair are those of the service',
    () =>
      browser.visit(service.url, { as: owner, timezoneId: 'UTC' }, async (page) => {
        await page.goto('/markets/EURUSD/1m');
        // The usual averages.
        await legendOf(page, 'SMA 20').waitFor();
        await legendOf(page, 'SMA 50').waitFor();
        await add(page, 'vwap', 'Volume-weighted average price');
        await add(page, 'relative strength', 'Relative strength index');
        const rsi = paneOf(page, 'RSI 14');
        await rsi.getByText(/^\d+\.\d\d$/).waitFor();
        await page.keyboard.press('Escape');
        const surface = page.getByLabel('EURUSD, 1m bars');
        const box = (await surface.boundingBox())!;
        await page.mouse.move(box.x + box.width * 0.5, box.y + 160);
        const time = chartOf(page).locator('.chart-legend-time');
        const newest = new Date().toISOString().slice(11, 16);
        await time.filter({ hasNotText: newest }).waitFor();
        const written = (await time.textContent()) ?? '';
        const shown = [
          (await rsi.locator('.pane-value').textContent()) ?? '',
          (await legendOf(page, 'VWAP day').locator('.pane-value').textContent()) ?? '',
        ];
        const query = new URLSearchParams({ indicators: 'rsi(14),vwap(day)', interval: '1m', limit: '600' });
        const { indicators } = await owner.read<Answer>(`/api/indicators/EURUSD?${query}`);
        const clock = /\d\d:\d\d$/.exec(written)?.[0] ?? '';
        const expected = indicators.map(({ items }, at) => {
          const value = items.findLast((item) => item.time.slice(11, 16) === clock)?.value;
          return value?.toFixed(at === 0 ? 2 : 5);
        });
        expect([clock, ...shown]).toEqual([clock, ...expected.map(String)]);
      }),
    TEST_MS,
  );

  test(
    'values of the forming bar stay live, from the stream of bars',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const frames: string[] = [];
        page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => frames.push(String(payload))));
        await page.goto('/markets/EURUSD/1m');
        await add(page, 'rsi', 'Relative strength index');
        const value = paneOf(page, 'RSI 14').locator('.pane-value');
        await value.filter({ hasText: /\d/ }).waitFor();
        while (!frames.some((frame) => frame.includes('"rsi(14)"'))) await Bun.sleep(20);
        await page.evaluate(
          (selector) =>
            new Promise<void>((resolve) => {
              const texts = new Set<string>();
              const look = () => {
                texts.add(document.querySelector(selector)?.textContent ?? '');
                if (texts.size > 3) resolve();
                else requestAnimationFrame(look);
              };
              look();
            }),
          '.pane-value',
        );
      }),
    TEST_MS,
  );

  test(
    'an indicator is edited within its limits, undone, kept over a reload and removed',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/XAUUSD/5m');
        await legendOf(page, 'SMA 20').waitFor();
        await chartOf(page).getByRole('button', { name: 'Indicators', exact: true }).click();
        await panelOf(page).getByLabel('Search indicators').fill('macd');
        await panelOf(page)
          .getByRole('button', { name: /^Add Moving average convergence/ })
          .click();
        await panelOf(page).getByRole('button', { name: 'Edit MACD 12 26 9' }).click();
        await panelOf(page).getByLabel('Fast').fill('0');
        await panelOf(page).getByRole('button', { name: 'Apply' }).click();
        await panelOf(page).getByText('Must be a whole number between 1 and 1000.').waitFor();
        await panelOf(page).getByLabel('Fast').fill('5');
        await panelOf(page).getByLabel('signal', { exact: true }).fill('#ff8800');
        await panelOf(page).getByRole('button', { name: 'Apply' }).click();
        await paneOf(page, 'MACD 5 26 9').getByText(/\d/).first().waitFor();
        await panelOf(page).getByRole('button', { name: 'Undo' }).click();
        await paneOf(page, 'MACD 12 26 9').waitFor();
        expect(await paneOf(page, 'MACD 5 26 9').count()).toBe(0);

        await panelOf(page).getByRole('button', { name: 'Hide SMA 50' }).click();
        await paneOf(page, 'SMA 50').getByRole('button', { name: 'Show SMA 50' }).waitFor();
        expect(await legendOf(page, 'SMA 50').count()).toBe(0);
        await page.reload();
        await paneOf(page, 'MACD 12 26 9').getByText(/\d/).first().waitFor();
        await legendOf(page, 'SMA 20').waitFor();
        expect(await paneOf(page, 'SMA 50').getByRole('button', { name: 'Show SMA 50' }).isVisible()).toBe(true);

        await paneOf(page, 'MACD 12 26 9').getByRole('button', { name: 'Remove MACD 12 26 9' }).click();
        await paneOf(page, 'MACD 12 26 9').waitFor({ state: 'detached' });
        await page.reload();
        await legendOf(page, 'SMA 20').waitFor();
        expect(await paneOf(page, 'MACD 12 26 9').count()).toBe(0);
      }),
    TEST_MS,
  );

  test(
    'a right click in the pane of the RSI sets an alert on it',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await legendOf(page, 'SMA 20').waitFor();
        await add(page, 'rsi', 'Relative strength index');
        const pane = paneOf(page, 'RSI 14');
        await pane.getByText(/^\d+\.\d\d$/).waitFor();
        await page.keyboard.press('Escape');
        const box = (await pane.boundingBox())!;
        await page.mouse.click(box.x + 200, box.y + 40, { button: 'right' });
        const item = page.getByRole('menuitem', { name: /^Alert when RSI 14 crosses \d/ });
        const level = /crosses ([\d.]+)…/.exec((await item.textContent()) ?? '')?.[1] ?? '';
        await item.click();
        const ticket = page.getByRole('region', { name: 'Alert on EURUSD' });
        await ticket.getByText('Add a condition').waitFor();
        expect(page.url()).toEndWith('/markets/EURUSD/5m');
        expect(await ticket.getByLabel('Indicator', { exact: true }).inputValue()).toBe('rsi(14)');
        expect(await ticket.getByLabel('Value or indicator').inputValue()).toBe(level);
        expect(await ticket.getByLabel('Bars').inputValue()).toBe('5m');
        // The value is a line in the pane, which can be dragged.
        const isOver = page.locator('.chart-surface[data-ticket="line"]');
        const now = (await pane.boundingBox())!;
        let y = now.y;
        for (; (await isOver.count()) === 0; y += 2) {
          expect(y).toBeLessThan(now.y + 200);
          await page.mouse.move(now.x + 150, y);
        }
        await page.mouse.down();
        await page.mouse.move(now.x + 150, y + 12, { steps: 4 });
        await page.mouse.up();
        const dragged = await ticket.getByLabel('Value or indicator').inputValue();
        expect(Number(dragged)).toBeLessThan(Number(level));
        await ticket.getByRole('button', { name: 'Create alert' }).click();
        await page.getByRole('contentinfo').getByText('Alert set').waitFor();
        await page.goto('/alerts');
        await page.getByRole('row', { name: new RegExp(`rsi\\(14\\) on 5m bars crosses ${dragged}`) }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'on a percent scale an average is drawn at its own prices, not beside the candles',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await recordDrawnLines(page);
        await page.goto('/markets/EURUSD/1h');
        await legendOf(page, 'SMA 20').waitFor();
        for (const [button, option] of [
          ['Chart type', 'Line'],
          ['Scale: Lin', 'Percent'],
        ] as const) {
          await (await toolOf(chartOf(page), button)).click();
          await page.getByRole('menuitemradio', { name: option }).click();
        }
        const surface = (await page.getByLabel('EURUSD, 1h bars').boundingBox())!;
        const numberOf = async (figure: Locator): Promise<number> =>
          Number(await figure.locator('.chart-legend-value, .pane-value').textContent());
        const bars: { readonly x: number; readonly close: number; readonly average: number }[] = [];
        for (const share of [0.1, 0.3, 0.5, 0.7]) {
          const x = Math.round(surface.width * share);
          const before = await chartOf(page).locator('.chart-legend-time').textContent();
          await page.mouse.move(surface.x + x, surface.y + 200);
          await chartOf(page)
            .locator('.chart-legend-time')
            .filter({ hasNotText: before ?? '' })
            .waitFor();
          const close = await numberOf(chartOf(page).locator('.chart-legend-figure[data-of="C"]'));
          bars.push({ x, close, average: await numberOf(legendOf(page, 'SMA 20')) });
        }
        // The closes are a series of the library, so their heights tell where a price belongs.
        const lines = await drawnLines(page);
        const colors = await page.evaluate(() => {
          const style = getComputedStyle(document.documentElement);
          return ['--accent', '--notice'].map((name) => style.getPropertyValue(name).trim());
        });
        const [closes, averages] = [
          lines.find(({ color, width }) => color === colors[0] && width === 2)!,
          lines.find(({ color, width }) => color === colors[1] && width === 1)!,
        ];
        const heightAt = ({ points }: DrawnLine, x: number): number =>
          points.reduce((best, point) => (Math.abs(point[0] - x) < Math.abs(best[0] - x) ? point : best))[1];
        const [lowest, ...others] = bars.toSorted((one, other) => one.close - other.close);
        const highest = others.at(-1)!;
        const [bottom, top] = [heightAt(closes, lowest!.x), heightAt(closes, highest.x)];
        const heightOf = (price: number): number =>
          bottom + ((price - lowest!.close) / (highest.close - lowest!.close)) * (top - bottom);
        for (const { x, average } of bars) expect(Math.abs(heightAt(averages, x) - heightOf(average))).toBeLessThan(2);
      }),
    TEST_MS,
  );

  test(
    'on a phone the panel fits the screen',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, hasTouch: true, isMobile: true }, async (page) => {
        await page.goto('/markets/BTCUSD/5m');
        await add(page, 'stoch', 'Stochastic oscillator');
        await paneOf(page, 'Stochastic 14 3 3').waitFor();
        const box = (await panelOf(page).boundingBox())!;
        expect([box.x >= 0, box.x + box.width <= PHONE.width]).toEqual([true, true]);
      }),
    TEST_MS,
  );
});
