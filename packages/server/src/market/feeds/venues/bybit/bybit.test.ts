import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, DAY_MS, type FeedEvent, MINUTE_MS } from '@tickwire/engine';
import { fakeBybit } from '../../../../../testing/feeds/fake-bybit.fixture.ts';
import { candlesOf } from '../../../../../testing/feeds/fake-candles.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../../testing/feeds/reference-loop.fixture.ts';
import { silentLog } from '../../../../ops/log.ts';
import type { Liquidation, PerpetualUpdate } from '../../mapper.ts';
import { FeedSupervisor } from '../../supervisor.ts';
import { DEFAULT_TIMING, type VenueBarLength, type VenueTiming } from '../venue.ts';
import { createVenueConnector, venueRest } from '../venue-connector.ts';
import { bybit } from './bybit.ts';

const SPOT = asSymbol('BTCUSDT');
const PERPETUAL = asSymbol('BTCUSDT.P');
const BOTH = new Map([
  ['BTCUSDT', SPOT],
  ['BTCUSDT.P', PERPETUAL],
]);
const QUICK: Partial<VenueTiming> = {
  subscribeIntervalMs: 1,
  restIntervalMs: 0,
  restRetryMs: 1,
  restBanMs: 0,
  confirmTimeoutMs: 30_000,
};
const at = (fake: FakeVenue, symbols = BOTH) =>
  createVenueConnector(bybit, { symbols, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing: QUICK });
const restOf = (fake: FakeVenue) => venueRest(bybit, fake.restUrl, { ...DEFAULT_TIMING, ...QUICK });

class PerpetualSink extends RecordingSink {
  readonly updates: PerpetualUpdate[] = [];
  readonly closed: Liquidation[] = [];
  repeated = 0;
  perpetuals(updates: readonly PerpetualUpdate[]): void {
    this.updates.push(...updates);
  }
  liquidations(liquidations: readonly Liquidation[]): void {
    this.closed.push(...liquidations);
  }
  duplicates(count: number): void {
    this.repeated += count;
  }
}

describe('the sockets of Bybit', () => {
  test('carry the same names of spot and of perpetuals without mixing them', async () => {
    await using fake = new FakeVenue(fakeBybit());
    const sink = new PerpetualSink();
    const connection = await at(fake).connect(sink);
    expect(fake.sockets).toBe(2);
    fake.trade('BTCUSDT', 3);
    fake.trade('BTCUSDT.P', 2);
    fake.quote('BTCUSDT.P');
    await until(() => sink.trades.length === 5 && sink.quotes.length === 1, 'trades and the quote');
    expect(sink.trades.filter(({ symbol }) => symbol === SPOT).map(({ id }) => id)).toEqual([1_000, 1_001, 1_002]);
    expect(sink.trades.filter(({ symbol }) => symbol === PERPETUAL).map(({ id }) => id)).toEqual([
      undefined,
      undefined,
    ]);
    expect(sink.quotes[0]!.symbol).toBe(PERPETUAL);
    await until(() => sink.updates.length === 1, 'the ticker');
    expect(sink.updates[0]).toMatchObject({ symbol: PERPETUAL, markPrice: 60_000.5, fundingRate: -0.0000544 });
    expect(sink.complaints).toEqual([]);
    connection.close();
  });

  test('get as few requests as the venue allows', async () => {
    const spot = Array.from({ length: 12 }, (_, n) => `C${n}USDT`);
    const names = [...spot, ...spot.map((name) => `${name}.P`)];
    await using fake = new FakeVenue(fakeBybit(names));
    const connection = await at(fake, new Map(names.map((name) => [name, asSymbol(name)]))).connect(
      new RecordingSink(),
    );
    expect(fake.received.map(({ args }) => (args as string[]).length).sort((a, b) => a - b)).toEqual([4, 10, 10, 48]);
    connection.close();
  });

  test('name an unknown symbol in the error', async () => {
    await using fake = new FakeVenue(fakeBybit());
    const symbols = new Map([['LUNAUSDT', asSymbol('LUNAUSDT')]]);
    await expect(at(fake, symbols).connect(new RecordingSink())).rejects.toThrow(
      'bybit: subscription refused: Invalid symbol :[orderbook.1.LUNAUSDT]',
    );
  });

  test('carry the other symbols if one is refused, which is named', async () => {
    await using fake = new FakeVenue(fakeBybit());
    const symbols = new Map([
      ['LUNAUSDT', asSymbol('LUNAUSDT')],
      ['BTCUSDT.P', PERPETUAL],
    ]);
    const sink = new RecordingSink();
    const connection = await at(fake, symbols).connect(sink);
    fake.quote('BTCUSDT.P');
    await until(() => sink.quotes.length > 0, 'a quote');
    expect(sink.complaints).toContain('subscription refused: LUNAUSDT: Invalid symbol :[orderbook.1.LUNAUSDT]');
    connection.close();
  });

  test('get pings that the venue answers', async () => {
    await using fake = new FakeVenue(fakeBybit(), { pingMs: 60_000 });
    const venue = { ...bybit, heartbeat: { text: bybit.heartbeat!.text, everyMs: 10 } };
    const sink = new RecordingSink();
    const options = { symbols: new Map([['BTCUSDT', SPOT]]), wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing: QUICK };
    const connection = await createVenueConnector(venue, options).connect(sink);
    const before = sink.signsOfLife;
    await until(() => sink.signsOfLife > before + 1, 'replies to pings');
    expect(sink.complaints).toEqual([]);
    connection.close();
  });
});

describe('missed trades of Bybit', () => {
  async function supervise(fake: FakeVenue) {
    const events: FeedEvent[] = [];
    const supervisor = new FeedSupervisor({
      connector: at(fake),
      instruments: [],
      accept: (list) => events.push(...list),
      now: Date.now,
      log: silentLog,
      random: () => 1,
    });
    supervisor.start();
    await until(() => supervisor.status().state === 'live', 'the connection');
    fake.trade('BTCUSDT', 3);
    fake.trade('BTCUSDT.P', 3, 'twice');
    await until(() => events.length === 6, 'the first trades');
    return { events, supervisor, gaps: () => events.flatMap((event) => (event.kind === 'gap' ? event.symbols : [])) };
  }

  test('of spot are fetched if there are at most sixty; those of a perpetual are a gap', async () => {
    await using fake = new FakeVenue(fakeBybit());
    const { events, supervisor, gaps } = await supervise(fake);
    fake.trade('BTCUSDT', 50, 'lost');
    fake.trade('BTCUSDT.P', 50, 'lost');
    fake.cut('without close frame');
    await until(() => supervisor.counters.connects === 2 && supervisor.counters.backfilled === 50, 'the backfill');
    expect(gaps()).toEqual([PERPETUAL]);
    fake.trade('BTCUSDT', 1);
    await until(() => events.at(-1)?.kind === 'trade', 'a live trade');
    const ids = events.flatMap((event) => (event.kind === 'trade' && event.symbol === SPOT ? event.id! : []));
    expect(ids).toEqual(fake.tape.of('BTCUSDT').map(({ id }) => id));
    expect(supervisor.counters).toMatchObject({ duplicates: 3, gaps: 1 });
    supervisor.stop();
  });

  test('of spot are a gap if there are more', async () => {
    await using fake = new FakeVenue(fakeBybit());
    const { supervisor, gaps } = await supervise(fake);
    fake.trade('BTCUSDT', 70, 'lost');
    fake.cut('without close frame');
    await until(() => gaps().length === 2, 'the gaps');
    expect(gaps().sort()).toEqual([SPOT, PERPETUAL].sort());
    expect(supervisor.counters.backfilled).toBe(0);
    supervisor.stop();
  });

  test('wait for a list that lags behind the stream', async () => {
    await using fake = new FakeVenue(fakeBybit());
    const trades = fake.trade('BTCUSDT', 20, 'lost');
    const after = { id: trades[5]!.id, time: asEpochMs(1) };
    const ahead = { before: trades.at(-1)!.id + 5 };
    await expect(at(fake).fetchTrades!(SPOT, after, ahead)).rejects.toThrow('do not yet reach the missed ones');
  });
});

describe('bars of Bybit', () => {
  const NOW = Date.UTC(2026, 7, 12, 12, 30, 20);

  test.each([
    ['1m', MINUTE_MS, 'BTCUSDT'],
    ['1h', 60 * MINUTE_MS, 'BTCUSDT.P'],
    ['1d', DAY_MS, 'BTCUSDT'],
  ] as [VenueBarLength, number, string][])(
    'of %s equal the candles of the venue',
    async (length, span, venueSymbol) => {
      let clock = NOW - 2_500 * span;
      await using fake = new FakeVenue(fakeBybit(), { now: () => clock });
      while (clock < NOW) {
        fake.trade(venueSymbol, 3, 'lost');
        clock += span;
      }
      const from = NOW - 2_500 * span;
      const request = { symbol: SPOT, venueSymbol, length, from: asEpochMs(from - (from % span)), to: asEpochMs(NOW) };
      const bars = await bybit.fetchBars!(request, restOf(fake));
      expect(
        bars.map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume] as number[]),
      ).toEqual(
        candlesOf(fake.tape, venueSymbol, span, request.from, NOW).map(({ time, open, high, low, close, volume }) => [
          time,
          ...[open, high, low, close, volume].map(Number),
        ]),
      );
      expect(fake.restRequests.length).toBe(3);
      expect(new Set(bars.map(({ basis }) => basis))).toEqual(new Set(['trade']));
    },
  );

  test('have no running bar, unless it is asked for', async () => {
    await using fake = new FakeVenue(fakeBybit());
    fake.trade('BTCUSDT', 5, 'lost');
    const to = asEpochMs(Date.now() + 1);
    const request = {
      symbol: SPOT,
      venueSymbol: 'BTCUSDT',
      length: '1d',
      from: asEpochMs(to - (to % DAY_MS)),
      to,
    } as const;
    expect(await bybit.fetchBars!(request, restOf(fake))).toEqual([]);
    expect(await bybit.fetchBars!({ ...request, running: true }, restOf(fake))).toMatchObject([{ partial: true }]);
  });

  test('are refused with a reason', async () => {
    await using fake = new FakeVenue(fakeBybit());
    const request = {
      symbol: SPOT,
      venueSymbol: 'LUNAUSDT',
      length: '1m',
      from: asEpochMs(0),
      to: asEpochMs(60_000),
    } as const;
    await expect(bybit.fetchBars!(request, restOf(fake))).rejects.toThrow('bybit: Not supported symbols (kline)');
  });
});

describe('the lists of Bybit', () => {
  test('have spot and perpetuals, page by page, with last prices', async () => {
    await using fake = new FakeVenue(fakeBybit(undefined, { listPage: 1 }));
    const listings = await bybit.listInstruments!(restOf(fake));
    expect(listings.map(({ symbol, venueSymbol }) => [symbol as string, venueSymbol])).toEqual([
      ['BTCUSDT', 'BTCUSDT'],
      ['ETHUSDT', 'ETHUSDT'],
      ['BTCUSDT.P', 'BTCUSDT.P'],
      ['ETHUSDT.P', 'ETHUSDT.P'],
    ]);
    expect(listings[2]).toEqual({
      venueSymbol: 'BTCUSDT.P',
      symbol: PERPETUAL,
      name: 'BTC / USDT perpetual',
      type: 'crypto',
      digits: 2,
      contract: 'perpetual',
      underlying: 'BTC',
      quoteCurrency: 'USDT',
      lastPrice: 60_001.5,
    });
  });

  test('leave out symbols that the venue does not know', async () => {
    await using fake = new FakeVenue(fakeBybit());
    const listed = await bybit.fetchListed(['BTCUSDT', 'LUNAUSDT', 'LUNAUSDT.P'], restOf(fake));
    expect(listed).toEqual(new Map([['BTCUSDT', { digits: 2, isTrading: true }]]));
  });

  test('name a blocked region or too many requests, and do not ask again', async () => {
    await using fake = new FakeVenue(fakeBybit(undefined, { allowance: 2 }));
    const rest = restOf(fake);
    await bybit.fetchListed(['BTCUSDT', 'BTCUSDT.P'], rest);
    const refused = 'bybit: status 403: too many requests, or not available in this region';
    await expect(bybit.fetchListed(['BTCUSDT'], rest)).rejects.toThrow(refused);
    expect(fake.restRequests).toHaveLength(3);
    fake.restFaults.push('451');
    await expect(bybit.fetchListed(['BTCUSDT'], rest)).rejects.toThrow('bybit: status 451');
    fake.restFaults.push('403', '451');
    const patient = venueRest(bybit, fake.restUrl, { ...DEFAULT_TIMING, ...QUICK, restBanMs: 2_000 });
    await expect(bybit.fetchListed(['BTCUSDT'], patient)).rejects.toThrow('status 403');
    const sent = fake.restRequests.length;
    const waiting = bybit.fetchListed(['BTCUSDT'], patient).catch(String);
    await Bun.sleep(50);
    expect(fake.restRequests).toHaveLength(sent);
    expect(await waiting).toContain('status 451');
  });
});
