import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { fakeHyperliquid } from '../../../../../testing/feeds/fake-hyperliquid.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../../testing/feeds/reference-loop.fixture.ts';
import type { Liquidation, PerpetualUpdate } from '../../mapper.ts';
import { DEFAULT_TIMING, type VenueBarsRequest, type VenueTiming } from '../venue.ts';
import { createVenueConnector, type VenueConnectorOptions, venueRest } from '../venue-connector.ts';
import { hyperliquid } from './hyperliquid.ts';

const BTC = asSymbol('BTCUSDC.P');
const GOLD = asSymbol('GOLDUSDC.P');
const SYMBOLS = new Map([
  ['BTC', BTC],
  ['xyz:GOLD', GOLD],
]);
const QUICK: VenueTiming = { ...DEFAULT_TIMING, subscribeIntervalMs: 0, restIntervalMs: 0, restRetryMs: 1 };
const at = (fake: FakeVenue, options: Partial<VenueConnectorOptions> = {}) =>
  createVenueConnector(hyperliquid, {
    symbols: SYMBOLS,
    wsUrl: fake.wsUrl,
    restUrl: fake.restUrl,
    timing: QUICK,
    ...options,
  });
const restOf = (fake: FakeVenue) => venueRest(hyperliquid, fake.restUrl, QUICK);

class PerpetualSink extends RecordingSink {
  readonly updates: PerpetualUpdate[] = [];
  readonly liquidated: Liquidation[] = [];
  duplicated = 0;

  perpetuals(updates: readonly PerpetualUpdate[]): void {
    this.updates.push(...updates);
  }

  duplicates(count: number): void {
    this.duplicated += count;
  }
}

describe('Hyperliquid', () => {
  test('subscribes every coin to quotes, trades and perpetual data, and delivers them', async () => {
    await using fake = new FakeVenue(fakeHyperliquid(), { heartbeatMs: 5 });
    const sink = new PerpetualSink();
    const connection = await at(fake).connect(sink);
    expect(fake.received.map(({ subscription }) => subscription)).toEqual(
      ['bbo', 'trades', 'activeAssetCtx'].flatMap((type) => ['BTC', 'xyz:GOLD'].map((coin) => ({ type, coin }))),
    );
    fake.quote('xyz:GOLD');
    fake.trade('BTC', 25);
    await until(() => sink.trades.length === 25 && sink.updates.length >= 2, 'trades and perpetual data');
    expect(sink.quotes[0]).toMatchObject({ symbol: GOLD });
    expect(sink.trades.every((trade) => !('id' in trade))).toBe(true);
    expect(sink.updates[0]).toMatchObject({ symbol: BTC, markPrice: 60_001, fundingRate: 0.0000125 });
    connection.close();
  });

  test('delivers trades once that arrive twice, out of order, or again with the next connection', async () => {
    await using fake = new FakeVenue(fakeHyperliquid());
    const sink = new PerpetualSink();
    const connector = at(fake);
    const first = await connector.connect(sink);
    const twice = fake.trade('BTC', 100, 'twice');
    fake.trade('BTC', 100, 'shuffled');
    fake.deliver(twice, 'sent');
    await until(() => sink.trades.length >= 200 && sink.duplicated >= 200, 'the trades');
    first.close();
    fake.trade('BTC', 4, 'lost');
    const second = await connector.connect(sink);
    await until(() => sink.duplicated >= 206, 'the repeated trades');
    expect(sink).toMatchObject({ duplicated: 206, complaints: [] });
    const prices = (list: readonly { readonly price: number | string }[]) => list.map(({ price }) => Number(price));
    expect(prices(sink.trades).sort()).toEqual(prices(fake.tape.of('BTC')).sort());
    second.close();
  });

  test('serves the other coins if the venue refuses one, and complains', async () => {
    await using fake = new FakeVenue(fakeHyperliquid(['BTC']));
    const sink = new RecordingSink();
    const connection = await at(fake).connect(sink);
    fake.trade('BTC', 1);
    await until(() => sink.trades.length === 1 && sink.complaints.length >= 4, 'the trade and the complaints');
    const refusals = sink.complaints.filter((what) => what.includes('Invalid subscription'));
    expect(refusals).toHaveLength(3);
    expect(sink.refusals).toContainEqual(['GOLDUSDC.P', 'not offered']);
    expect(sink.complaints).toContain('symbol not offered: xyz:GOLD');
    connection.close();
  });

  test('names what is wrong with invalid messages and goes on', async () => {
    await using fake = new FakeVenue(fakeHyperliquid());
    const sink = new RecordingSink();
    const connection = await at(fake).connect(sink);
    fake.sendInvalid('BTC');
    fake.trade('BTC', 2, 'malformed');
    fake.trade('BTC', 1);
    await until(() => sink.trades.length === 1, 'the trade');
    expect(sink.complaints.every((what) => /^[a-z][A-Za-z ]+: /.test(what))).toBe(true);
    expect(sink.complaints.filter((what) => what.startsWith('trade without price: '))).toHaveLength(2);
    connection.close();
  });

  test('ends the connection if one coin is silent while another is not', async () => {
    await using fake = new FakeVenue(fakeHyperliquid(), { heartbeatMs: 60_000 });
    const connection = await at(fake, { symbolStaleMs: 1_000 }).connect(new RecordingSink());
    let reason = '';
    void connection.closed.then((why) => {
      reason = why;
    });
    await until(() => fake.quote('BTC') && reason !== '', 'the end of the connection');
    expect(reason).toStartWith('GOLDUSDC.P silent for ');
  });

  test('has a reason for a region that is blocked', async () => {
    await using fake = new FakeVenue(fakeHyperliquid());
    fake.outage = 'blocked region';
    await expect(at(fake).connect(new RecordingSink())).rejects.toThrow('hyperliquid: ');
    await expect(hyperliquid.listInstruments!(restOf(fake))).rejects.toThrow('hyperliquid: status 451 for perpDexs');
  });

  test('asks again after too many requests, a failure, and a response that is cut short', async () => {
    await using fake = new FakeVenue(fakeHyperliquid());
    fake.restFaults.push('429', '500', 'truncated');
    expect(await hyperliquid.fetchListed(['xyz:GOLD'], restOf(fake))).toEqual(
      new Map([['xyz:GOLD', { digits: 2, isTrading: true }]]),
    );
    expect(fake.restRequests).toHaveLength(4);
  });
});

describe('bars of Hyperliquid', () => {
  const fetchBars = (fake: FakeVenue, request: Omit<VenueBarsRequest, 'symbol' | 'venueSymbol'>) =>
    hyperliquid.fetchBars!({ symbol: BTC, venueSymbol: 'BTC', ...request }, restOf(fake));

  test('come in pages of 5,000 as far as the venue keeps them, without the running one', async () => {
    const now = Date.now();
    let time = now - 6_000 * MINUTE_MS;
    await using fake = new FakeVenue(fakeHyperliquid(), { now: () => time });
    for (; time < now; time += MINUTE_MS / 2) fake.trade('BTC', 1, 'lost');
    time = now;
    fake.trade('BTC', 1, 'lost');
    const from = asEpochMs(now - (now % MINUTE_MS) - 6_000 * MINUTE_MS);
    const bars = await fetchBars(fake, { length: '1m', from, to: asEpochMs(now) });
    const minute = now - (now % MINUTE_MS);
    expect(bars.at(-1)!.time).toBe(asEpochMs(minute - MINUTE_MS));
    // The minute may have ended meanwhile.
    expect(bars[0]!.time - hyperliquid.oldestBar!('1m', asEpochMs(now))).toBeWithin(0, MINUTE_MS + 1);
    expect(bars.length).toBeWithin(4_998, 5_000);
    expect(fake.restBodies).toHaveLength(2);
    const sums = fake.tape
      .of('BTC')
      .filter(({ timeUs }) => Math.floor(timeUs / 6e7) * MINUTE_MS === bars[7]!.time)
      .reduce((sum, { size }) => sum + Number(size), 0);
    expect(bars[7]).toMatchObject({ basis: 'trade', bidVolume: 0, askVolume: 0 });
    expect(bars[7]!.volume).toBeCloseTo(sums, 8);
    const some = await fetchBars(fake, { length: '1m', from: bars[9]!.time, to: bars[12]!.time });
    expect(some).toEqual(bars.slice(9, 12));
  });

  test('include the running one if it is asked for, marked as partial', async () => {
    const start = Date.now() - (Date.now() % HOUR_MS) - DAY_MS;
    let time = start;
    await using fake = new FakeVenue(fakeHyperliquid(), { now: () => time });
    fake.trade('BTC', 2, 'lost');
    time += MINUTE_MS + 20_000;
    fake.trade('BTC', 2, 'lost');
    const bars = await at(fake).fetchMinutes!(BTC, asEpochMs(start), asEpochMs(time));
    expect(bars.map((bar) => [bar.time - start, bar.partial])).toEqual([
      [0, undefined],
      [MINUTE_MS, true],
    ]);
    expect(at(fake).fetchTrades).toBeUndefined();
  });

  test('are an error if the missed time began before the oldest one, so that it is declared as a gap', async () => {
    await using fake = new FakeVenue(fakeHyperliquid());
    const to = asEpochMs(Date.now());
    const minutes = at(fake).fetchMinutes!(BTC, asEpochMs(to - (to % MINUTE_MS) - 4 * DAY_MS), to);
    await expect(minutes).rejects.toThrow('hyperliquid keeps no minutes before 20');
    expect(fake.restRequests).toEqual([]);
  });

  test('that cannot be read are an error, not an empty list', async () => {
    await using fake = new FakeVenue({ ...fakeHyperliquid(), rest: () => Response.json([{ t: 60_000, o: '1' }]) });
    const to = asEpochMs(Date.now());
    const from = asEpochMs(to - (to % DAY_MS) - DAY_MS);
    await expect(fetchBars(fake, { length: '1d', from, to })).rejects.toThrow('bar without');
  });

  test('weigh more the more of them are asked for, and the budget of a minute is kept', () => {
    const weight = (bars: number) =>
      hyperliquid.weightOf!('/info', {
        type: 'candleSnapshot',
        req: { coin: 'BTC', interval: '1h', startTime: 0, endTime: bars * HOUR_MS },
      });
    expect([weight(60), weight(5_000)]).toEqual([21, 104]);
    expect(hyperliquid.weightOf!('/info', { type: 'perpDexs' })).toBe(20);
    const { restIntervalMs, restBurstMs } = hyperliquid.timing;
    expect((MINUTE_MS + restBurstMs!) / restIntervalMs!).toBeLessThanOrEqual(1_200);
  });
});

test('the list of Hyperliquid has the coins of every exchange on it, with names of their own', async () => {
  await using fake = new FakeVenue(fakeHyperliquid(['BTC', 'xyz:GOLD', 'xyz:TSLA', 'xyz:EUR', 'xyz:SP500', 'km:BTC']));
  const list = await hyperliquid.listInstruments!(restOf(fake));
  expect(list.map(({ venueSymbol, symbol, type }) => [venueSymbol, String(symbol), type])).toEqual([
    ['BTC', 'BTCUSDC.P', 'crypto'],
    ['xyz:GOLD', 'GOLDUSDC.P', 'metal'],
    ['xyz:TSLA', 'TSLAUSDC.P', 'equity'],
    ['xyz:EUR', 'EURUSDC.P', 'forex'],
    ['xyz:SP500', 'SP500USDC.P', 'index'],
    ['km:BTC', 'KMBTCUSDC.P', 'crypto'],
    ['km:GOLD', 'KMGOLDUSDC.P', 'metal'],
  ]);
  expect(list[1]).toEqual({
    venueSymbol: 'xyz:GOLD',
    symbol: GOLD,
    name: 'GOLD / USDC perpetual',
    type: 'metal',
    digits: 2,
    contract: 'perpetual',
    underlying: 'GOLD',
    quoteCurrency: 'USDC',
    lastPrice: 60_001,
  });
});
