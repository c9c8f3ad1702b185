import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { candlesOf } from '../../../../../testing/feeds/fake-candles.fixture.ts';
import { fakeOkx } from '../../../../../testing/feeds/fake-okx.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../../testing/feeds/reference-loop.fixture.ts';
import type { PerpetualUpdate } from '../../mapper.ts';
import { DEFAULT_TIMING, type VenueBarLength, type VenueTiming } from '../venue.ts';
import { createVenueConnector, venueRest } from '../venue-connector.ts';
import { okx } from './okx.ts';

const SPOT = asSymbol('BTCUSDT');
const SWAP = asSymbol('BTCUSDT.P');
const BOTH = new Map([
  ['BTC-USDT', SPOT],
  ['BTC-USDT-SWAP', SWAP],
]);
const QUICK: Partial<VenueTiming> = {
  subscribeIntervalMs: 1,
  restIntervalMs: 0,
  restRetryMs: 1,
  confirmTimeoutMs: 30_000,
};
const at = (fake: FakeVenue, symbols = BOTH) =>
  createVenueConnector(okx, { symbols, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing: QUICK });
const restOf = (fake: FakeVenue) => venueRest(okx, fake.restUrl, { ...DEFAULT_TIMING, ...QUICK });

describe('the sockets of OKX', () => {
  test('carry quotes and data of perpetuals on one, trades on the other, sizes of swaps in coins', async () => {
    await using fake = new FakeVenue(fakeOkx());
    const updates: PerpetualUpdate[] = [];
    const sink = Object.assign(new RecordingSink(), {
      perpetuals: (some: readonly PerpetualUpdate[]) => updates.push(...some),
    });
    const connection = await at(fake).connect(sink);
    await until(() => fake.received.length === 3, 'the last request');
    const channels = fake.received.map(({ args }) => (args as { channel: string }[]).map(({ channel }) => channel));
    expect(channels.sort()).toEqual([
      ['bbo-tbt', 'bbo-tbt'],
      ['mark-price', 'funding-rate', 'open-interest', 'index-tickers', 'liquidation-orders'],
      ['trades-all', 'trades-all'],
    ]);
    const [trade] = fake.trade('BTC-USDT-SWAP');
    fake.quote('BTC-USDT-SWAP');
    await until(() => sink.trades.length === 1 && sink.quotes.length === 1, 'the trade and the quote');
    expect(sink.trades[0]).toMatchObject({ symbol: SWAP, id: trade!.id, price: Number(trade!.price) });
    expect(sink.trades[0]!.size).toBeCloseTo(Number(trade!.size) / 100, 8);
    expect(sink.quotes[0]).toMatchObject({ symbol: SWAP, bidSize: 0.015, askSize: 0.0025 });
    await until(() => updates.length === 4, 'the data of the perpetual');
    expect(Object.assign({}, ...updates)).toMatchObject({
      symbol: SWAP,
      markPrice: 60_000.5,
      indexPrice: 60_010.25,
      fundingRate: -0.0000544,
      openInterest: 57_798.137,
    });
    expect(sink.complaints).toEqual([]);
    connection.close();
  });

  test('stay open if prices are confirmed before the requests for other data are sent', async () => {
    await using fake = new FakeVenue(fakeOkx());
    const timing = { ...QUICK, subscribeIntervalMs: 600, confirmTimeoutMs: 1_000 };
    const options = { symbols: BOTH, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing };
    const connection = await createVenueConnector(okx, options).connect(new RecordingSink());
    await until(() => fake.received.length === 3, 'the last request');
    expect(await Promise.race([connection.closed, Bun.sleep(80)])).toBeUndefined();
    connection.close();
  });

  test('name an unknown instrument in the error', async () => {
    await using fake = new FakeVenue(fakeOkx());
    const symbols = new Map([['LUNA-USDT', asSymbol('LUNAUSDT')]]);
    await expect(at(fake, symbols).connect(new RecordingSink())).rejects.toThrow(
      /okx: subscription refused: 60018 Wrong URL or channel:(bbo-tbt|trades-all),instId:LUNA-USDT/,
    );
  });

  test('carry the other symbols if one is refused, which is named', async () => {
    await using fake = new FakeVenue(fakeOkx());
    const symbols = new Map([
      ['LUNA-USDT', asSymbol('LUNAUSDT')],
      ['BTC-USDT', SPOT],
    ]);
    const sink = new RecordingSink();
    const connection = await at(fake, symbols).connect(sink);
    fake.quote('BTC-USDT');
    await until(() => sink.quotes.length > 0, 'a quote');
    expect(sink.complaints.filter((each) => each.includes('LUNA-USDT')).length).toBeGreaterThanOrEqual(2);
    connection.close();
  });

  test('get text pings, whose replies are signs of life', async () => {
    await using fake = new FakeVenue(fakeOkx(), { pingMs: 60_000 });
    const venue = { ...okx, heartbeat: { text: okx.heartbeat!.text, everyMs: 10 } };
    const sink = new RecordingSink();
    const symbols = new Map([['BTC-USDT', SPOT]]);
    const options = { symbols, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing: QUICK };
    const connection = await createVenueConnector(venue, options).connect(sink);
    const before = sink.signsOfLife;
    await until(() => fake.textPings > 1 && sink.signsOfLife > before + 1, 'replies to pings');
    expect(sink.complaints).toEqual([]);
    connection.close();
  });

  test('end if one of them is silent', async () => {
    await using fake = new FakeVenue(fakeOkx(), { pingMs: 20 });
    const symbols = new Map([['BTC-USDT', SPOT]]);
    const options = { symbols, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing: QUICK, staleMs: 1_000 };
    const connection = await createVenueConnector(okx, options).connect(new RecordingSink());
    fake.stall('/ws/v5/business');
    expect(await connection.closed).toStartWith('/ws/v5/business silent');
  });

  test('end together if the venue announces that it will close one', async () => {
    await using fake = new FakeVenue(fakeOkx());
    const connection = await at(fake).connect(new RecordingSink());
    fake.sendRaw('{"event":"notice","code":"64008","msg":"The connection will soon be closed for a service upgrade."}');
    expect(await connection.closed).toBe('64008 The connection will soon be closed for a service upgrade.');
    await until(() => fake.clients === 0, 'both sockets to end');
  });
});

test('missed trades of a swap have sizes in coins', async () => {
  await using fake = new FakeVenue(fakeOkx());
  const trades = fake.trade('BTC-USDT-SWAP', 250, 'lost');
  const found = await at(fake).fetchTrades!(SWAP, { id: trades[9]!.id, time: asEpochMs(1) });
  expect(found?.map(({ id }) => id)).toEqual(trades.slice(10).map(({ id }) => id));
  expect(found![0]!.size).toBeCloseTo(Number(trades[10]!.size) / 100, 8);
});

test('a list of trades that lags behind the stream is asked for again', async () => {
  await using fake = new FakeVenue(fakeOkx());
  const trades = fake.trade('BTC-USDT', 20, 'lost');
  const after = { id: trades[5]!.id, time: asEpochMs(1) };
  const ahead = { before: trades.at(-1)!.id + 5 };
  await expect(at(fake).fetchTrades!(SPOT, after, ahead)).rejects.toThrow('do not yet reach the missed ones');
});

describe('bars of OKX', () => {
  const day = (time: number): number => time - (time % DAY_MS);

  test.each([
    ['1m', MINUTE_MS, 'BTC-USDT-SWAP', 0.01],
    ['1h', 60 * MINUTE_MS, 'BTC-USDT', 1],
    ['1d', DAY_MS, 'BTC-USDT', 1],
  ] as [VenueBarLength, number, string, number][])(
    'of %s equal the candles of the venue, older ones from another list',
    async (length, span, venueSymbol, unit) => {
      const now = Date.now();
      let clock = now - 1_600 * span;
      await using fake = new FakeVenue(fakeOkx(), { now: () => clock });
      for (; clock < now; clock += span) fake.trade(venueSymbol, 2, 'lost');
      clock = now;
      const from = asEpochMs(now - 1_600 * span - ((now - 1_600 * span) % span));
      const request = { symbol: SPOT, venueSymbol, length, from, to: asEpochMs(now - (now % span)) };
      const bars = await okx.fetchBars!(request, restOf(fake));
      const expected = candlesOf(fake.tape, venueSymbol, span, from, request.to - 1);
      // The bar that has just ended may still be running on a clock that is behind.
      expect(bars.length).toBeGreaterThanOrEqual(expected.length - 1);
      for (const [index, { time, open, high, low, close, volume }] of bars.entries()) {
        const candle = expected[index]!;
        expect([time as number, open, high, low, close]).toEqual([
          candle.time,
          ...[candle.open, candle.high, candle.low, candle.close].map(Number),
        ]);
        expect(volume).toBeCloseTo(Number(candle.volume) * unit, 7);
      }
      const lists = new Set(fake.restRequests.map(({ pathname }) => pathname.split('/').at(-1)));
      expect(lists).toEqual(new Set(['history-candles', 'candles']));
    },
  );

  test('of a day start at midnight UTC', async () => {
    await using fake = new FakeVenue(fakeOkx());
    const to = asEpochMs(day(Date.now()));
    await okx.fetchBars!(
      { symbol: SPOT, venueSymbol: 'BTC-USDT', length: '1d', from: asEpochMs(to - DAY_MS), to },
      restOf(fake),
    );
    expect(fake.restRequests.map(({ searchParams }) => searchParams.get('bar'))).toEqual(['1Dutc']);
  });
});

describe('the lists of OKX', () => {
  test('have spot and linear swaps with contract sizes, classes and last prices', async () => {
    await using fake = new FakeVenue(fakeOkx(['BTC-USDT', 'XAU-USDT-SWAP']));
    expect(await okx.listInstruments!(restOf(fake))).toEqual([
      {
        venueSymbol: 'BTC-USDT',
        symbol: SPOT,
        name: 'BTC / USDT',
        type: 'crypto',
        digits: 2,
        quoteCurrency: 'USDT',
        lastPrice: 60_001.5,
      },
      {
        venueSymbol: 'XAU-USDT-SWAP',
        symbol: asSymbol('XAUUSDT.P'),
        name: 'XAU / USDT perpetual',
        type: 'metal',
        digits: 2,
        contract: 'perpetual',
        underlying: 'XAU',
        quoteCurrency: 'USDT',
        contractSize: 0.01,
        lastPrice: 60_001.5,
      },
    ]);
  });

  test('leave out symbols that the venue does not know', async () => {
    await using fake = new FakeVenue(fakeOkx());
    const listed = await okx.fetchListed(['BTC-USDT', 'LUNA-USDT', 'LUNA-USDT-SWAP'], restOf(fake));
    expect(listed).toEqual(new Map([['BTC-USDT', { digits: 2, isTrading: true }]]));
  });

  test('are asked for again after a rate limit, and refused with a reason in a blocked region', async () => {
    await using fake = new FakeVenue(fakeOkx());
    const rest = restOf(fake);
    fake.restFaults.push('429');
    expect(await okx.fetchListed(['BTC-USDT'], rest)).toEqual(new Map([['BTC-USDT', { digits: 2, isTrading: true }]]));
    expect(fake.restRequests).toHaveLength(2);
    fake.restFaults.push('451');
    await expect(okx.fetchListed(['BTC-USDT'], rest)).rejects.toThrow('okx: status 451 (public/instruments)');
  });
});
