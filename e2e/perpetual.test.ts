// A perpetual in the terminal: what its venue publishes beside prices, and its liquidations on the chart.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeBybit } from '../packages/server/testing/feeds/fake-bybit.fixture.ts';
import { FakeVenue } from '../packages/server/testing/feeds/fake-venue.fixture.ts';
import { temporaryFolder } from '../packages/server/testing/service.fixture.ts';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { toolOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const PERPETUAL = 'BTCUSDT.P';

describeInBrowser('a perpetual', () => {
  const browser = new TestBrowser();
  let venue: FakeVenue;
  let service: Service;
  let owner: Person;
  let trading: Timer;
  beforeAll(async () => {
    venue = new FakeVenue(fakeBybit());
    const config = join(temporaryFolder(), 'tickwire.json');
    const symbols = { BTCUSDT: 'BTCUSDT', [PERPETUAL]: PERPETUAL };
    const bybit = { ws_url: venue.wsUrl, rest_url: venue.restUrl, symbols };
    writeFileSync(config, JSON.stringify({ venues: { bybit } }));
    service = await Service.start({ feeds: 'bybit', config, news: 'none', house: 'none' });
    owner = await service.owner();
    trading = setInterval(() => {
      for (const symbol of [PERPETUAL, 'BTCUSDT']) {
        venue.quote(symbol);
        venue.trade(symbol);
      }
    }, 200);
  }, TEST_MS);
  afterAll(async () => {
    clearInterval(trading);
    await service.stop();
    await venue[Symbol.asyncDispose]();
  });

  test.each([
    ['a desktop', {}],
    ['a phone', { viewport: PHONE }],
  ])(
    'has its figures in the header of %s, and its liquidations in the chart if they are wanted',
    (_, options) =>
      browser.visit(service.url, { as: owner, ...options }, async (page) => {
        await page.goto(`/markets/${PERPETUAL}/1d`);
        const header = page.locator('.head');
        await header.getByText('60000.50').waitFor();
        const text = await header.innerText();
        expect(text).toMatch(/Funding 8h\s+−0\.0054% in \d+[hm]/);
        expect(text).toMatch(/Open interest\s+57\.8k/);

        const chart = page.getByRole('region', { name: 'Chart' });
        const legend = chart.getByText(/(Longs|Shorts) liquidated/).first();
        const toggle = await toolOf(chart, 'Liquidations');
        expect(await toggle.getAttribute('aria-pressed')).toBe('false');
        venue.liquidate(PERPETUAL);
        await toggle.click();
        await legend.waitFor({ state: 'attached' });
        // What was liquidated before is loaded.
        await page.reload();
        await legend.waitFor({ state: 'attached' });
        await (await toolOf(chart, 'Liquidations')).click();

        await page.goto('/markets/BTCUSDT/1d');
        await page.getByRole('heading', { name: 'BTCUSDT', level: 1 }).waitFor();
        expect(await (await toolOf(chart, 'Liquidations')).count()).toBe(0);
        expect(await header.innerText()).not.toContain('Funding');
      }),
    TEST_MS,
  );
});
