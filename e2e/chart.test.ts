// The chart: signals do not hide the market, the live price is always on the axis, and the view stays as the user wants it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser, TIMEOUT_MS } from './browser.fixture.ts';
import { type DrawnText, drawnText, recordDrawnText } from './drawn-text.fixture.ts';
import { rowOf, toolOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const BAR_SPACING = 8;
const RIGHT_OFFSET = 6;
const chartOf = (page: Page): Locator => page.getByRole('region', { name: 'Chart' });
const buttonOf = (page: Page, name: string): Locator => chartOf(page).getByRole('button', { name, exact: true });
const timeOf = (page: Page): Locator => chartOf(page).locator('.chart-legend-time');
/** The pane of the candles. */
const paneOf = async (page: Page) => (await chartOf(page).locator('.chart-surface canvas').first().boundingBox())!;

/** Opens a chart and waits until its bars are drawn. */
async function openChart(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await timeOf(page).filter({ visible: true }).waitFor();
}

/** Waits until what is written on the canvases satisfies a condition. */
async function waitForText(
  page: Page,
  wanted: (texts: readonly DrawnText[]) => boolean,
): Promise<readonly DrawnText[]> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const texts = await drawnText(page);
    if (wanted(texts)) return texts;
    if (performance.now() > deadline) throw new Error(`drawn: ${JSON.stringify(texts.map(({ text }) => text))}`);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** Start of the bar at a place of the pane, 0 to 1 from its left edge; read as a user does, with the pointer. */
async function barAt(page: Page, share: number): Promise<number> {
  const { x, y, width, height } = await paneOf(page);
  await page.mouse.move(x + width * share, y + height / 2);
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 100)));
  return Date.parse(`${await timeOf(page).innerText()} ${new Date().getFullYear()} UTC`);
}

async function zoomOut(page: Page, times: number): Promise<void> {
  const { x, y, width, height } = await paneOf(page);
  await page.mouse.move(x + width / 2, y + height / 2);
  for (let count = 0; count < times; count++) {
    await page.mouse.wheel(0, 400);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** Makes the price axis show nearly four times its range, so that levels beyond the highest and lowest bars are in view. */
async function widenPriceRange(page: Page): Promise<void> {
  const { x, y, width, height } = await paneOf(page);
  const axis = x + width + 30;
  await page.mouse.move(axis, y + height * 0.1);
  await page.mouse.down();
  await page.mouse.move(axis, y + height * 0.9, { steps: 5 });
  await page.mouse.up();
}

describeInBrowser('the chart', () => {
  const browser = new TestBrowser();
  const visitor = { timezoneId: 'UTC' };
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
    const { ask, bid } = await owner.read<{ ask: number; bid: number }>('/api/market/EURUSD/quote');
    const guests = [await service.guest(owner, 'Gina Guest'), await service.guest(owner, 'Henry Guest')];
    const publish = (by: Person, direction: 'buy' | 'sell', from: number, risk: number): Promise<unknown> => {
      const at = (factor: number): number => Number((from * factor).toFixed(5));
      const [stop_loss, take_profit] =
        direction === 'buy' ? [at(1 - risk), at(1 + risk)] : [at(1 + risk), at(1 - risk)];
      const signal = { symbol: 'EURUSD', direction, entry: from, stop_loss, take_profit };
      return by.must(201, by.post('/api/signals', signal));
    };
    await publish(owner, 'buy', ask, 0.003);
    await publish(guests[0]!, 'sell', bid, 0.004);
    await publish(guests[1]!, 'sell', bid, 0.005);
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'draws your own signal in full and others as markers, and writes nothing over the last 20 bars',
    () =>
      browser.visit(service.url, { as: owner, ...visitor }, async (page) => {
        await recordDrawnText(page);
        await openChart(page, '/markets/EURUSD/1h');
        await waitForText(page, (texts) => texts.some(({ text }) => text === '▲ Buy · Olivia Owner'));
        // The market may be at its highest or lowest of the week.
        await widenPriceRange(page);
        const own = await waitForText(page, (texts) =>
          ['▲ Buy · Olivia Owner', 'Stop', 'Target'].every((name) => texts.some(({ text }) => text === name)),
        );
        const { x, width, y, height } = await paneOf(page);
        const newest = x + width - (20 + RIGHT_OFFSET) * BAR_SPACING;
        const inPane = own.filter((text) => text.left < x + width && text.y > y && text.y < y + height);
        // The names of trading sessions stand at the bottom, below the prices.
        const isSession = /^(?:Asia|London|New York)$/;
        expect(inPane.filter(({ right, text }) => right > newest && !isSession.test(text))).toEqual([]);
        // Levels that are close to each other have their names side by side.
        const names = inPane.filter(({ text }) => /Buy|Stop|Target/.test(text));
        for (const one of names)
          for (const other of names)
            if (one !== other && Math.abs(one.y - other.y) < 12)
              expect(one.right <= other.left || other.right <= one.left).toBe(true);

        // The guests sell at nearly the same price: one marker.
        const marker = chartOf(page).getByRole('button', { name: /Gina Guest: sell at/ });
        await marker.hover();
        await chartOf(page)
          .getByRole('tooltip')
          .getByText(/Henry Guest: sell at [\d.]+, stop [\d.]+, target/)
          .waitFor();
        await marker.click();
        const link = chartOf(page).getByRole('link', { name: 'Open signal' });
        await link.waitFor();
        const drawn = await waitForText(page, (texts) => texts.some(({ text }) => /▼ Sell · \w+ Guest/.test(text)));
        expect(drawn.map(({ text }) => text)).not.toContain('▲ Buy · Olivia Owner');

        const signals = (): Promise<Locator> => toolOf(chartOf(page), 'Signals');
        await (await signals()).click();
        await waitForText(page, (texts) => !texts.some(({ text }) => /Buy|Sell|Stop|Target/.test(text)));
        expect(await marker.count()).toBe(0);
        await page.reload();
        await timeOf(page).filter({ visible: true }).waitFor();
        expect(await (await signals()).getAttribute('aria-pressed')).toBe('false');
        await (await signals()).click();
        // The list of all signals is another way to select one.
        await (await toolOf(chartOf(page), 'List of signals')).click();
        await page
          .getByRole('dialog', { name: 'Signals' })
          .getByText(/Henry Guest/)
          .click();
        await link.click();
        await page.waitForURL(/\/signals\/.+/);
        await page.getByText('Henry Guest').first().waitFor();
      }),
    TEST_MS,
  );

  test(
    'shows the live price on the axis when it is scrolled back, and leads back to the newest bar',
    () =>
      browser.visit(service.url, { as: owner, ...visitor }, async (page) => {
        await recordDrawnText(page);
        await openChart(page, '/markets/BTCUSD/1m');
        const latest = buttonOf(page, 'Go to latest');
        expect(await latest.count()).toBe(0);
        const { x, y, width, height } = await paneOf(page);
        const drag = async (): Promise<void> => {
          await page.mouse.move(x + 20, y + height / 2);
          await page.mouse.down();
          await page.mouse.move(x + width - 20, y + height / 2, { steps: 4 });
          await page.mouse.up();
        };
        for (let count = 0; count < 3; count++) await drag();
        await latest.waitFor();
        // Away from the chart, the legend has the newest bar.
        await page.mouse.move(5, 5);
        const close = chartOf(page).locator('.chart-legend-figure[data-of="C"] .chart-legend-value');
        // Both are looked at in one frame: the price changes many times a second.
        const liveLabel = (): Promise<string> =>
          close.evaluate(
            (figure, edge) =>
              new Promise<string>((resolve) => {
                const look = (): void => {
                  const live = figure.textContent ?? '';
                  const texts = [...window.drawnTexts].flatMap(([canvas, all]) =>
                    canvas.getBoundingClientRect().left >= edge ? all : [],
                  );
                  if (texts.some(({ text }) => text.replace(/^[↑↓] /, '') === live)) resolve(live);
                  else requestAnimationFrame(look);
                };
                look();
              }),
            // The axis becomes wider with an arrow in its label.
            x + width / 2,
          );
        const before = await liveLabel();
        // It moves with the market.
        await waitForText(page, (texts) => !texts.some(({ text }) => text.endsWith(before)));
        expect(await liveLabel()).not.toBe(before);
        await latest.click();
        await latest.waitFor({ state: 'hidden' });
      }),
    TEST_MS,
  );

  test(
    'keeps the zoom when the interval changes, and never leaves a third of the pane empty',
    () =>
      browser.visit(service.url, { as: owner, ...visitor }, async (page) => {
        const minute = 60_000;
        await openChart(page, '/markets/BTCUSD/5m');
        const barsBetween = async (interval: number): Promise<number> =>
          Math.round(((await barAt(page, 0.8)) - (await barAt(page, 0.2))) / interval);
        const usual = await barsBetween(5 * minute);
        await zoomOut(page, 4);
        const wide = await barsBetween(5 * minute);
        expect(wide).toBeGreaterThan(usual * 1.3);
        await buttonOf(page, '15m').click();
        await page.getByLabel('BTCUSD, 15m bars').waitFor();
        await timeOf(page).filter({ visible: true }).waitFor();
        expect(Math.abs((await barsBetween(15 * minute)) - wide)).toBeLessThanOrEqual(1);

        await buttonOf(page, '1m').click();
        await page.getByLabel('BTCUSD, 1m bars').waitFor();
        await timeOf(page).filter({ visible: true }).waitFor();
        await zoomOut(page, 60);
        // Bars fill the pane up to the right edge, and older ones are loaded on the left.
        const deadline = performance.now() + TIMEOUT_MS;
        const oldest = async (): Promise<number> => (Date.now() - (await barAt(page, 0.02))) / minute;
        while ((await oldest()) < 520 && performance.now() < deadline) await zoomOut(page, 5);
        expect(await oldest()).toBeGreaterThan(520);
        const [middle, right] = [await barAt(page, 0.67), await barAt(page, 0.97)];
        expect(right).toBeGreaterThan(middle);
        expect(Date.now() - right).toBeLessThan((right - middle) / 2);
      }),
    TEST_MS,
  );

  test(
    'on a phone the chart comes first, and a swipe on the header shows the next instrument',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, hasTouch: true, isMobile: true }, async (page) => {
        await openChart(page, '/markets/EURUSD/5m');
        const chart = (await chartOf(page).boundingBox())!;
        const list = (await rowOf(page, 'EURUSD').boundingBox())!;
        expect(chart.y + chart.height).toBeLessThanOrEqual(list.y);
        const swipe = async (from: number, to: number): Promise<void> => {
          const devtools = await page.context().newCDPSession(page);
          const { y, height } = (await page
            .getByRole('banner')
            .nth(1)
            .or(page.locator('header.head'))
            .last()
            .boundingBox())!;
          const at = (x: number) => ({ touchPoints: [{ x, y: y + height / 2 }] });
          await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
          await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(to) });
          await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
        };
        await swipe(300, 100);
        await page.waitForURL('**/markets/GBPUSD/5m');
        await page.getByRole('heading', { name: 'GBPUSD', level: 1 }).waitFor();
        await swipe(100, 300);
        await page.waitForURL('**/markets/EURUSD/5m');
      }),
    TEST_MS,
  );
});
