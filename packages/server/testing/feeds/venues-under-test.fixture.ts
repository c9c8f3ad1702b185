// The venues, each with its fake and its spelling of two symbols, for tests that every venue must pass.
import { asSymbol } from '@tickwire/engine';
import type { VenueConnector } from '../../src/market/feeds/connector.ts';
import { VENUES } from '../../src/market/feeds/venues/registry.ts';
import type { VenueTiming } from '../../src/market/feeds/venues/venue.ts';
import { createVenueConnector, type VenueConnectorOptions } from '../../src/market/feeds/venues/venue-connector.ts';
import { fakeBinance } from './fake-binance.fixture.ts';
import { fakeBinanceusdm } from './fake-binanceusdm.fixture.ts';
import { fakeBybit } from './fake-bybit.fixture.ts';
import { fakeCoinbase } from './fake-coinbase.fixture.ts';
import { fakeHyperliquid } from './fake-hyperliquid.fixture.ts';
import { fakeKraken } from './fake-kraken.fixture.ts';
import { fakeOkx } from './fake-okx.fixture.ts';
import type { FakeProtocol } from './fake-protocol.fixture.ts';
import type { FakeVenue } from './fake-venue.fixture.ts';

export interface VenueUnderTest {
  readonly name: string;
  readonly protocol: () => FakeProtocol;
  /** The venue's spelling. */
  readonly btc: string;
  readonly eth: string;
  /** Our symbol of `btc`. */
  readonly instrument: string;
  /** A connection starts with the current quote, even if it was sent before: that of a snapshot of the book. */
  readonly repeatsQuote?: true;
  /** Quotes and trades come over sockets of their own. */
  readonly hasTwoSockets?: true;
  /** The newest trades that the venue lists; all of them if left out. */
  readonly pastTrades?: number;
}

/** Venues whose trades have contiguous ids. */
export const VENUES_UNDER_TEST: readonly VenueUnderTest[] = [
  {
    name: 'binance',
    protocol: () => fakeBinance(),
    btc: 'BTCUSDT',
    eth: 'ETHUSDT',
    instrument: 'BTCUSDT',
  },
  {
    name: 'kraken',
    protocol: () => fakeKraken(),
    btc: 'BTC/USD',
    eth: 'ETH/USD',
    instrument: 'BTCUSD',
  },
  {
    name: 'coinbase',
    protocol: () => fakeCoinbase(),
    btc: 'BTC-USD',
    eth: 'ETH-USD',
    instrument: 'BTCUSD',
    repeatsQuote: true,
  },
  {
    name: 'binanceusdm',
    protocol: () => fakeBinanceusdm(),
    btc: 'BTCUSDT',
    eth: 'ETHUSDT',
    instrument: 'BTCUSDT',
    hasTwoSockets: true,
  },
  {
    name: 'bybit',
    protocol: () => fakeBybit(),
    btc: 'BTCUSDT',
    eth: 'ETHUSDT',
    instrument: 'BTCUSDT',
    pastTrades: 60,
  },
  {
    name: 'okx',
    protocol: () => fakeOkx(),
    btc: 'BTC-USDT',
    eth: 'ETH-USDT',
    instrument: 'BTCUSDT',
    hasTwoSockets: true,
  },
];

/** Venues whose ids reveal no gap, and that have bars instead of past trades. */
export const VENUES_WITHOUT_IDS: readonly VenueUnderTest[] = [
  {
    name: 'hyperliquid',
    protocol: () => fakeHyperliquid(),
    btc: 'BTC',
    eth: 'ETH',
    instrument: 'BTC',
  },
];

/** Tests of silence set shorter limits: on a busy machine, a short one would end what works. */
const FAST: Partial<VenueTiming> = {
  connectTimeoutMs: 10_000,
  confirmTimeoutMs: 10_000,
  subscribeIntervalMs: 5,
  restIntervalMs: 0,
  restBurstMs: 0,
  restTimeoutMs: 10_000,
  restRetryMs: 5,
  restBanMs: 0,
};

export function connectorFor(
  venue: VenueUnderTest,
  fake: Pick<FakeVenue, 'wsUrl' | 'restUrl'>,
  timing: Partial<VenueTiming> = {},
  limits: Pick<VenueConnectorOptions, 'staleMs' | 'symbolStaleMs' | 'configured'> = {},
): VenueConnector {
  const instrument = (venueSymbol: string) => asSymbol(venueSymbol.replace(/[^A-Z]/g, ''));
  return createVenueConnector(VENUES[venue.name]!, {
    symbols: new Map([venue.btc, venue.eth].map((one) => [one, instrument(one)])),
    wsUrl: fake.wsUrl,
    restUrl: fake.restUrl,
    timing: { ...FAST, ...timing },
    ...limits,
  });
}
