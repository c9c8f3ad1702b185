// Real markets of which a part is out of reach: what the terminal says about it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeCoinbase } from '../packages/server/testing/feeds/fake-coinbase.fixture.ts';
import { fakeHyperliquid } from '../packages/server/testing/feeds/fake-hyperliquid.fixture.ts';
import { fakeKraken } from '../packages/server/testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../packages/server/testing/feeds/fake-venue.fixture.ts';
import { temporaryFolder } from '../packages/server/testing/service.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { rowOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('blocked venues', () => {
  const browser = new TestBrowser();
  const kraken = new FakeVenue(fakeKraken());
  const coinbase = new FakeVenue(fakeCoinbase(), { heartbeatMs: 200 });
  const hyperliquid = new FakeVenue(fakeHyperliquid(['xyz:GOLD']));
  let quotes: Timer;
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    kraken.outage = 'blocked region';
    const at = ({ wsUrl: ws_url, restUrl: rest_url }: FakeVenue, symbols: object) => ({ ws_url, rest_url, symbols });
    const venues = {
      kraken: at(kraken, { BTCUSD: 'BTC/USD', EURUSD: 'EUR/USD' }),
      coinbase: at(coinbase, { BTCUSD: 'BTC-USD' }),
      hyperliquid: at(hyperliquid, { 'GOLDUSDC.P': 'xyz:GOLD' }),
    };
    const config = join(temporaryFolder(), 'tickwire.json');
    writeFileSync(config, JSON.stringify({ venues }));
    service = await Service.start({ feeds: 'kraken,coinbase,hyperliquid', config, house: 'none' });
    owner = await service.owner();
    quotes = setInterval(() => coinbase.quote('BTC-USD'), 500);
  }, TEST_MS);
  afterAll(async () => {
    clearInterval(quotes);
    await service.stop();
    for (const venue of [kraken, coinbase, hyperliquid]) await venue[Symbol.asyncDispose]();
  });

  test(
    'the instrument says which venue fails, why, and what replaces it; without any price, the order flow blames no source',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const cause = 'Kraken refuses connections from this region (HTTP 451).';
        await page.goto('/markets/BTCUSD/1m');
        await page.getByText(`${cause} BTCUSD now comes from Coinbase.`).waitFor();
        await rowOf(page, 'EURUSD').click();
        await page.getByText(`${cause} Nothing replaces it.`).waitFor();
        await page.getByText('No trades of EURUSD are recorded: it has had no price yet').waitFor();
        await page.goto('/settings#feeds');
        await page.getByText('BTCUSD now comes from Coinbase. Nothing replaces it for EURUSD.').waitFor();
        await page.screenshot({ path: '/tmp/exp/feeds.png' });
      }),
    TEST_MS,
  );

  test(
    'the suffix of a perpetual is visible in a watchlist that is too narrow for its code',
    () =>
      browser.visit(service.url, { as: owner, viewport: { width: 900, height: 700 } }, async (page) => {
        await page.goto('/markets/GOLDUSDC.P/1m');
        const label = rowOf(page, 'GOLDUSDC').locator('.label');
        const [room, suffix] = [await label.boundingBox(), await label.locator('.suffix').boundingBox()];
        expect(suffix!.x + suffix!.width).toBeLessThanOrEqual(room!.x + room!.width + 1);
        expect(await page.getByRole('row', { name: /^GOLDUSDC\.P / }).count()).toBe(1);
      }),
    TEST_MS,
  );
});
