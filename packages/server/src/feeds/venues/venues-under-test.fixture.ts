// The venues, each with its fake and its spelling of two symbols: what one of them must survive, all must.
import { asSymbol } from '@tickwire/engine';
import type { Source } from '../source.ts';
import { binanceSource } from './binance/feed.ts';
import { coinbaseSource } from './coinbase/feed.ts';
import { fakeBinance } from './fake-binance.fixture.ts';
import { fakeCoinbase } from './fake-coinbase.fixture.ts';
import { fakeKraken } from './fake-kraken.fixture.ts';
import type { FakeProtocol } from './fake-protocol.fixture.ts';
import type { FakeVenue } from './fake-venue.fixture.ts';
import { krakenSource } from './kraken/feed.ts';
import type { VenueOptions, VenueTiming } from './venue.ts';

export interface VenueUnderTest {
  readonly name: string;
  readonly protocol: () => FakeProtocol;
  readonly create: (options: VenueOptions) => Source;
  /** The venue's spelling, and ours. */
  readonly btc: string;
  readonly eth: string;
  readonly instrument: string;
}

export const VENUES_UNDER_TEST: readonly VenueUnderTest[] = [
  {
    name: 'binance',
    protocol: () => fakeBinance(),
    create: binanceSource,
    btc: 'BTCUSDT',
    eth: 'ETHUSDT',
    instrument: 'BTCUSDT',
  },
  {
    name: 'kraken',
    protocol: () => fakeKraken(),
    create: krakenSource,
    btc: 'BTC/USD',
    eth: 'ETH/USD',
    instrument: 'BTCUSD',
  },
  {
    name: 'coinbase',
    protocol: () => fakeCoinbase(),
    create: coinbaseSource,
    btc: 'BTC-USD',
    eth: 'ETH-USD',
    instrument: 'BTCUSD',
  },
];

const HURRIED: VenueTiming = {
  openMs: 1_000,
  answerMs: 500,
  requestPaceMs: 5,
  restPaceMs: 0,
  restTimeoutMs: 250,
  restRetryMs: 5,
};

export function sourceAt(venue: VenueUnderTest, fake: FakeVenue, timing: Partial<VenueTiming> = {}): Source {
  const instrument = (venueSymbol: string) => asSymbol(venueSymbol.replace(/[^A-Z]/g, ''));
  return venue.create({
    symbols: new Map([venue.btc, venue.eth].map((one) => [one, instrument(one)])),
    wsUrl: fake.wsUrl,
    restUrl: fake.restUrl,
    timing: { ...HURRIED, ...timing },
  });
}
