import { expect, test } from 'bun:test';
import { asEpochMs, asSymbol, MINUTE_MS } from '@tickwire/engine';
import { fakeOkx } from '../../../../../testing/feeds/fake-okx.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { DEFAULT_TIMING } from '../venue.ts';
import { venueRest } from '../venue-connector.ts';
import { okx } from './okx.ts';

test('many requests at once stay within 20 in two seconds', async () => {
  await using fake = new FakeVenue(fakeOkx(undefined, { allowance: 20 }));
  const rest = venueRest(okx, fake.restUrl, { ...DEFAULT_TIMING, ...okx.timing });
  const to = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 5_000 * MINUTE_MS;
  const request = (venueSymbol: string) =>
    okx.fetchBars!(
      {
        ...{ symbol: asSymbol('BTCUSDT'), venueSymbol, length: '1m' },
        ...{ from: asEpochMs(to - 2_000 * MINUTE_MS), to: asEpochMs(to) },
      },
      rest,
    );
  await Promise.all([request('BTC-USDT'), request('ETH-USDT')]);
  // Pages of 100 bars; a request that is refused would be repeated.
  expect(fake.restRequests).toHaveLength(40);
});
