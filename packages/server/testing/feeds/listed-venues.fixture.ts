// Each venue with one configured instrument and another that its list offers, for tests that add the other one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../service.fixture.ts';
import { fakeBinance } from './fake-binance.fixture.ts';
import { fakeBinanceusdm } from './fake-binanceusdm.fixture.ts';
import { fakeBybit } from './fake-bybit.fixture.ts';
import { fakeCoinbase } from './fake-coinbase.fixture.ts';
import { fakeHyperliquid } from './fake-hyperliquid.fixture.ts';
import { fakeKraken } from './fake-kraken.fixture.ts';
import { fakeOkx } from './fake-okx.fixture.ts';
import type { FakeProtocol } from './fake-protocol.fixture.ts';
import type { FakeVenue } from './fake-venue.fixture.ts';

export interface ListedVenueUnderTest {
  readonly name: string;
  readonly protocol: () => FakeProtocol;
  /** The venue's spellings. */
  readonly configured: string;
  readonly listed: string;
  /** Another listed one. */
  readonly third: string;
  /** Our symbols of both. */
  readonly known: string;
  readonly added: string;
  /** How a client spells the added one. */
  readonly spelled: string;
}

export const LISTED_VENUES: readonly ListedVenueUnderTest[] = [
  {
    name: 'binance',
    third: 'NEARUSDT',
    protocol: () => fakeBinance(['BTCUSDT', 'ATOMUSDT', 'NEARUSDT']),
    ...{ configured: 'BTCUSDT', known: 'BTCUSDT', listed: 'ATOMUSDT', added: 'ATOMUSDT', spelled: 'ATOM/USDT' },
  },
  {
    name: 'kraken',
    third: 'NEAR/JPY',
    protocol: () => fakeKraken(['BTC/USD', 'ATOM/JPY', 'NEAR/JPY']),
    ...{ configured: 'BTC/USD', known: 'BTCUSD', listed: 'ATOM/JPY', added: 'ATOMJPY', spelled: 'atom/jpy' },
  },
  {
    name: 'coinbase',
    third: 'NEAR-USD',
    protocol: () => fakeCoinbase(['BTC-USD', 'ATOM-USD', 'NEAR-USD']),
    ...{ configured: 'BTC-USD', known: 'BTCUSD', listed: 'ATOM-USD', added: 'ATOMUSD', spelled: 'ATOM-USD' },
  },
  {
    name: 'hyperliquid',
    third: 'NEAR',
    protocol: () => fakeHyperliquid(['ETH', 'xyz:GOLD', 'NEAR']),
    ...{ configured: 'ETH', known: 'ETHUSDC.P', listed: 'xyz:GOLD', added: 'GOLDUSDC.P', spelled: 'xyz:GOLD' },
  },
  {
    name: 'binanceusdm',
    third: 'NEARUSDT',
    protocol: () => fakeBinanceusdm(['BTCUSDT', 'ATOMUSDT', 'NEARUSDT']),
    ...{ configured: 'BTCUSDT', known: 'BTCUSDT.P', listed: 'ATOMUSDT', added: 'ATOMUSDT.P' },
    spelled: 'ATOM/USDT:USDT',
  },
  {
    name: 'bybit',
    third: 'NEARUSDT',
    protocol: () => fakeBybit(['BTCUSDT', 'ATOMUSDT.P', 'NEARUSDT']),
    ...{ configured: 'BTCUSDT', known: 'BTCUSDT', listed: 'ATOMUSDT.P', added: 'ATOMUSDT.P', spelled: 'ATOMUSDT-PERP' },
  },
  {
    name: 'okx',
    third: 'NEAR-USDT',
    protocol: () => fakeOkx(['BTC-USDT', 'ATOM-USDT-SWAP', 'NEAR-USDT']),
    ...{ configured: 'BTC-USDT', known: 'BTCUSDT', listed: 'ATOM-USDT-SWAP', added: 'ATOMUSDT.P' },
    spelled: 'ATOM-USDT-SWAP',
  },
];

/** Settings of a service or of the nodes of a cluster, written to a folder. */
export function settingsFor(
  { name, configured, known }: ListedVenueUnderTest,
  { wsUrl, restUrl }: FakeVenue,
  folder: string,
): Settings {
  const config = join(folder, 'tickwire.json');
  const venue = { ws_url: wsUrl, rest_url: restUrl, symbols: { [known]: configured } };
  writeFileSync(config, JSON.stringify({ venues: { [name]: venue } }));
  return { feeds: name, config };
}
