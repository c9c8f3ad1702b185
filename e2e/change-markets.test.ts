// Simulated or real markets: the question of the setup, and the change by the operator. Real markets are a fake Kraken; the other
// venues cannot be reached.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIVE_MARKETS } from '../packages/server/src/config/feeds.ts';
import { fakeKraken } from '../packages/server/testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../packages/server/testing/feeds/fake-venue.fixture.ts';
import { temporaryFolder } from '../packages/server/testing/service.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PASSWORD, Service } from './service.fixture.ts';

/** Requests and streams while the service starts again. */
const AWAY = [/ERR_CONNECTION_REFUSED/, /ERR_CONNECTION_RESET/, /ERR_EMPTY_RESPONSE/, /WebSocket/, /status of 503/];

describeInBrowser('simulated or real markets', () => {
  const browser = new TestBrowser();
  const folder = temporaryFolder();
  let kraken: FakeVenue;
  let service: Service;
  let quoting: ReturnType<typeof setInterval>;
  beforeAll(async () => {
    kraken = new FakeVenue(fakeKraken(Object.values(LIVE_MARKETS.kraken!)), { heartbeatMs: 100 });
    quoting = setInterval(() => kraken.quote('BTC/USD'), 200);
    const nowhere = { ws_url: 'ws://127.0.0.1:1', rest_url: 'http://127.0.0.1:1' };
    const venues = Object.fromEntries(Object.keys(LIVE_MARKETS).map((name) => [name, nowhere]));
    const config = join(folder, 'tickwire.json');
    const { wsUrl: ws_url, restUrl: rest_url } = kraken;
    writeFileSync(config, JSON.stringify({ venues: { ...venues, kraken: { ws_url, rest_url } } }));
    service = await Service.start({ config, news: 'none', calendar: 'none', house: 'none' });
  }, TEST_MS);
  afterAll(async () => {
    clearInterval(quoting);
    await service.stop();
    await kraken[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test(
    'the setup asks for the markets, and real ones are in the terminal once the service has changed over',
    () =>
      browser.visit(service.url, { expected: AWAY }, async (page) => {
        await page.goto(service.setupUrl);
        await page.getByLabel('Name', { exact: true }).fill('Olivia Owner');
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: /create the owner/i }).click();
        await page.getByRole('heading', { name: 'Simulated or real markets?' }).waitFor();
        expect(await page.getByRole('radio', { name: /^Simulated markets/ }).isChecked()).toBe(true);
        await page.getByRole('radio', { name: /^Real markets/ }).check();
        await page.getByRole('button', { name: 'Open the terminal' }).click();
        await page.getByText('Changing the markets.').waitFor();
        await page.getByText('GOLDUSDC.P').first().waitFor();
        expect(new URL(page.url()).pathname).toStartWith('/');
        expect(await page.getByTitle('Prices come from a simulation').isVisible()).toBe(false);

        await page.goto('/settings#markets');
        await page.getByRole('button', { name: 'Change to simulated markets…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Change to simulated markets?' });
        await dialog.getByText('Streams reconnect, and open terminals reload.').waitFor();
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await page.getByText('Real markets', { exact: true }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'the operator changes back while another page is open, and both show the other markets by themselves',
    () =>
      browser.visit(service.url, { expected: [...AWAY, /status of 40[134]/] }, async (page, { context }) => {
        await page.goto('/sign-in');
        await page.getByLabel('Name', { exact: true }).fill('Olivia Owner');
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByText('BTCUSD').first().waitFor();
        const settings = await context.newPage();
        await settings.goto('/settings#markets');
        await settings.getByRole('button', { name: 'Change to simulated markets…' }).click();
        await settings.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
        await settings.getByRole('button', { name: 'Change to real markets…' }).waitFor();
        for (const each of [page, settings]) await each.getByTitle(/^Prices come from a simulation/).waitFor();
        await page.getByText('XAUUSD').first().waitFor();
      }),
    TEST_MS,
  );
});
