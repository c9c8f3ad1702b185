// Pages and tabs of one browser: navigation does not reload the document, a background tab releases its streams, and a tab beyond
// the limit says so.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TIERS } from '@tickwire/contract';
import type { Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { statusOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

/** Connections of a markets tab: one for all its streams. */
const CONNECTIONS = 1;
/** Connections of all sessions of the owner. */
const LIMIT = TIERS.premium.streams;
const LEFT_MS = 61_000;

describeInBrowser('pages and tabs', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '20', house: 'none', news: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  const live = (page: Page) => statusOf(page).getByText(/^live/).first().waitFor();
  const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

  test(
    'a link changes the page without reloading the document, also when it removes a filter',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/news?category=forex');
        await page.getByRole('button', { name: 'Forex', pressed: true }).waitFor();
        await page.evaluate(() => Object.assign(window, { mark: true }));
        await pages(page).getByRole('link', { name: 'News' }).click();
        await page.waitForURL('**/news');
        await page.getByRole('button', { name: 'All', exact: true, pressed: true }).waitFor();
        await pages(page).getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
        // Screen readers continue at the heading of the new page.
        expect(await focused(page)).toBe('API keys');
        await page.getByRole('link', { name: 'Display' }).click();
        await page.waitForURL('**/settings#display');
        await page.getByRole('heading', { level: 1, name: 'Display' }).waitFor();
        expect(await page.evaluate(() => 'mark' in window)).toBe(true);
      }),
    TEST_MS,
  );

  test(
    'a background tab releases all streams but prices after a minute and resumes when visible',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        let open = 0;
        // Channels by the requests that the page has sent.
        const sent = { subscribe: new Set<string>(), unsubscribe: new Set<string>() };
        page.on('websocket', (socket) => {
          open++;
          socket.on('close', () => open--);
          socket.on('framesent', ({ payload }) => {
            const { action, channel } = JSON.parse(String(payload)) as { action: keyof typeof sent; channel: string };
            sent[action]?.add(channel);
          });
        });
        const expectSent = async (action: keyof typeof sent): Promise<void> => {
          const channels = ['alerts', 'bars', 'news', 'orderflow', 'signals'];
          for (const until = Date.now() + TEST_MS / 4; sent[action].size < channels.length && Date.now() < until; )
            await Bun.sleep(50);
          expect([...sent[action]].sort()).toEqual(channels);
        };
        const openIs = async (count: number): Promise<void> => {
          for (const until = Date.now() + TEST_MS / 4; open !== count && Date.now() < until; ) await Bun.sleep(50);
          expect(open).toBe(count);
        };
        const hide = (hidden: boolean) =>
          page.evaluate((now) => {
            Object.defineProperty(document, 'hidden', { configurable: true, get: () => now });
            document.dispatchEvent(new Event('visibilitychange'));
          }, hidden);
        await page.clock.install();
        await page.goto('/markets/EURUSD/5m');
        await live(page);
        await openIs(CONNECTIONS);
        await hide(true);
        for (const channels of Object.values(sent)) channels.clear();
        await page.clock.fastForward(LEFT_MS);
        await expectSent('unsubscribe');
        await hide(false);
        await expectSent('subscribe');
        await openIs(CONNECTIONS);
      }),
    TEST_MS,
  );

  const pricesMove = async (page: Page): Promise<void> => {
    const rows = page.getByRole('treegrid', { name: 'Instruments' });
    const before = await rows.textContent();
    for (const until = Date.now() + TEST_MS / 4; (await rows.textContent()) === before; await Bun.sleep(100))
      if (Date.now() > until) throw new Error('no price has changed');
  };
  /** As many connections as other programs would open, from a page without streams. */
  const occupy = async (page: Page, count: number): Promise<void> => {
    await page.goto('/docs');
    await page.evaluate(async (wanted) => {
      for (let at = 0; at < wanted; at++) {
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`);
        await new Promise((resolve) => {
          socket.onopen = resolve;
        });
      }
    }, count);
  };

  test(
    'tabs beyond the limit receive what another tab receives, and go on alone when it is closed',
    () =>
      browser.visit(service.url, { as: owner }, async (programs, { context }) => {
        await occupy(programs, LIMIT - CONNECTIONS);
        const first = await context.newPage();
        await first.goto('/markets/EURUSD/5m');
        await live(first);
        const [second, third] = [await context.newPage(), await context.newPage()];
        for (const [page, symbol] of [
          [second, 'EURUSD'],
          [third, 'XAUUSD'],
        ] as const) {
          await page.goto(`/markets/${symbol}/5m`);
          await live(page);
        }
        for (const page of [second, third]) await pricesMove(page);
        await first.close();
        // Longer than the first attempts to connect again take.
        for (const page of [second, third]) for (let times = 0; times < 5; times++) await pricesMove(page);
      }),
    TEST_MS,
  );

  test(
    'a tab beyond the limit says what to do if no other tab has a connection, and continues once one is free',
    () =>
      browser.visit(service.url, { as: owner }, async (programs, { context }) => {
        await occupy(programs, LIMIT);
        const page = await context.newPage();
        await page.goto('/markets/EURUSD/5m');
        await statusOf(page)
          .getByText(/too many open tabs/)
          .first()
          .waitFor();
        await programs.close();
        await live(page);
      }),
    TEST_MS,
  );
});
