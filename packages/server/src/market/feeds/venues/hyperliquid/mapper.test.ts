import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, HOUR_MS } from '@tickwire/engine';
import { fuzzMapper } from '../../../../../testing/feeds/mapper-fuzz.fixture.ts';
import { SeenTrades } from '../seen-trades.ts';
import { hyperliquidMapper } from './mapper.ts';

const BTC = asSymbol('BTCUSDC.P');
const GOLD = asSymbol('GOLDUSDC.P');
const SYMBOLS = new Map([
  ['BTC', BTC],
  ['xyz:GOLD', GOLD],
]);
const LOCAL = 1_790_000_065_100;
const BBO = {
  channel: 'bbo',
  data: {
    coin: 'BTC',
    time: 1_790_000_065_008,
    bbo: [
      { px: '71250.0', sz: '0.0125', n: 2 },
      { px: '71251.0', sz: '8.4125', n: 46 },
    ],
  },
};
const SELL = {
  coin: 'BTC',
  side: 'A',
  px: '71250.0',
  sz: '0.0031',
  time: 1_790_000_042_052,
  hash: '0x0000000000000000000000000000000000000000000000000000000000000000',
  tid: 912_345_678_901_234,
  users: ['0x1', '0x2'],
};
const BUY = { ...SELL, side: 'B', px: '71251.0', sz: '0.2', tid: 123_456_789_012_345 };
const TRADES = { channel: 'trades', data: [SELL, BUY] };
const CONTEXT = {
  channel: 'activeAssetCtx',
  data: {
    coin: 'BTC',
    ctx: {
      funding: '-0.0000031',
      openInterest: '31500.25',
      prevDayPx: '70000.0',
      dayNtlVlm: '2250000000.5',
      premium: null,
      oraclePx: '71240.5',
      markPx: '71251.0',
      midPx: null,
      impactPxs: null,
      dayBaseVlm: '31000.5',
    },
  },
};
const ACKNOWLEDGED = {
  channel: 'subscriptionResponse',
  data: { method: 'subscribe', subscription: { type: 'bbo', coin: 'xyz:GOLD' } },
};
const create = () => hyperliquidMapper(SYMBOLS, new SeenTrades());
const mapped = (message: unknown, map = create()) => map(JSON.stringify(message), LOCAL);

describe('hyperliquidMapper', () => {
  test('maps the best bid and ask at the time of the venue', () => {
    expect(mapped(BBO)).toEqual({
      events: [
        {
          kind: 'quote',
          symbol: BTC,
          time: asEpochMs(1_790_000_065_008),
          bid: 71_250,
          ask: 71_251,
          bidSize: 0.0125,
          askSize: 8.4125,
        },
      ],
      complaints: [],
    });
  });

  test('has no quote while a side of the book is empty', () => {
    for (const bbo of [
      [null, null],
      [BBO.data.bbo[0], null],
      [null, BBO.data.bbo[1]],
    ])
      expect(mapped({ ...BBO, data: { ...BBO.data, bbo } })).toEqual({ events: [], complaints: [] });
  });

  test('maps every trade without an id; side A is a taker who sold, B one who bought', () => {
    const { events, complaints } = mapped(TRADES);
    expect(events).toEqual([
      {
        kind: 'trade',
        symbol: BTC,
        time: asEpochMs(1_790_000_042_052),
        price: 71_250,
        size: 0.0031,
        side: 'sell',
        sideMethod: null,
      },
      {
        kind: 'trade',
        symbol: BTC,
        time: asEpochMs(1_790_000_042_052),
        price: 71_251,
        size: 0.2,
        side: 'buy',
        sideMethod: null,
      },
    ]);
    expect(complaints).toEqual([]);
  });

  test('leaves out trades that were seen before, also by an earlier connection, and counts them', () => {
    const seen = new SeenTrades();
    mapped({ channel: 'trades', data: [BUY] }, hyperliquidMapper(SYMBOLS, seen));
    const again = mapped(TRADES, hyperliquidMapper(SYMBOLS, seen));
    expect(again.events.map((event) => event.kind === 'trade' && event.side)).toEqual(['sell']);
    expect(again.duplicates).toBe(1);
    // The same id of another coin is another trade.
    expect(
      mapped({ channel: 'trades', data: [{ ...BUY, coin: 'xyz:GOLD' }] }, hyperliquidMapper(SYMBOLS, seen)).events,
    ).toHaveLength(1);
  });

  test('maps mark, oracle, hourly funding and open interest on the clock of the venue', () => {
    const map = create();
    mapped(BBO, map);
    const time = 1_790_000_065_008;
    expect(mapped(CONTEXT, map).perpetuals).toEqual([
      {
        symbol: BTC,
        time: asEpochMs(time),
        markPrice: 71_251,
        indexPrice: 71_240.5,
        fundingRate: -0.0000031,
        fundingIntervalMs: HOUR_MS,
        nextFundingTime: asEpochMs(time - (time % HOUR_MS) + HOUR_MS),
        openInterest: 31_500.25,
      },
    ]);
  });

  test('takes the echo of a subscription as its confirmation', () => {
    expect(mapped(ACKNOWLEDGED).replies).toEqual([{ request: 'bbo xyz:GOLD', error: null }]);
    expect(mapped({ channel: 'pong' })).toEqual({ events: [], complaints: [] });
  });

  test('names the symbol of a refused subscription, and waits for none that prices do not need', () => {
    const refusal = (type: string) =>
      mapped({ channel: 'error', data: `Invalid subscription {"type":"${type}","coin":"xyz:GOLD"}` });
    expect(refusal('trades').replies).toEqual([
      { request: 'trades xyz:GOLD', error: expect.stringContaining('Invalid'), refused: GOLD },
    ]);
    const optional = refusal('activeAssetCtx');
    expect(optional.replies).toEqual([{ request: 'activeAssetCtx xyz:GOLD', error: null }]);
    expect(optional.complaints[0]).toStartWith('refused by the venue: Invalid subscription');
    expect(mapped({ channel: 'error', data: 'Too many requests' }).replies).toEqual([]);
  });

  test('names every problem', () => {
    const spoilt = (change: object) =>
      mapped({ channel: 'trades', data: [{ ...SELL, ...change }] }).complaints[0]!.split(':')[0];
    expect(spoilt({ side: 'buy' })).toBe('trade without side');
    expect(spoilt({ px: '0' })).toBe('trade without price');
    expect(spoilt({ sz: null })).toBe('trade without size');
    expect(spoilt({ tid: '12' })).toBe('trade without id');
    expect(spoilt({ time: 1_790_000_042_052_123 })).toBe('trade without time');
    expect(spoilt({ coin: 'LUNA' })).toBe('unknown symbol');
    expect(mapped({ channel: 'l2Book', data: {} }).complaints).toEqual(['unknown channel: l2Book']);
    expect(mapped({ ...BBO, data: { ...BBO.data, bbo: [{}, {}] } }).complaints[0]).toStartWith('quote without price: ');
    expect(mapped({ ...CONTEXT, data: { coin: 'BTC', ctx: {} } }).complaints[0]).toStartWith('perpetual data ');
    expect(create()('Websocket connection established.', LOCAL).complaints[0]).toStartWith('not a JSON object: ');
  });

  test('never throws', () => {
    fuzzMapper(create, [BBO, TRADES, CONTEXT, ACKNOWLEDGED]);
  });
});
