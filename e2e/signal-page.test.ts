// The page of one signal: its chart has enough bars for the trade, and its labels never overlap.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type DrawnText, drawnText, recordDrawnText } from './drawn-text.fixture.ts';
import { PushedPrices } from './market.fixture.ts';
import { overlapsOf } from './overlap.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const isLevel = ({ text }: DrawnText): boolean => /^(Target( \d)?|Entry|Stop( now)?|Now) [\d.]+$/.test(text);
const levelsOf = async (page: Page): Promise<readonly DrawnText[]> => (await drawnText(page)).filter(isLevel);

/** Height of a label. Pixels. */
const LABEL = 14;

/** Pairs of labels that overlap, and labels that are cut off. */
async function overlaps(page: Page): Promise<readonly string[]> {
  const [labels, frame] = [await levelsOf(page), (await page.locator('.signal-picture .chart-surface').boundingBox())!];
  const found = labels.flatMap((one, index) => [
    ...(one.left < frame.x - 1 ||
    one.right > frame.x + frame.width + 1 ||
    one.y < frame.y ||
    one.y > frame.y + frame.height
      ? [`${one.text} is outside`]
      : []),
    ...labels
      .slice(index + 1)
      .filter((other) => Math.abs(one.y - other.y) < LABEL && one.left < other.right && other.left < one.right)
      .map((other) => `${one.text} overlaps ${other.text}`),
  ]);
  return [...found, ...(await overlapsOf(page))];
}

describeInBrowser('the page of a signal', () => {
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

  const publish = async (body: object): Promise<string> =>
    (await owner.must<{ id: string }>(201, owner.post('/api/signals', body))).id;

  test(
    'has labels that do not overlap, with five targets and levels close to each other, at any width',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await recordDrawnText(page);
        await market.quote('XAUUSD', 2_400.11, 2_400.21);
        const targets = [2_400.41, 2_400.51, 2_400.61, 2_400.71, 2_440.81].map((price) => ({ price, fraction: 0.2 }));
        const id = await publish({
          ...{ symbol: 'XAUUSD', direction: 'buy', entry: 2_400.21, stop_loss: 2_399.91 },
          ...{ targets, breakeven_after: 1 },
        });
        await market.quote('XAUUSD', 2_400.11, 2_400.21);
        await market.quote('XAUUSD', 2_400.45, 2_400.55);
        for (const width of [1920, 1440, 1024, 768, PHONE.width, 320]) {
          await page.setViewportSize({ width, height: 844 });
          await page.goto(`/signals/${id}`);
          while (!(await levelsOf(page)).some(({ text }) => text === 'Now 2400.45')) await Bun.sleep(20);
          expect((await levelsOf(page)).map(({ text }) => text).sort()).toEqual([
            ...['Entry 2400.21', 'Now 2400.45', 'Stop 2399.91', 'Stop now 2400.21', 'Target 1 2400.41'],
            ...['Target 2 2400.51', 'Target 3 2400.61', 'Target 4 2400.71', 'Target 5 2440.81'],
          ]);
          expect([width, ...(await overlaps(page))]).toEqual([width]);
        }
      }),
    TEST_MS,
  );

  test(
    'shows a trade of seconds in bars of seconds, made of its quotes',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await recordDrawnText(page);
        await market.quote('EURUSD', 1.08401, 1.08411);
        const id = await publish({
          ...{ symbol: 'EURUSD', direction: 'buy', entry: 1.08411, stop_loss: 1.08211, take_profit: 1.08811 },
        });
        await market.quote('EURUSD', 1.08401, 1.08411);
        await market.quote('EURUSD', 1.08821, 1.08831);
        await page.goto(`/signals/${id}`);
        await page.getByText('Bars of 1 second show the bid.').waitFor();
        expect(await page.locator('.signal-picture .chart-veil').isHidden()).toBe(true);
        while ((await levelsOf(page)).length < 3) await Bun.sleep(20);
        expect(await overlaps(page)).toEqual([]);
        // The ratio counts from the fill.
        await page.getByText('2.00 : 1 from the fill').waitFor();
      }),
    TEST_MS,
  );

  test(
    'marks publication, fill, partial exit and closing, and names them at their bars',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('USDJPY', 150, 150.01);
        const id = await publish({
          ...{ symbol: 'USDJPY', direction: 'buy', entry: 150.01, stop_loss: 149.5 },
          targets: [150.5, 151].map((price) => ({ price, fraction: 0.5 })),
        });
        for (const bid of [150, 150.52, 151.02]) {
          await Bun.sleep(1_100);
          await market.quote('USDJPY', bid, bid + 0.01);
        }
        await page.goto(`/signals/${id}`);
        for (const mark of ['▲ published', '● filled', '◆ partial exit', '■ closed'])
          await page.locator('.chart-key').getByText(mark).waitFor();
        await page.locator('.signal-picture .chart-veil').waitFor({ state: 'hidden' });
        const chart = page.getByLabel('Prices of USDJPY around this buy, with its levels');
        await chart.focus();
        // Bar by bar, as the keyboard reads them.
        const named: string[] = [];
        await page.keyboard.press('Home');
        await page.locator('.chart-legend-figure').getByText('Published').waitFor();
        for (let bar = 0; bar < 8; bar++) {
          const figures = await page.locator('.chart-legend-figure').filter({ visible: true }).allInnerTexts();
          named.push(...figures.filter((text) => /^(Published|Filled|Target)/.test(text)));
          await page.keyboard.press('ArrowRight');
        }
        // Name and price are two elements.
        const texts = [...new Set(named)].map((text) => text.replace(/(?<=[a-z])(?=\d)/, ' '));
        expect(texts).toEqual(['Published', 'Filled 150.01', 'Target 1 hit 150.50', 'Target hit 151.00']);
      }),
    TEST_MS,
  );

  test(
    'has the labels of its progress under their marks, at any width',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('NZDUSD', 0.59, 0.5901);
        for (const take_profit of [0.5919, 0.5961]) {
          const id = await publish({
            ...{ symbol: 'NZDUSD', direction: 'buy', entry: 0.5901, stop_loss: 0.5881, take_profit },
          });
          for (const width of [1440, 768, PHONE.width]) {
            await page.setViewportSize({ width, height: 844 });
            await page.goto(`/signals/${id}`);
            const mark = (await page.locator('.standing .level-entry').boundingBox())!;
            const labels = await page.locator('.level-ends > span').all();
            const [stop, entry, target] = await Promise.all(labels.map(async (each) => (await each.boundingBox())!));
            expect(entry!.x).toBeLessThanOrEqual(mark.x);
            expect(entry!.x + entry!.width).toBeGreaterThanOrEqual(mark.x + mark.width);
            expect(stop!.x + stop!.width).toBeLessThanOrEqual(entry!.x);
            expect(entry!.x + entry!.width).toBeLessThanOrEqual(target!.x);
          }
        }
      }),
    TEST_MS,
  );

  test(
    'zooms by keys, shows all again, and leaves the wheel to the page',
    () =>
      browser.visit(service.url, { as: owner, viewport: { width: 1_024, height: 500 } }, async (page) => {
        await market.quote('AUDUSD', 0.65, 0.6501);
        const id = await publish({
          ...{ symbol: 'AUDUSD', direction: 'sell', entry: 0.65, stop_loss: 0.66, take_profit: 0.63 },
        });
        await page.goto(`/signals/${id}`);
        const chart = page.getByLabel('Prices of AUDUSD around this sell, with its levels');
        await page.locator('.chart-legend-time').filter({ visible: true }).waitFor();
        const all = page.getByRole('button', { name: 'Show all' });
        expect(await all.isVisible()).toBe(false);
        await chart.focus();
        await page.keyboard.press('+');
        await all.click();
        await all.waitFor({ state: 'hidden' });
        const top = async (): Promise<number> => (await chart.boundingBox())!.y;
        const before = await top();
        await chart.hover();
        await page.mouse.wheel(0, 120);
        while ((await top()) === before) await Bun.sleep(20);
        expect(await all.isVisible()).toBe(false);
      }),
    TEST_MS,
  );

  test(
    'asks for bars of which a longer trade has at least twenty',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('GBPUSD', 1.30001, 1.30011);
        const id = await publish({
          ...{ symbol: 'GBPUSD', direction: 'buy', entry: 1.30011, stop_loss: 1.29011, take_profit: 1.32011 },
        });
        await market.quote('GBPUSD', 1.30001, 1.30011);
        await page.goto(`/signals/${id}`);
        // The same signal as it would look after some time.
        for (const hours of [1, 20, 17.7 * 24, 29 * 24]) {
          await page.route(`**/api/signals/${id}`, async (route) => {
            const response = await route.fetch();
            const ago = new Date(Date.now() - hours * 3_600_000).toISOString();
            const body = { ...(await response.json()), timestamp: ago, filled_at: ago };
            await route.fulfill({ response, json: body });
          });
          const [request] = await Promise.all([page.waitForRequest('**/api/bars/GBPUSD?*'), page.reload()]);
          const [, count, unit] = /^(\d+)([mhd])$/.exec(new URL(request.url()).searchParams.get('interval')!)!;
          const barHours = Number(count) * { m: 1 / 60, h: 1, d: 24 }[unit as 'm' | 'h' | 'd'];
          expect([hours, hours / barHours >= 20, hours / barHours <= 180]).toEqual([hours, true, true]);
          await page.unrouteAll({ behavior: 'wait' });
        }
      }),
    TEST_MS,
  );
});
