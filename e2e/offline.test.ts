// The service worker: the terminal opens without a connection and says how old its prices are, never shows old code after an
// update, and keeps nothing of one account for another.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { statusOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const AWAY = [
  /ERR_CONNECTION/,
  /ERR_EMPTY_RESPONSE/,
  /ERR_FAILED/,
  /WebSocket/,
  /Failed to fetch/,
  /status of (503|404)/,
];

/** The worker controls the page and has kept it. */
async function kept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    for (;;) {
      const names = await caches.keys();
      const pages = await Promise.all(names.map(async (name) => (await caches.open(name)).match('/')));
      if (pages.some(Boolean) && navigator.serviceWorker.controller) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
}

const live = (page: Page) => statusOf(page).getByText(/^live/).filter({ visible: true }).first().waitFor();
const storedPrices = (page: Page) => page.evaluate(() => localStorage.getItem('tickwire.last-prices'));

/** The connections of the killed service may hold its port for a moment. */
async function serveAt(port: number, fetch: () => Response) {
  for (;;)
    try {
      return Bun.serve({ port, hostname: '127.0.0.1', fetch });
    } catch {
      await Bun.sleep(50);
    }
}

describeInBrowser('without a connection', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none', news: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'the terminal opens with the last prices and their time, and continues when the service is back',
    () =>
      browser.visit(
        service.url,
        { as: owner, viewport: PHONE, expected: AWAY, serviceWorkers: 'allow' },
        async (page) => {
          await page.goto('/markets/EURUSD/5m');
          await live(page);
          await kept(page);
          await service.kill();
          await page
            .locator('.banner')
            .getByText(/prices as of \d\d:\d\d/)
            .waitFor();
          await page.goto('/signals');
          await page.getByRole('heading', { name: /^Offline: prices as of \d\d:\d\d$/ }).waitFor();
          const row = page.getByRole('row', { name: /^EURUSD/ });
          expect(await row.textContent()).toMatch(/^EURUSD\d\.\d{5}\d\.\d{5}$/);
          await service.restart();
          // By itself.
          await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor();
          expect(new URL(page.url()).pathname).toBe('/signals');
        },
      ),
    TEST_MS,
  );

  test(
    'nothing of an account is kept after signing out, and no answer of the interface ever',
    async () => {
      const guest = await service.guest(owner, 'Gwen Guest');
      // Requests that are on their way while signing out get a 401.
      await browser.visit(
        service.url,
        { as: guest, expected: [...AWAY, /status of 401/], serviceWorkers: 'allow' },
        async (page) => {
          await page.goto('/settings#account');
          await live(page);
          await kept(page);
          // Kept when the page is left.
          await page.goto('/markets');
          await live(page);
          expect(await storedPrices(page)).toContain('EURUSD');
          const paths = await page.evaluate(async () => {
            const requests = await Promise.all(
              (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
            );
            return requests.flat().map(({ url }) => new URL(url).pathname);
          });
          expect(paths.length).toBeGreaterThan(3);
          for (const path of paths) expect(path).toMatch(/^\/($|assets\/|icons\/|manifest\.webmanifest$)/);
          await page.getByRole('banner').getByRole('button', { name: 'Sign out', exact: true }).click();
          await page.getByRole('heading', { name: 'Sign in' }).waitFor();
          expect(await storedPrices(page)).toBeNull();
          await service.kill();
          await page.goto('/markets');
          await page.getByRole('heading', { name: 'Not connected' }).waitFor();
          expect(await page.getByText('EURUSD').count()).toBe(0);
          await service.restart();
        },
      );
    },
    TEST_MS,
  );

  test(
    'an update of the service is shown at once, also instead of what was kept',
    () =>
      browser.visit(service.url, { as: owner, expected: AWAY, serviceWorkers: 'allow' }, async (page) => {
        await page.goto('/markets');
        await live(page);
        await kept(page);
        await service.kill();
        const html = { headers: { 'Content-Type': 'text/html' } };
        const update = await serveAt(
          Number(new URL(service.url).port),
          () => new Response('<!doctype html><title>New</title><h1>A new version</h1>', html),
        );
        await page.goto('/markets');
        await page.getByRole('heading', { name: 'A new version' }).waitFor();
        // Kept instead of the old one.
        await page.evaluate(async () => {
          for (;;) {
            const text = await (await caches.match('/'))?.text();
            if (text?.includes('A new version')) return;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        });
        await update.stop(true);
        await page.goto('/signals');
        await page.getByRole('heading', { name: 'A new version' }).waitFor();
        await service.restart();
      }),
    TEST_MS,
  );
});
