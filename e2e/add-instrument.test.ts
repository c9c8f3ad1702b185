// An operator adds an instrument of a venue from the search of the watchlist; others are told who can.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { FakeVenue } from '../packages/server/testing/feeds/fake-venue.fixture.ts';
import { LISTED_VENUES, settingsFor } from '../packages/server/testing/feeds/listed-venues.fixture.ts';
import { temporaryFolder } from '../packages/server/testing/service.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { rowOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('adding an instrument', () => {
  const browser = new TestBrowser();
  const [venue] = LISTED_VENUES;
  const folder = temporaryFolder();
  let fake: FakeVenue;
  let service: Service;
  let owner: Person;
  let market: Timer;
  beforeAll(async () => {
    fake = new FakeVenue(venue!.protocol());
    service = await Service.start({ house: 'none', news: 'none', ...settingsFor(venue!, fake, folder) });
    owner = await service.owner();
    market = setInterval(() => {
      for (const symbol of [venue!.configured, venue!.listed]) fake.quote(symbol);
    }, 50);
  }, TEST_MS);
  afterAll(async () => {
    clearInterval(market);
    await service.stop();
    await fake[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test(
    'an account without the right is told that the operator can',
    async () => {
      const guest = await service.guest(owner, 'Gerda Guest');
      await browser.visit(service.url, { as: guest }, async (page) => {
        await page.goto('/markets');
        await page.getByLabel('Search instruments').fill('atom');
        await page.getByRole('button', { name: 'Add instrument…' }).click();
        await page.getByText('The operator of this service can add any instrument that its venues list.').waitFor();
      });
    },
    TEST_MS,
  );

  test(
    'the operator finds it by venue with its class and price, and its row is live after one click',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets');
        await page.getByLabel('Search instruments').fill('atom');
        await page.getByRole('button', { name: 'Add instrument…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Add an instrument' });
        await dialog.getByRole('heading', { name: 'binance' }).waitFor();
        expect(await dialog.locator('.listing').innerText()).toMatch(/ATOMUSDT.*crypto.*60001\.5/s);
        await dialog.getByRole('button', { name: 'Add' }).click();
        await page.waitForURL('**/markets/ATOMUSDT**');
        await rowOf(page, 'ATOMUSDT').waitFor();
        await page.waitForFunction(() =>
          /\d/.test(document.querySelector('[data-symbol="ATOMUSDT"] .number')?.textContent ?? ''),
        );
        await page.keyboard.press('Control+k');
        await page.getByLabel('Instrument, page, setting, command or guide').fill('add instr');
        await page.getByRole('option', { name: /Add instrument…/ }).click();
        await page
          .getByRole('dialog', { name: 'Add an instrument' })
          .getByRole('button', { name: 'Added' })
          .first()
          .waitFor();
      }),
    TEST_MS,
  );
});
