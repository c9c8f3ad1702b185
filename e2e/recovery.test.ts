// The service is killed while pages are open and started again: the pages recover by themselves and miss nothing.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { MINUTE_MS } from '@tickwire/engine';
import type { Page } from 'playwright-core';
import { eventually } from '../packages/server/testing/process.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { rowOf, statusOf, waitForChange } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

/** Console errors of requests to a service that is down. */
const AWAY = [
  /ERR_CONNECTION_REFUSED/,
  /ERR_EMPTY_RESPONSE/,
  /ERR_CONNECTION_RESET/,
  /WebSocket connection/,
  /status of 503/,
];
/** A marker in the page that a reload would remove. */
const MARK = 'still the same document';

interface Bars {
  readonly ohlcv: readonly { readonly time: string }[];
}

describeInBrowser('a service that is killed', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '20', house: 'none', news: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  const mark = (page: Page) => page.evaluate((text) => Object.assign(window, { mark: text }), MARK);
  const unloaded = async (page: Page) => (await page.evaluate(() => (window as { mark?: string }).mark)) !== MARK;
  const reconnecting = (page: Page) =>
    statusOf(page)
      .getByText(/reconnecting/)
      .first()
      .waitFor();
  const live = (page: Page) => statusOf(page).getByText(/^live/).first().waitFor();

  test(
    'is noticed immediately; prices resume without a reload, and the chart has no missing minutes',
    () =>
      browser.visit(service.url, { as: owner }, async (page, visit) => {
        await page.goto('/markets/EURUSD/1m');
        await live(page);
        await mark(page);
        visit.expect(...AWAY);
        await service.kill();
        const killedAt = Date.now();
        await reconnecting(page);
        const bid = rowOf(page, 'EURUSD').getByRole('gridcell').first();
        const last = (await bid.textContent()) ?? '';
        // The chart requests the missing bars.
        const refilled = page.waitForResponse(
          (response) => response.url().includes('/api/market/EURUSD?timeframe=1m') && response.status() === 200,
        );
        await service.restart();
        const bars = ((await (await refilled).json()) as Bars).ohlcv.map(({ time }) => Date.parse(time));
        const holes = bars.slice(1).filter((time, at) => time - bars[at]! !== MINUTE_MS);
        expect(holes).toEqual([]);
        // From the minute of the kill to the current one.
        expect(bars[0]!).toBeLessThanOrEqual(killedAt);
        expect(Date.now() - bars.at(-1)!).toBeLessThan(2 * MINUTE_MS);
        await live(page);
        const moved = await waitForChange(bid, last);
        expect(moved).toMatch(/^\d\.\d{5}$/);
        expect(await unloaded(page)).toBe(false);
        expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
      }),
    TEST_MS,
  );

  test(
    'loses no signal: one that was published before an open page reconnected is in its list',
    () =>
      browser.visit(service.url, { as: owner }, async (page, visit) => {
        const key = await owner.key(['read', 'publish']);
        /** `null` while the service has no current quote, as right after a start. */
        const tryToPublish = async (): Promise<string | null> => {
          const quote = await fetch(`${service.url}/api/market/GBPUSD/quote`, { headers: { 'X-API-Key': key } });
          const { ask } = (await quote.json()) as { ask: number };
          const [stop_loss, take_profit] = [Number((ask * 0.98).toFixed(5)), Number((ask * 1.02).toFixed(5))];
          const body = JSON.stringify({ symbol: 'GBPUSD', direction: 'buy', entry: ask, stop_loss, take_profit });
          const response = await fetch(`${service.url}/api/signals`, {
            method: 'POST',
            body,
            headers: { 'X-API-Key': key },
          });
          if (response.status === 503) return null;
          expect(response.status).toBe(201);
          return ((await response.json()) as { id: string }).id;
        };
        const publish = async (): Promise<string> => {
          let id: string | null = null;
          await eventually('a signal is published', async () => {
            id = await tryToPublish();
            return id !== null;
          });
          return id!;
        };
        const inList = (id: string) => page.locator(`a[href^="/signals/${id}"]`).first().waitFor();
        const before = await publish();
        await page.goto('/signals');
        await inList(before);
        await mark(page);
        const live = await publish();
        await inList(live);
        visit.expect(...AWAY);
        await service.kill();
        await reconnecting(page);
        await service.restart();
        const after = await publish();
        for (const id of [after, live, before]) await inList(id);
        expect(await unloaded(page)).toBe(false);
      }),
    TEST_MS,
  );
});
