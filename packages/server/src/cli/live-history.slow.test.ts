// What a new user waits for after `tickwire serve --live` in a folder that is empty but for a key: the first quote, the chart in view, and the history of
// all instruments, from fakes of the venues at their true rate limits.
//
// In CI: one or two instruments of each venue, at the same limits, so that it takes less than a minute. With `npm run test:full`: all
// instruments of `live`.
import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FeedList, TIERS, TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';
import { asEpochMs, MINUTE_MS } from '@tickwire/engine';
import { type LiveMarkets, LiveVenues } from '../../testing/feeds/live-venues.fixture.ts';
import { eventually, killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';
import { LIVE_MARKETS } from '../config/feeds.ts';
import { levelsAt, missingRanges, nextRequest, provesStart } from '../import/venue/plan.ts';
import { VENUES } from '../market/feeds/venues/registry.ts';
import type { VenueBarLength } from '../market/feeds/venues/venue.ts';
import { VENUE_BAR_MS } from '../market/feeds/venues/venue-bars.ts';

const FIRST_QUOTE_MS = 3_000;
const CHART_MS = 5_000;
/** The whole history may take this many times as long as the limits allow. */
const SLACK = 1.2;
/** Bars that the terminal shows. */
const BARS = 500;

const FEW: LiveMarkets = {
  kraken: { BTCUSD: 'BTC/USD', EURUSD: 'EUR/USD' },
  hyperliquid: { 'GOLDUSDC.P': 'xyz:GOLD' },
  binanceusdm: { 'XAUUSDT.P': 'XAUUSDT' },
  bybit: { BTCUSDT: 'BTCUSDT', 'BTCUSDT.P': 'BTCUSDT.P' },
  okx: { BTCUSDT: 'BTC-USDT', 'BTCUSDT.P': 'BTC-USDT-SWAP' },
};
const MARKETS = atScale(FEW, LIVE_MARKETS);

interface Limit {
  /** Of all requests. */
  readonly weightsPerSecond: number;
  /** Of a request for so many bars, over as many pages as that takes. */
  readonly weight: (bars: number) => number;
}

/** As the venues document them: see the header of each venue. OKX only replaces Bybit, and is asked for nothing. */
const LIMITS: Readonly<Record<string, Limit>> = {
  kraken: { weightsPerSecond: 1, weight: () => 1 },
  hyperliquid: { weightsPerSecond: 1_200 / 60, weight: (bars) => 20 + Math.ceil(bars / 60) },
  binanceusdm: { weightsPerSecond: 2_400 / 60, weight: (bars) => (bars > 1_000 ? 10 : bars > 500 ? 5 : 2) },
  bybit: { weightsPerSecond: 600 / 5, weight: (bars) => Math.ceil(bars / 1_000) },
};

/** The venue that delivers each instrument: the first that offers it. */
const OWNERS = new Map(
  Object.entries(MARKETS)
    .reverse()
    .flatMap(([venue, symbols]) => Object.keys(symbols).map((symbol) => [symbol, venue] as const)),
);

/**
 * Seconds that the requests of the plan take at the steady rate of a venue, and one for the minute in which recording starts, which
 * can only be fetched once it has closed.
 */
function secondsOf(venue: string, now: number, listedAt: number): number {
  const { oldestBar, barsPerRequest } = VENUES[venue]!;
  const { weightsPerSecond, weight } = LIMITS[venue]!;
  const until = now - (now % MINUTE_MS) + MINUTE_MS;
  let weights = weight(1);
  for (const [name, range] of Object.entries(levelsAt(now, until, oldestBar))) {
    const length = name as VenueBarLength;
    const known: { readonly from: number; readonly to: number }[] = [];
    for (;;) {
      const request = nextRequest(missingRanges(range, length, known), length, barsPerRequest);
      if (!request) break;
      weights += weight((request.to - request.from) / VENUE_BAR_MS[length]);
      if (provesStart(request, length, request.to > listedAt ? 1 : 0)) break;
      known.push(request);
    }
  }
  const instruments = [...OWNERS.values()].filter((owner) => owner === venue).length;
  return (instruments * weights) / weightsPerSecond;
}

/** Bars of a timeframe that a venue has. */
function barsAt(venue: string, timeframe: (typeof TIMEFRAMES)[number], now: number): number {
  const length = TIMEFRAME_MS[timeframe];
  const level = length < VENUE_BAR_MS['1h'] ? '1m' : length < VENUE_BAR_MS['1d'] ? '1h' : '1d';
  const oldest = VENUES[venue]!.oldestBar?.(level, asEpochMs(now)) ?? 0;
  // Of a venue that keeps few bars, minutes begin at a full hour, the others at a day. The oldest bar may be incomplete.
  const lacking = VENUE_BAR_MS[level === '1m' ? '1h' : '1d'];
  return Math.min(BARS, Math.floor((now - oldest - lacking) / length) - 2);
}

const folder = temporaryFolder();
afterAll(async () => {
  await killLeftovers();
  rmSync(folder, { recursive: true, force: true });
});

test('a first start with --live has a quote, a chart and all of its history as fast as the venues allow', async () => {
  await using venues = new LiveVenues(MARKETS);
  const config = join(folder, 'tickwire.json');
  const premium = { ...TIERS.premium, requests_per_minute: 10_000 };
  writeFileSync(config, JSON.stringify({ venues: venues.settings, tiers: { premium } }));
  const data = join(folder, 'data');
  const { key } = await makeKey(data, 'premium', ['read', 'admin']);
  const began = performance.now();
  const service = await ServiceProcess.start({ config, data, news: 'none', calendar: 'none' }, ['--live']);
  const readyMs = performance.now() - began;
  await eventually('a quote', async () => (await service.get('/api/market/BTCUSD/quote', key)).ok);
  const quoteMs = performance.now() - began;

  /** Until the newest bars are those that the venue has. */
  const chartMs = async (symbol: string): Promise<number> => {
    const asked = performance.now();
    const wanted = barsAt(OWNERS.get(symbol)!, '5m', Date.now());
    await eventually(`the chart of ${symbol}`, async () => (await barsOf(service, symbol, '5m', key)) >= wanted);
    return performance.now() - asked;
  };
  const goldMs = await chartMs('GOLDUSDC.P');
  const euroMs = await chartMs('EURUSD');

  const allowed = new Map(
    Object.keys(LIMITS).map((venue) => [venue, secondsOf(venue, Date.now(), venues.listedAt)] as const),
  );
  const bound = Math.max(...allowed.values());
  const done = new Map<string, number>();
  while (done.size < allowed.size && performance.now() - began < 2 * SLACK * bound * 1_000 + 60_000) {
    const { items } = FeedList.parse(await (await service.get('/api/feeds', key)).json());
    for (const { name, history_bars_left } of items)
      if (allowed.has(name) && history_bars_left === 0 && !done.has(name))
        done.set(name, (performance.now() - began - readyMs) / 1_000);
    await Bun.sleep(250);
  }
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  console.log(`ready after ${seconds(readyMs)} s, first quote after ${seconds(quoteMs)} s`);
  console.log(`charts after ${seconds(goldMs)} s (Hyperliquid) and ${seconds(euroMs)} s (Kraken)`);
  for (const [venue, limit] of allowed)
    console.log(
      `${venue}: history after ${done.get(venue)?.toFixed(1)} s; its limit allows ${limit.toFixed(1)} s (${venues.requests(venue)} requests)`,
    );

  for (const [symbol, venue] of OWNERS)
    for (const timeframe of TIMEFRAMES) {
      const count = await barsOf(service, symbol, timeframe, key);
      expect({ symbol, timeframe, hasAll: count >= barsAt(venue, timeframe, Date.now()) }).toEqual({
        ...{ symbol, timeframe },
        hasAll: true,
      });
    }
  expect([venues.refusals, service.err.match(/could not be fetched/)]).toEqual([0, null]);
  await service.stop();
  expect(quoteMs).toBeLessThan(FIRST_QUOTE_MS);
  expect(Math.max(goldMs, euroMs)).toBeLessThan(CHART_MS);
  expect(done.size).toBe(allowed.size);
  expect(Math.max(...done.values())).toBeLessThan(SLACK * bound);
});

/** As the terminal loads a chart. */
async function barsOf(service: ServiceProcess, symbol: string, timeframe: string, key: string): Promise<number> {
  const response = await service.get(`/api/market/${symbol}?timeframe=${timeframe}&bars=${BARS}&detail=true`, key);
  const { ohlcv } = (await response.json()) as { ohlcv?: unknown[] };
  return ohlcv?.length ?? 0;
}
