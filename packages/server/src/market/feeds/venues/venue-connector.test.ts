import { describe, expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { fakeBinanceusdm } from '../../../../testing/feeds/fake-binanceusdm.fixture.ts';
import { fakeHyperliquid } from '../../../../testing/feeds/fake-hyperliquid.fixture.ts';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../testing/feeds/reference-loop.fixture.ts';
import {
  connectorFor,
  VENUES_UNDER_TEST,
  VENUES_WITHOUT_IDS,
} from '../../../../testing/feeds/venues-under-test.fixture.ts';
import { instantSleep } from '../../../../testing/instant-sleep.fixture.ts';
import { binanceusdm } from './binanceusdm/binanceusdm.ts';
import { hyperliquid } from './hyperliquid/hyperliquid.ts';
import { VENUES } from './registry.ts';
import { DEFAULT_TIMING } from './venue.ts';
import { createVenueConnector, venueRest } from './venue-connector.ts';

test.each([...VENUES_UNDER_TEST, ...VENUES_WITHOUT_IDS])(
  '$name says how many decimals its prices have',
  async (venue) => {
    await using fake = new FakeVenue(venue.protocol());
    const precision = await connectorFor(venue, fake).fetchPrecision!();
    const digits = venue.name === 'kraken' ? 1 : 2;
    expect([...precision.values()]).toEqual([{ digits }, { digits }]);
    expect(precision.has(asSymbol(venue.instrument))).toBe(true);
  },
);

test.each([...VENUES_UNDER_TEST, ...VENUES_WITHOUT_IDS])(
  '$name streams what is configured if it refuses a symbol that was added',
  async (venue) => {
    await using fake = new FakeVenue(venue.protocol());
    const gone = { ...venue, eth: venue.eth.replace('ETH', 'GONE') };
    const connector = connectorFor(gone, fake, {}, { configured: 1 });
    const connection = await connector.connect({ events: () => {}, alive: () => {}, complain: () => {} });
    expect(connector.isSubscribed!(connector.symbols[0]!)).toBe(true);
    expect(await Promise.race([connection.closed, 'open'])).toBe('open');
    connection.close();
  },
);

test.each([...VENUES_UNDER_TEST, ...VENUES_WITHOUT_IDS])(
  '$name streams a symbol that was added beside another that has left the venue',
  async (venue) => {
    await using fake = new FakeVenue(venue.protocol());
    const gone = { ...venue, eth: venue.eth.replace('ETH', 'GONE') };
    const connector = connectorFor(gone, fake, {}, { configured: 1 });
    const sink = new RecordingSink();
    const connection = await connector.connect(sink);
    const ETH = asSymbol('ETHUSD');
    connector.add!(venue.eth, ETH);
    await until(() => connector.isSubscribed!(ETH), 'the subscription');
    await until(() => sink.refusals.length > 0, 'the refusal');
    expect(new Set(sink.refusals.map(([symbol]) => symbol))).toEqual(new Set([connector.symbols[1]!]));
    expect(connector.isSubscribed!(connector.symbols[1]!)).toBe(false);
    fake.trade(venue.eth);
    await until(() => sink.trades.length > 0, 'a trade');
    connection.close();
  },
);

test('a connection of Hyperliquid with all coins that it can carry is given the time to subscribe to them', () => {
  const { maxSymbols } = hyperliquid;
  const symbols = new Map(Array.from({ length: maxSymbols! }, (_, n) => [`C${n}`, asSymbol(`C${n}`)]));
  expect(createVenueConnector(hyperliquid, { symbols }).subscribeMs!()).toBe((3 * maxSymbols! - 1) * 35);
});

describe('the budget of a venue', () => {
  const SECONDS_10 = 10_000;
  const waits = async (faults: readonly '429'[], paths: readonly string[]) => {
    const venue = VENUES_UNDER_TEST.find(({ name }) => name === 'binanceusdm')!;
    await using fake = new FakeVenue(venue.protocol(), { retryAfter: 50 });
    fake.restFaults.push(...faults);
    const sleep = instantSleep();
    const timing = { ...DEFAULT_TIMING, restIntervalMs: SECONDS_10, sleep };
    for (const path of paths) await venueRest(binanceusdm, fake.restUrl, timing).get(path);
    return sleep.mock.calls.map(([ms]) => Math.round(ms / SECONDS_10) * 10);
  };

  test('is one for all connectors, and counts the weights of requests', async () => {
    const klines = '/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=1500';
    expect(await waits([], ['/fapi/v1/exchangeInfo', klines, '/fapi/v1/exchangeInfo'])).toEqual([10, 110]);
  });

  test('is used up until the time that the venue names with 429', async () => {
    // The clock stands still: the retry waits for its place as well, and takes one.
    expect(await waits(['429'], ['/fapi/v1/exchangeInfo', '/fapi/v1/exchangeInfo'])).toEqual([50, 50, 60]);
  });
});

test.each([
  ['hyperliquid', () => fakeHyperliquid(undefined, { weightsPerMinute: 60 })],
  ['binanceusdm', () => fakeBinanceusdm(undefined, { weightsPerMinute: 4 })],
])('the list of %s fails with the status if the venue is still limiting after all attempts', async (name, protocol) => {
  await using fake = new FakeVenue(protocol());
  const sleep = instantSleep();
  const rest = venueRest(VENUES[name]!, fake.restUrl, { ...DEFAULT_TIMING, restIntervalMs: 0, sleep });
  const list = () => VENUES[name]!.listInstruments!(rest);
  await expect(list().then(list)).rejects.toThrow('status 429, ');
  // The wait that the venue names, within a minute.
  expect(sleep.mock.calls.some(([ms]) => ms > 50_000 && ms <= 60_000)).toBe(true);
});
