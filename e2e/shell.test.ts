// The frame of the terminal: addresses that cannot be opened, an expired session, and a lost connection.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { DESKTOP, describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { statusOf } from './market.fixture.ts';
import { PASSWORD, type Person, Service } from './service.fixture.ts';

const OWNER = 'Olivia Owner';
/** Console errors of a request that is rejected on purpose, and of a connection that is cut. */
const REFUSED = /status of (401|403)/;
const CUT = [/ERR_INTERNET_DISCONNECTED/, /ERR_CONNECTION/, /WebSocket/, /status of 503/];

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
const banner = (page: Page) => page.locator('.banner');

/** Changes the address within the document, as a link of the terminal does. */
const goWithin = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

describeInBrowser('the frame of the terminal', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none', news: 'none' });
    owner = await service.owner(OWNER);
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'an unknown page says that it does not exist, and leads back',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/signals');
        await heading(page, 'Signals').waitFor();
        for (const path of ['/nonsense', '/calendar/nonsense', '/settings/nonsense', '/%']) {
          await goWithin(page, path);
          await heading(page, 'Page not found').waitFor();
          expect(await page.title()).toBe('Page not found · Tickwire');
          expect(await page.getByRole('treegrid').count()).toBe(0);
          await page.getByRole('main').getByRole('link', { name: 'Signals' }).click();
          await heading(page, 'Signals').waitFor();
        }
      }),
    TEST_MS,
  );

  test(
    'an unknown instrument is named, and no other one is shown for it',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSDT/1h');
        await heading(page, 'Unknown instrument').waitFor();
        await page.getByText('This service has no instrument EURUSDT.').waitFor();
        expect(await page.getByRole('treegrid').count()).toBe(0);
        // The timeframe of the address stays.
        await page.getByRole('main').getByRole('link', { name: 'EURUSD' }).click();
        await page.getByLabel('EURUSD, 1h bars').waitFor();
        expect(new URL(page.url()).pathname).toBe('/markets/EURUSD/1h');
        // Also from a page that shows a market already.
        await goWithin(page, '/markets/XXXX/5m');
        await heading(page, 'Unknown instrument').waitFor();
        expect(await page.getByRole('treegrid').count()).toBe(0);
        await page.goBack();
        await page.getByLabel('EURUSD, 1h bars').waitFor();
      }),
    TEST_MS,
  );

  test(
    'a page that needs an account says so to a visitor with a key, and opens after signing in',
    () =>
      browser.visit(service.url, { expected: [REFUSED] }, async (page) => {
        const key = await owner.key(['read']);
        await page.goto('/settings#usage');
        await page.getByRole('button', { name: 'Use an API key instead' }).click();
        await page.getByLabel('API key').fill(key);
        await page.getByRole('button', { name: 'Open the terminal' }).click();
        await heading(page, 'This page needs an account').waitFor();
        expect(await page.getByRole('treegrid').count()).toBe(0);
        await page.getByRole('button', { name: 'Sign in with an account' }).click();
        await page.getByLabel('Name', { exact: true }).fill(OWNER);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await heading(page, 'Usage').waitFor();
        expect(page.url()).toEndWith('/settings#usage');
      }),
    TEST_MS,
  );

  test(
    'an expired session says so, and signing in returns to the same address',
    async () => {
      const guest = await service.guest(owner, 'Gwen Guest');
      await browser.visit(service.url, { as: guest, expected: [REFUSED, /WebSocket/] }, async (page) => {
        await page.goto('/signals?status=closed');
        await heading(page, 'Signals').waitFor();
        await guest.must(200, guest.post('/api/account/sign-out-everywhere'));
        await heading(page, 'You were signed out').waitFor();
        await page.getByText('Sign in to return to this page.').waitFor();
        expect(await page.getByText(/cookie|session of/i).count()).toBe(0);
        await page.getByLabel('Name', { exact: true }).fill('Gwen Guest');
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await heading(page, 'Signals').waitFor();
        expect(page.url()).toEndWith('/signals?status=closed');
      });
    },
    TEST_MS,
  );

  test(
    'without a connection a line says how old the prices are, and the figures of the service disappear',
    () =>
      browser.visit(service.url, { as: owner, expected: CUT }, async (page, { context }) => {
        await page.goto('/markets/EURUSD/5m');
        await statusOf(page).getByText(/^live/).filter({ visible: true }).first().waitFor();
        await statusOf(page)
          .getByText(/instruments active/)
          .waitFor();
        expect(await banner(page).isVisible()).toBe(false);
        await context.setOffline(true);
        await banner(page)
          .getByText(/^Offline: prices as of \d\d:\d\d\./)
          .waitFor();
        expect(
          await statusOf(page)
            .getByText(/instruments active/)
            .count(),
        ).toBe(0);
        expect(
          await statusOf(page)
            .getByText(/requests$/)
            .count(),
        ).toBe(0);
        await context.setOffline(false);
        await banner(page).waitFor({ state: 'hidden' });
      }),
    TEST_MS,
  );

  test(
    'a new account gets first steps above the page, which lead on, cover nothing and stay away once dismissed',
    async () => {
      const guest = await service.guest(owner, 'Fay First');
      await browser.visit(service.url, { as: guest, firstSteps: true }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        const steps = page.getByRole('region', { name: 'First steps' });
        await steps.getByText(/simulated/).waitFor();
        expect(await page.getByRole('dialog').count()).toBe(0);
        expect(await steps.getByRole('listitem').getByRole('link').count()).toBe(3);
        const chart = page.getByLabel('EURUSD, 5m bars');
        for (const viewport of [DESKTOP, PHONE]) {
          await page.setViewportSize(viewport);
          if (viewport === PHONE) await steps.getByRole('button', { name: 'Three things to try' }).click();
          const [above, below] = [await steps.boundingBox(), await chart.boundingBox()];
          expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
        }
        await page.setViewportSize(DESKTOP);
        await steps.getByRole('link', { name: 'Settings › API keys' }).click();
        await heading(page, 'API keys').waitFor();
        await steps.getByRole('button', { name: 'Dismiss' }).click();
        await steps.waitFor({ state: 'detached' });
        await page.reload();
        await heading(page, 'API keys').waitFor();
        await statusOf(page).getByText(/^live/).filter({ visible: true }).first().waitFor();
        expect(await steps.count()).toBe(0);
      });
      // The demo key that the service printed is in the list of the owner, with a label.
      await browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/settings#keys');
        await page.getByRole('row', { name: /^demo demo key from the first start/ }).waitFor();
      });
    },
    TEST_MS,
  );
});
