import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { fakeBinanceusdm } from '../../../../../testing/feeds/fake-binanceusdm.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../../testing/feeds/reference-loop.fixture.ts';
import type { Liquidation, PerpetualUpdate } from '../../mapper.ts';
import { DEFAULT_TIMING, type VenueTiming } from '../venue.ts';
import { createVenueConnector, type VenueConnectorOptions, venueRest } from '../venue-connector.ts';
import { binanceusdm } from './binanceusdm.ts';

const XAU = asSymbol('XAUUSDT.P');
const SYMBOLS = new Map([
  ['BTCUSDT', asSymbol('BTCUSDT.P')],
  ['XAUUSDT', XAU],
]);
const QUICK: VenueTiming = { ...DEFAULT_TIMING, subscribeIntervalMs: 0, restIntervalMs: 0, restRetryMs: 1 };
const at = (fake: FakeVenue, options: Partial<VenueConnectorOptions> = {}) =>
  createVenueConnector(binanceusdm, {
    symbols: SYMBOLS,
    wsUrl: fake.wsUrl,
    restUrl: fake.restUrl,
    timing: QUICK,
    ...options,
  });
const restOf = (fake: FakeVenue) => venueRest(binanceusdm, fake.restUrl, QUICK);

class PerpetualSink extends RecordingSink {
  readonly updates: PerpetualUpdate[] = [];
  readonly liquidated: Liquidation[] = [];

  perpetuals(updates: readonly PerpetualUpdate[]): void {
    this.updates.push(...updates);
  }

  liquidations(liquidations: readonly Liquidation[]): void {
    this.liquidated.push(...liquidations);
  }
}

describe('Binance USD-M futures', () => {
  test('subscribes to best prices and to trades on a connection each, and delivers both', async () => {
    await using fake = new FakeVenue(fakeBinanceusdm(), { heartbeatMs: 5 });
    const sink = new PerpetualSink();
    const connection = await at(fake).connect(sink);
    expect(fake.sockets).toBe(2);
    expect(fake.received.map(({ params }) => params)).toEqual([
      ['btcusdt@bookTicker', 'xauusdt@bookTicker'],
      ['btcusdt', 'xauusdt'].flatMap((name) => ['aggTrade', 'markPrice', 'forceOrder'].map((one) => `${name}@${one}`)),
    ]);
    fake.quote('XAUUSDT');
    fake.trade('XAUUSDT', 2);
    fake.sendRaw(
      JSON.stringify({
        stream: 'xauusdt@forceOrder',
        data: { e: 'forceOrder', E: 2, o: { s: 'XAUUSDT', S: 'BUY', q: '2', p: '4310', ap: '4325.5', z: '1.9', T: 1 } },
      }),
    );
    await until(() => sink.trades.length === 2 && sink.quotes.length === 1 && sink.updates.length > 0, 'events');
    expect(sink.trades[0]).toMatchObject({ symbol: XAU, id: 1_000 });
    await until(() => sink.liquidated.length > 0, 'the liquidation');
    expect(sink.liquidated[0]).toMatchObject({ symbol: XAU, side: 'buy' });
    connection.close();
    await until(() => fake.clients === 0, 'the end of both');
  });

  test('stays within the limits of streams and messages', () => {
    const names = Array.from({ length: binanceusdm.maxSymbols! }, (_, n) => `C${n}USDT`);
    const byPath = Map.groupBy(binanceusdm.subscribeRequests(names), ({ path }) => path);
    for (const requests of byPath.values()) {
      const streams = requests.map(({ text }) => (JSON.parse(text) as { params: string[] }).params.length);
      expect(Math.max(...streams)).toBeLessThanOrEqual(200);
      expect(streams.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1_024);
    }
    expect(1_000 / binanceusdm.timing.subscribeIntervalMs!).toBeLessThan(9);
    const { restIntervalMs, restBurstMs } = binanceusdm.timing;
    expect((MINUTE_MS + restBurstMs!) / restIntervalMs!).toBeLessThanOrEqual(2_400);
    const weight = (limit: number) => binanceusdm.weightOf!(`/fapi/v1/klines?symbol=BTCUSDT&limit=${limit}`);
    expect([99, 100, 499, 500, 1_000, 1_001, 1_500].map(weight)).toEqual([1, 2, 2, 5, 5, 10, 10]);
    expect(binanceusdm.weightOf!('/fapi/v1/aggTrades?symbol=BTCUSDT&limit=10')).toBe(20);
    expect(binanceusdm.weightOf!('/fapi/v1/exchangeInfo')).toBe(1);
  });

  test.each(['/public/stream', '/market/stream'])('ends both connections if %s falls silent', async (path) => {
    await using fake = new FakeVenue({ ...fakeBinanceusdm(), framesPerSecond: 0 }, { heartbeatMs: 10, pingMs: 10 });
    const connection = await at(fake, { staleMs: 1_000 }).connect(new RecordingSink());
    fake.stall(path);
    expect(await connection.closed).toStartWith(`${path} silent for `);
    await until(() => fake.clients === 0, 'the end of both');
  });

  test('closes one connection if the other cannot be opened or is closed', async () => {
    const protocol = fakeBinanceusdm();
    await using half = new FakeVenue({ ...protocol, accepts: ({ pathname }) => pathname === '/public/stream' });
    await expect(at(half).connect(new RecordingSink())).rejects.toThrow('binanceusdm: ');
    await until(() => half.sockets > 0 && half.clients === 0, 'the end of the other');
  });

  test('complains of symbols that are not listed or not traded', async () => {
    await using fake = new FakeVenue(fakeBinanceusdm(['BTCUSDT']));
    const sink = new RecordingSink();
    const symbols = new Map(['BTCUSDT', 'XAUUSDT', 'LUNAUSDT'].map((name) => [name, asSymbol(`${name}.P`)]));
    const connection = await at(fake, { symbols }).connect(sink);
    await until(() => sink.complaints.length === 2, 'the complaints');
    expect(sink.complaints).toEqual(['symbol not offered: XAUUSDT', 'symbol not trading: LUNAUSDT']);
    connection.close();
  });

  test('has a reason for a region that is blocked', async () => {
    await using fake = new FakeVenue(fakeBinanceusdm());
    fake.outage = 'blocked region';
    await expect(at(fake).connect(new RecordingSink())).rejects.toThrow('binanceusdm: ');
    await expect(binanceusdm.listInstruments!(restOf(fake))).rejects.toThrow('status 451 for the list of symbols');
    expect(await at(fake).fetchTrades!(XAU, { id: 1, time: asEpochMs(1) })).toBeNull();
  });

  test('lists perpetuals on coins and metals, and nothing that ends or is not traded', async () => {
    await using fake = new FakeVenue(fakeBinanceusdm());
    const list = await binanceusdm.listInstruments!(restOf(fake));
    expect(list.map(({ symbol, type }) => [String(symbol), type])).toEqual([
      ['BTCUSDT.P', 'crypto'],
      ['ETHUSDT.P', 'crypto'],
      ['XAUUSDT.P', 'metal'],
    ]);
    expect(list[2]).toEqual({
      venueSymbol: 'XAUUSDT',
      symbol: XAU,
      name: 'XAU / USDT perpetual',
      type: 'metal',
      digits: 2,
      contract: 'perpetual',
      underlying: 'XAU',
      quoteCurrency: 'USDT',
      lastPrice: 60_001,
    });
  });

  test('has bars with the volume of takers, in pages of 1,500, without quiet minutes and the running one', async () => {
    const now = Date.now();
    let time = now - 2_000 * MINUTE_MS;
    await using fake = new FakeVenue(fakeBinanceusdm(), { now: () => time });
    for (let n = 0; time < now; time += MINUTE_MS, n++) if (n % 100 !== 50) fake.trade('XAUUSDT', 2, 'lost');
    time = now;
    fake.trade('XAUUSDT', 1, 'lost');
    const from = asEpochMs(now - (now % DAY_MS) - 2 * DAY_MS);
    const request = { symbol: XAU, venueSymbol: 'XAUUSDT', to: asEpochMs(now), from } as const;
    const bars = await binanceusdm.fetchBars!({ ...request, length: '1m' }, restOf(fake));
    expect(bars.length).toBe(1_980);
    expect(bars.at(-1)!.time).toBeLessThan(now - (now % MINUTE_MS));
    const times = bars.map((bar) => bar.time as number);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    const trades = fake.tape.of('XAUUSDT').filter(({ timeUs }) => Math.floor(timeUs / 6e7) * MINUTE_MS === times[5]);
    const sum = (side: string) =>
      trades.filter(({ taker }) => taker === side).reduce((total, { size }) => total + Number(size), 0);
    expect(bars[5]!.askVolume).toBeCloseTo(sum('buy'), 8);
    expect(bars[5]!.bidVolume).toBeCloseTo(sum('sell'), 8);
    const hours = await binanceusdm.fetchBars!({ ...request, length: '1h' }, restOf(fake));
    expect(hours.every((bar) => bar.time % HOUR_MS === 0 && bar.time + HOUR_MS <= now)).toBe(true);
    expect(hours.length).toBeGreaterThan(30);
  });
});
