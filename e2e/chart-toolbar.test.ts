// The toolbar of the chart: intervals, chart types, scales, comparison, dates, files, and undo.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser, TIMEOUT_MS } from './browser.fixture.ts';
import { drawnText, recordDrawnText } from './drawn-text.fixture.ts';
import { lineOf, toolOf, waitForChange } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const DAY_MS = 86_400_000;
const chartOf = (page: Page): Locator => page.getByRole('region', { name: 'Chart' });
const buttonOf = (page: Page, name: string | RegExp): Locator =>
  chartOf(page).getByRole('button', { name, exact: typeof name === 'string' });
const tool = (page: Page, name: string | RegExp): Promise<Locator> => toolOf(chartOf(page), name);
const press = async (page: Page, name: string | RegExp): Promise<void> => (await tool(page, name)).click();
const figureOf = (page: Page, name: string): Locator =>
  chartOf(page).locator(`.chart-legend-figure[data-of="${name}"] .chart-legend-value`);
const timeOf = (page: Page): Locator => chartOf(page).locator('.chart-legend-time');

async function openChart(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await timeOf(page).filter({ visible: true }).waitFor();
}

async function choose(page: Page, panel: string | RegExp, option: string): Promise<void> {
  await press(page, panel);
  await page
    .getByRole('menu')
    .getByRole(/^Auto/.test(option) ? 'menuitemcheckbox' : 'menuitemradio', { name: option, exact: true })
    .click();
}

/** Runs in the page until it is true. */
async function until(page: Page, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('it never became true');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

interface DrawnCandles {
  readonly pixels: number;
  /** First and last row. */
  readonly rows: readonly [number, number];
}

/** Pixels of the pane of the prices that have exactly the colours of rising or falling candles. */
const drawnCandles = (page: Page): Promise<DrawnCandles> =>
  page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    const colors = ['--up', '--down'].map((name) => {
      const value = Number.parseInt(style.getPropertyValue(name).trim().slice(1), 16);
      return [value >> 16, (value >> 8) & 255, value & 255];
    });
    const canvas = document.querySelector<HTMLCanvasElement>('.chart-surface canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    const found: number[] = [];
    for (let at = 0; at < data.length; at += 4)
      if (colors.some(([r, g, b]) => data[at] === r && data[at + 1] === g && data[at + 2] === b)) found.push(at);
    const rowOf = (at: number | undefined): number => Math.floor((at ?? 0) / 4 / canvas.width);
    return { pixels: found.length, rows: [rowOf(found[0]), rowOf(found.at(-1))] as const };
  });
/** Once two frames in a row have drawn the same. */
async function settledCandles(page: Page): Promise<DrawnCandles> {
  let drawn = await drawnCandles(page);
  await until(page, async () => {
    const before = drawn;
    drawn = await drawnCandles(page);
    return drawn.pixels === before.pixels && String(drawn.rows) === String(before.rows);
  });
  return drawn;
}

const candlePixels = async (page: Page): Promise<number> => (await drawnCandles(page)).pixels;

const hasPercentAxis = async (page: Page): Promise<boolean> =>
  (await drawnText(page)).some(({ text }) => /^[−-]?\d+\.\d+%$/.test(text));

/** Prices with long wicks once a week: no average of Heikin Ashi is beyond them, so its candles reach as far as the bars. */
function zigzag<Bar extends { readonly time: string }>(bar: Bar): Bar {
  const day = Date.parse(bar.time) / DAY_MS;
  const [open, close] = day % 2 === 0 ? [1.048, 1.052] : [1.052, 1.048];
  const [low, high] = day % 7 === 0 ? [1, 1.1] : [1.046, 1.054];
  return { ...bar, open, high, low, close };
}

describeInBrowser('the toolbar of the chart', () => {
  const browser = new TestBrowser();
  const visitor = { timezoneId: 'UTC' };
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'shows bars of any interval, from the address, the menu or typed, and keeps favourites',
    () =>
      browser.visit(service.url, { as: owner, ...visitor }, async (page) => {
        await openChart(page, '/markets/BTCUSD/45m');
        await page.getByLabel('BTCUSD, 45m bars').waitFor();
        expect(await buttonOf(page, '45m').getAttribute('aria-pressed')).toBe('true');
        const minutes = async (): Promise<number> => {
          const [, hour, minute] = /(\d\d):(\d\d)$/.exec(await timeOf(page).innerText())!;
          return Number(hour) * 60 + Number(minute);
        };
        expect((await minutes()) % 45).toBe(0);
        // The forming bar is live, and agrees with the service.
        await waitForChange(figureOf(page, 'C'), await figureOf(page, 'C').innerText());
        const { items } = await owner.read<{ items: { open: number }[] }>('/api/bars/BTCUSD?interval=45m&limit=1');
        expect(Number(await figureOf(page, 'O').innerText())).toBe(items[0]!.open);

        await buttonOf(page, 'More intervals').click();
        const menu = page.getByRole('dialog', { name: 'Intervals' });
        await menu.waitFor();
        for (const interval of ['2m', '3m', '10m', '20m', '30m', '2h', '3h', '6h', '8h', '12h', '1w', '1M'])
          expect(await menu.getByRole('button', { name: interval, exact: true }).count()).toBe(1);
        await menu.getByLabel('Interval', { exact: true }).fill('2d');
        await page.keyboard.press('Enter');
        await menu.getByText('Minutes up to a day').waitFor();
        await menu.getByLabel('Interval', { exact: true }).fill('7m');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/markets/BTCUSD/7m');
        await timeOf(page).filter({ visible: true }).waitFor();
        expect((await minutes()) % 7).toBe(0);

        await buttonOf(page, 'More intervals').click();
        await menu.getByRole('button', { name: 'Favourite 2h' }).click();
        await page.keyboard.press('Escape');
        await page.reload();
        await buttonOf(page, '2h').click();
        await page.waitForURL('**/markets/BTCUSD/2h');
        await page.getByLabel('BTCUSD, 2h bars').waitFor();
      }),
    TEST_MS,
  );

  test(
    'draws every chart type and every scale, and takes them back with Ctrl+Z',
    () =>
      browser.visit(service.url, { as: owner, ...visitor }, async (page) => {
        await recordDrawnText(page);
        await openChart(page, '/markets/EURUSD/5m');
        await until(page, async () => (await candlePixels(page)) > 3_000);
        const solid = await candlePixels(page);
        await choose(page, 'Chart type', 'Line');
        // What is left is the line of the live price.
        await until(page, async () => (await candlePixels(page)) < 1_000);
        await choose(page, 'Chart type', 'Bars');
        await until(page, async () => (await candlePixels(page)) > 1_000);
        await choose(page, 'Chart type', 'Area');
        await until(page, async () => (await candlePixels(page)) < 1_000);
        await choose(page, 'Chart type', 'Heikin Ashi');
        await until(page, async () => (await candlePixels(page)) > 3_000);
        await choose(page, 'Chart type', 'Hollow candles');
        await until(page, async () => (await candlePixels(page)) < solid * 0.85);
        await page.reload();
        await press(page, 'Chart type');
        expect(await page.getByRole('menuitemradio', { name: 'Hollow candles' }).getAttribute('aria-checked')).toBe(
          'true',
        );
        await page.keyboard.press('Escape');

        expect(await (await tool(page, 'Undo')).isDisabled()).toBe(true);
        await choose(page, /^Scale/, 'Percent');
        await until(page, () => hasPercentAxis(page));
        await choose(page, /^Scale/, 'Logarithmic');
        await until(page, async () => !(await hasPercentAxis(page)));
        await (await tool(page, 'Scale: Log')).waitFor();
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+z');
        await (await tool(page, 'Scale: %')).waitFor();
        await page.keyboard.press('Escape');
        await until(page, () => hasPercentAxis(page));
        await press(page, 'Undo');
        await (await tool(page, 'Scale: Lin')).waitFor();
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+Shift+Z');
        await (await tool(page, 'Scale: %')).waitFor();
        await press(page, /^Scale/);
        const auto = page.getByRole('menuitemcheckbox', { name: /^Auto/ });
        expect(await auto.getAttribute('aria-checked')).toBe('true');
        await auto.click();
        await press(page, /^Scale/);
        expect(await auto.getAttribute('aria-checked')).toBe('false');
      }),
    TEST_MS,
  );

  test(
    'Heikin Ashi reaches as high and as low as candles in a scale of percent',
    () =>
      browser.visit(service.url, { as: owner, ...visitor }, async (page) => {
        await recordDrawnText(page);
        await page.route('**/api/market/EURUSD?*', async (route) => {
          const response = await route.fetch();
          const answer = (await response.json()) as { ohlcv: { time: string }[] };
          await route.fulfill({ response, json: { ...answer, ohlcv: answer.ohlcv.map(zigzag) } });
        });
        await openChart(page, '/markets/EURUSD/1d');
        await choose(page, /^Scale/, 'Percent');
        await until(page, () => hasPercentAxis(page));
        const surface = chartOf(page).locator('.chart-surface');
        await surface.focus();
        for (let at = 0; at < 4; at++) await page.keyboard.press('+');
        const { x, y, width, height } = (await surface.boundingBox())!;
        for (let step = 0; step < 4; step++) {
          // Away from the newest bar, which moves, and to another first bar, which is the base.
          await page.mouse.move(x + width * 0.3, y + height * 0.5);
          await page.mouse.down();
          await page.mouse.move(x + width * (step === 0 ? 0.9 : 0.4), y + height * 0.5, { steps: 4 });
          await page.mouse.up();
          await page.mouse.move(5, 5);
          const before = step === 0 ? 0 : (await settledCandles(page)).pixels;
          if (step > 0) await choose(page, 'Chart type', 'Candles');
          await until(page, async () => (await candlePixels(page)) !== before);
          const candles = await settledCandles(page);
          await choose(page, 'Chart type', 'Heikin Ashi');
          await until(page, async () => (await candlePixels(page)) !== candles.pixels);
          const { rows } = await settledCandles(page);
          expect(Math.abs(rows[0] - candles.rows[0])).toBeLessThanOrEqual(2);
          expect(Math.abs(rows[1] - candles.rows[1])).toBeLessThanOrEqual(2);
        }
      }),
    TEST_MS,
  );

  test(
    'the bars are below the figures and the lines of the legend, on every size of the chart',
    () =>
      browser.visit(service.url, { as: owner, ...visitor, viewport: { width: 1280, height: 720 } }, async (page) => {
        await openChart(page, '/markets/EURUSD/5m');
        const bottom = (): Promise<number> =>
          chartOf(page)
            .locator('.chart-legend-lines')
            .evaluate((lines) => {
              const stage = lines.closest('.chart-stage')!.getBoundingClientRect();
              return lines.getBoundingClientRect().bottom - stage.top;
            });
        await figureOf(page, 'Δ').filter({ visible: true }).waitFor();
        for (const width of [1280, 1100, 1440]) {
          await page.setViewportSize({ width, height: 720 });
          await until(page, async () => (await drawnCandles(page)).rows[0] >= (await bottom()));
          expect(await candlePixels(page)).toBeGreaterThan(1_000);
        }
      }),
    TEST_MS,
  );

  test(
    'compares instruments in percent, goes to a date and creates an alert',
    () =>
      browser.visit(service.url, { as: owner, ...visitor }, async (page) => {
        await recordDrawnText(page);
        await openChart(page, '/markets/BTCUSD/15m');
        await press(page, 'Compare');
        const panel = page.getByRole('dialog', { name: 'Compare' });
        await panel.getByLabel('Instrument').fill('eth');
        await panel.getByRole('button', { name: 'Compare with ETHUSD' }).click();
        const line = lineOf(chartOf(page), 'ETHUSD');
        await line.getByText(/^[+−]?\d+\.\d+%$/).waitFor();
        await until(page, () => hasPercentAxis(page));
        await page.keyboard.press('Escape');
        await line.getByRole('button', { name: 'Remove ETHUSD' }).click();
        await until(page, async () => !(await hasPercentAxis(page)));
        await line.waitFor({ state: 'detached' });

        // 500 bars of 15 minutes are five days.
        const wanted = new Date(Date.now() - 8 * DAY_MS).toISOString().slice(0, 13);
        await press(page, 'Go to date');
        const date = page.getByRole('dialog', { name: 'Go to date' });
        await date.getByLabel('Date and time, UTC').fill(`${wanted}:00`);
        await date.getByRole('button', { name: 'Go', exact: true }).click();
        await date.waitFor({ state: 'detached' });
        await buttonOf(page, 'Go to latest').waitFor();
        const { x, y, width, height } = (await chartOf(page).locator('.chart-surface canvas').first().boundingBox())!;
        await page.mouse.move(x + width / 2, y + height / 2);
        const year = new Date().getFullYear();
        const seen = async (): Promise<number> => Date.parse(`${await timeOf(page).innerText()} ${year} UTC`);
        await until(page, async () => Math.abs((await seen()) - Date.parse(`${wanted}:00Z`)) < 3_600_000);
        await buttonOf(page, '1d').click();
        await page.waitForURL('**/markets/BTCUSD/1d');
        await timeOf(page).filter({ visible: true }).waitFor();
        await press(page, 'Go to date');
        await date.getByLabel('Date and time, UTC').fill('1990-01-01T00:00');
        await date.getByRole('button', { name: 'Go', exact: true }).click();
        await date.getByText(/does not reach back/).waitFor();
        await page.keyboard.press('Escape');

        await page.mouse.move(5, 5);
        await press(page, 'Alert');
        const level = page.getByRole('region', { name: 'Alert on BTCUSD' }).getByLabel('Level');
        await level.waitFor();
        const { bid } = await owner.read<{ bid: number }>('/api/market/BTCUSD/quote');
        expect(Math.abs(Number(await level.inputValue()) / bid - 1)).toBeLessThan(0.01);
      }),
    TEST_MS,
  );

  test(
    'saves an image and the bars, hides news and events, and fills the screen',
    () =>
      browser.visit(service.url, { as: owner, ...visitor }, async (page) => {
        await openChart(page, '/markets/EURUSD/1h');
        const download = async (option: string): Promise<{ name: string; content: Buffer }> => {
          const waiting = page.waitForEvent('download');
          await choose(page, 'Save image or CSV', option);
          const file = await waiting;
          return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
        };
        const image = await download('Image (PNG)');
        expect([image.name, image.content.subarray(1, 4).toString()]).toEqual(['EURUSD-1h.png', 'PNG']);
        const pane = (await chartOf(page).locator('.chart-surface').boundingBox())!;
        // Width and height, with 32 and 18 pixels for the two lines of the heading.
        expect(Math.abs(image.content.readUInt32BE(16) - pane.width)).toBeLessThanOrEqual(2);
        expect(Math.abs(image.content.readUInt32BE(20) - pane.height - 50)).toBeLessThanOrEqual(2);

        const csv = await download('Loaded bars (CSV)');
        expect(csv.name).toBe('EURUSD-1h.csv');
        const [head, ...rows] = csv.content.toString().trimEnd().split('\r\n');
        expect(head).toBe('time,open,high,low,close,volume,buy_volume,sell_volume');
        expect(rows.length).toBeGreaterThan(100);
        interface Bar {
          readonly time: string;
          readonly open: number;
          readonly high: number;
          readonly low: number;
          readonly close: number;
        }
        const { ohlcv } = await owner.read<{ ohlcv: readonly Bar[] }>('/api/market/EURUSD?timeframe=1h&bars=5');
        for (const { time, open, high, low, close } of ohlcv.slice(0, 3)) {
          const [, ...cells] = rows.find((row) => row.startsWith(time))!.split(',');
          expect(cells.slice(0, 4).map(Number)).toEqual([open, high, low, close]);
        }

        for (const name of ['News', 'Calendar']) {
          expect(await (await tool(page, name)).getAttribute('aria-pressed')).toBe('true');
          await press(page, name);
        }
        await page.reload();
        await timeOf(page).filter({ visible: true }).waitFor();
        for (const name of ['News', 'Calendar'])
          expect(await (await tool(page, name)).getAttribute('aria-pressed')).toBe('false');
        await page.keyboard.press('Escape');

        await press(page, 'Fullscreen');
        await until(page, async () => {
          const box = (await chartOf(page).boundingBox())!;
          const [width, height] = await page.evaluate(() => [window.innerWidth, window.innerHeight]);
          return box.width === width && box.height === height;
        });
        // Panels lie above it.
        await choose(page, 'Chart type', 'Line');
        await press(page, 'Fullscreen');
        await until(page, async () => (await chartOf(page).boundingBox())!.y > 0);
      }),
    TEST_MS,
  );
});
