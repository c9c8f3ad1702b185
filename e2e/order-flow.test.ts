// Order flow: the anchor of the cumulative delta, footprints, volume profiles and the tape.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser, TIMEOUT_MS } from './browser.fixture.ts';
import { PushedPrices, toolOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const chartOf = (page: Page): Locator => page.getByRole('region', { name: 'Chart' });
const settingsOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Order flow' });
const tapeOf = (page: Page): Locator => page.getByRole('list', { name: /^Tape/ });
const legendOf = (page: Page, name: string): Locator =>
  chartOf(page).locator(`.chart-legend-figure[data-of="${name}"] .chart-legend-value`);

async function openSettings(page: Page): Promise<Locator> {
  await (await toolOf(chartOf(page), 'Order flow')).click();
  await settingsOf(page).waitFor();
  return settingsOf(page);
}

/** A figure of the bar that was announced. */
async function announced(page: Page, what: RegExp): Promise<string> {
  const region = chartOf(page).locator('[aria-live="polite"]');
  await region.filter({ hasText: what }).waitFor({ state: 'attached' });
  return what.exec((await region.textContent()) ?? '')?.[1] ?? '';
}

/** Start of the range of a request, in ISO 8601 however it was written. */
const fromOf = ({ searchParams }: URL): string => {
  const from = searchParams.get('from') ?? '';
  return /^\d+$/.test(from) ? new Date(Number(from)).toISOString() : from;
};

/** The point of a bar, by its distance from the right edge of the prices. */
async function placeOf(page: Page, fromRight: number): Promise<{ x: number; y: number }> {
  const { x, y, width } = (await page.locator('.chart-surface').boundingBox())!;
  return { x: x + width - fromRight, y: y + 200 };
}

describeInBrowser('order flow in the chart', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '50', news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'on daily bars, the cumulative delta is the sum of the visible range, not the delta of the bar',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/1d');
        await legendOf(page, 'Σ Δ').filter({ hasText: /\d/ }).waitFor();
        await page.locator('.chart-surface').focus();
        // Many bars back, the sum is that of the bars since the left edge.
        for (let back = 0; back < 4; back++) await page.keyboard.press('ArrowLeft');
        const sum = await announced(page, /cumulative delta ([−+]?[\d.]+k?)/);
        const delta = await announced(page, /; delta ([−+]?[\d.]+k?)/);
        expect(sum).not.toBe(delta);

        // A chosen bar is stored, and the first one that counts: its sum is its delta.
        const place = await placeOf(page, 300);
        await page.mouse.click(place.x, place.y, { button: 'right' });
        await page.getByRole('menuitem', { name: 'Start the cumulative delta here' }).click();
        await page.mouse.move(place.x, place.y + 2);
        await page.waitForFunction(() => {
          const read = (of: string) => document.querySelector(`[data-of="${of}"] .chart-legend-value`)?.textContent;
          return read('Δ') === read('Σ Δ');
        });
        await page.mouse.move(place.x - 40, place.y);
        await legendOf(page, 'Σ Δ').filter({ hasText: '–' }).waitFor();

        await page.reload();
        await legendOf(page, 'Σ Δ').filter({ hasText: /\d/ }).waitFor();
        const settings = await openSettings(page);
        expect(await settings.getByLabel('Cumulative delta starts').inputValue()).toBe('bar');
        // A day would be the delta itself.
        expect(await settings.getByRole('option', { name: /^Each day/ }).isDisabled()).toBe(true);
      }),
    TEST_MS,
  );

  test(
    'the sum of the week includes the hours before the first loaded bar',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/BTCUSD/1m');
        await legendOf(page, 'Σ Δ').filter({ hasText: /\d/ }).waitFor();
        const settings = await openSettings(page);
        const hours = page.waitForResponse((response) => response.url().includes('/api/bars/BTCUSD'));
        await settings.getByLabel('Cumulative delta starts').selectOption('week');
        expect((await hours).status()).toBe(200);
        await page.keyboard.press('Escape');
        expect(await settingsOf(page).count()).toBe(0);
        await legendOf(page, 'Σ Δ').filter({ hasText: /\d/ }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'footprints zoom in, show the point of control and explain a cell in words, and follow the stream',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const frames: string[] = [];
        page.on('websocket', (socket) =>
          socket.on('framereceived', ({ payload }) => {
            if (String(payload).includes('"footprint"')) frames.push(String(payload));
          }),
        );
        await page.goto('/markets/BTCUSD/5m');
        await legendOf(page, 'Σ Δ').filter({ hasText: /\d/ }).waitFor();
        expect(await legendOf(page, 'POC').count()).toBe(0);
        const settings = await openSettings(page);
        const loaded = page.waitForResponse((response) => response.url().includes('/api/footprint/BTCUSD'));
        await settings.getByLabel('Sold × bought at each price').check();
        expect((await loaded).status()).toBe(200);
        await page.keyboard.press('Escape');
        await legendOf(page, 'POC')
          .filter({ hasText: /^\d+\.\d/ })
          .waitFor();
        await legendOf(page, 'Imbalances').filter({ hasText: /buy/ }).waitFor();
        // Some cell lies under one of these places.
        const tip = chartOf(page).locator('.flow-tip');
        const { x, y, height } = (await page.locator('.chart-surface').boundingBox())!;
        for (let at = 0; at < 40 && !(await tip.isVisible()); at++)
          await page.mouse.move(x + 330 + (at % 2), y + 70 + (at * (height * 0.5)) / 40);
        expect(await tip.textContent()).toMatch(/^\d+\.\d+: [\d.k]+ sold × [\d.k]+ bought\./);
        const deadline = performance.now() + TIMEOUT_MS;
        while (!frames.some((frame) => frame.includes('"levels"')) && performance.now() < deadline) await Bun.sleep(50);
        expect(frames.some((frame) => frame.includes('"levels"'))).toBe(true);

        // Without boxes and text there is nothing to explain, and no request.
        await page.mouse.move(x + 330, y + 200);
        for (let times = 0; times < 40; times++) await page.mouse.wheel(0, 300);
        await page.waitForFunction(() => {
          const poc = document.querySelector<HTMLElement>('[data-of="POC"]');
          return poc?.hidden === true;
        });
      }),
    TEST_MS,
  );

  test(
    'a volume profile of the visible range, the day, or a range of two clicks says where the volume is',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/BTCUSD/5m');
        await legendOf(page, 'Σ Δ').filter({ hasText: /\d/ }).waitFor();
        const asked: URL[] = [];
        page.on('request', (request) => {
          if (request.url().includes('/api/profile/')) asked.push(new URL(request.url()));
        });
        const choose = async (range: string): Promise<void> => {
          const settings = await openSettings(page);
          await settings.getByLabel('Range').selectOption(range);
          // Escape would end the choice of a range, too, for which the settings close by themselves.
          if (range !== 'fixed') await page.keyboard.press('Escape');
        };
        const loaded = (): Promise<unknown> =>
          page.waitForResponse((response) => response.url().includes('/api/profile/') && response.ok());
        let response = loaded();
        await choose('view');
        await response;
        response = loaded();
        await choose('day');
        await response;
        expect(Date.parse(fromOf(asked.at(-1)!)) % 86_400_000).toBe(0);
        const settings = await openSettings(page);
        await settings.getByText(/^POC \d+\.\d+, value area \d+\.\d+ to \d+\.\d+, volume/).waitFor();
        await page.keyboard.press('Escape');

        await choose('fixed');
        await chartOf(page).getByText('Click the bar where the volume profile starts').first().waitFor();
        const [first, second] = [await placeOf(page, 400), await placeOf(page, 250)];
        await page.mouse.click(first.x, first.y);
        await chartOf(page).getByText('Click the bar where it ends').first().waitFor();
        response = loaded();
        await page.mouse.click(second.x, second.y);
        await response;
        const { searchParams } = asked.at(-1)!;
        expect(searchParams.get('to')).not.toBeNull();

        // From the menu, a range goes on to the newest bar.
        response = loaded();
        await page.mouse.click(first.x, first.y, { button: 'right' });
        await page.getByRole('menuitem', { name: 'Volume profile from here' }).click();
        await response;
        expect(asked.at(-1)!.searchParams.get('to')).toBeNull();
        // A view that moves costs few requests.
        const before = asked.length;
        await choose('view');
        for (let times = 0; times < 20; times++) await page.mouse.wheel(0, 100);
        expect(asked.length - before).toBeLessThanOrEqual(4);
      }),
    TEST_MS,
  );
});

describeInBrowser('the tape', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  let market: PushedPrices;
  beforeAll(async () => {
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none' });
    owner = await service.owner();
    market = await PushedPrices.by(owner, service.url);
    await market.quote('EURUSD', 1.084, 1.0841);
    await market.quote('BTCUSD', 62_400, 62_410);
    for (let at = 1; at <= 60; at++) await market.trade('BTCUSD', 62_400 + (at % 10), at === 30 ? 9 : 1);
  }, TEST_MS);
  afterAll(() => service.stop());

  // Rows below the edge of the list are hidden while nobody reads it.
  const rows = (page: Page): Promise<string[]> => tapeOf(page).locator('.tape-size').allTextContents();
  const hasRow = (page: Page, at: number): Promise<void> =>
    tapeOf(page).locator('.tape-row').nth(at).waitFor({ state: 'attached' });

  test(
    'is filled on every switch, without gaps or doubles, and can be filtered by size',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/BTCUSD/1m');
        await hasRow(page, 59);
        expect((await rows(page)).length).toBe(60);
        // One of them is large.
        expect(await tapeOf(page).locator('[data-large] .tape-size').allTextContents()).toEqual(['9.0']);

        for (let at = 61; at <= 70; at++) await market.trade('BTCUSD', 62_400, 2);
        await hasRow(page, 69);
        expect((await rows(page)).slice(0, 11)).toEqual([...Array<string>(10).fill('2.0'), '1.0']);

        await page.getByLabel('Smallest size shown').fill('2');
        await page.waitForFunction(() => document.querySelectorAll('.tape-row').length === 11);
        await market.trade('BTCUSD', 62_400, 1);
        await market.trade('BTCUSD', 62_401, 3);
        await hasRow(page, 11);
        expect((await rows(page))[0]).toBe('3.0');
        await page.getByLabel('Highlight trades from this size on').fill('3');
        await page.waitForFunction(() => document.querySelectorAll('.tape-row[data-large]').length === 2);

        // Another instrument and back: everything is there at once, with the filter.
        await page.goto('/markets/EURUSD/1m');
        await page.getByText('No trades of EURUSD are recorded').waitFor();
        await page.goto('/markets/BTCUSD/1m');
        await hasRow(page, 11);
        expect(await page.getByLabel('Smallest size shown').inputValue()).toBe('2');
        await page.getByLabel('Smallest size shown').fill('');
        await hasRow(page, 71);
        expect((await rows(page)).length).toBe(72);
      }),
    TEST_MS,
  );

  test(
    'stands still under the pointer and by a button, and catches up afterwards',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/BTCUSD/1m');
        await hasRow(page, 59);
        const before = (await rows(page)).length;
        const tape = page.getByRole('group', { name: 'Tape' });
        await tapeOf(page).getByRole('listitem').nth(59).waitFor({ state: 'hidden' });
        await tapeOf(page).hover();
        await tapeOf(page).getByRole('listitem').nth(59).waitFor();
        await market.trade('BTCUSD', 62_405, 4);
        await tape.getByRole('button', { name: 'Paused, 1 new' }).waitFor();
        expect((await rows(page)).length).toBe(before);
        await page.mouse.move(5, 5);
        await hasRow(page, before);
        expect((await rows(page))[0]).toBe('4.0');

        await tape.getByRole('button', { name: 'Pause' }).focus();
        await page.keyboard.press('Enter');
        await market.trade('BTCUSD', 62_405, 5);
        await tape.getByRole('button', { name: 'Paused, 1 new', pressed: true }).waitFor();
        await tapeOf(page).getByRole('listitem').nth(59).waitFor();
        expect((await rows(page))[0]).toBe('4.0');
        await page.keyboard.press('Enter');
        await page.waitForFunction(() => document.querySelector('.tape-row .tape-size')?.textContent === '5.0');
      }),
    TEST_MS,
  );

  test(
    'says why an instrument with quotes only has no order flow, on a phone, too',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, hasTouch: true, isMobile: true }, async (page) => {
        await page.goto('/markets/EURUSD/1m');
        await page.getByRole('group', { name: 'Below the chart' }).getByRole('button', { name: 'Order flow' }).click();
        await page.getByText('No trades of EURUSD are recorded').waitFor();
        const settings = await openSettings(page);
        await settings.getByText('No order flow: the source of this instrument has no trades').waitFor();
      }),
    TEST_MS,
  );
});
