import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, HOUR_MS } from '@tickwire/engine';
import { fuzzMapper } from '../../../../../testing/feeds/mapper-fuzz.fixture.ts';
import { SeenTrades } from '../seen-trades.ts';
import { bybitMapper, bybitRestTrade, spotId } from './mapper.ts';

const SPOT = asSymbol('BTCUSDT');
const PERPETUAL = asSymbol('BTCUSDT.P');
const SYMBOLS = new Map([
  ['BTCUSDT', SPOT],
  ['BTCUSDT.P', PERPETUAL],
]);
const RECEIVED_AT = 1_786_613_159_900;

// As recorded in August 2026 (ccxt, ts/src/test/static/ws/bybit.json, MIT).
const BOOK = {
  topic: 'orderbook.1.BTCUSDT',
  ts: 1_786_613_159_749,
  type: 'snapshot',
  data: {
    s: 'BTCUSDT',
    b: [['63705.3', '2.045546']],
    a: [['63705.4', '2.334566']],
    u: 72_212_457,
    seq: 112_603_120_278,
  },
  cts: 1_786_613_159_748,
};
const SPOT_ROW = {
  i: '2290000001190010739',
  T: 1_786_538_700_833,
  p: '64104.5',
  v: '0.00325',
  S: 'Sell',
  seq: 112_571_834_644,
  s: 'BTCUSDT',
  BT: false,
  RPI: false,
};
const SPOT_TRADES = {
  topic: 'publicTrade.BTCUSDT',
  ts: 1_786_538_700_834,
  type: 'snapshot',
  data: [SPOT_ROW, { ...SPOT_ROW, i: '2290000001190010740', v: '0.007799' }],
};
const LINEAR_TRADES = {
  topic: 'publicTrade.BTCUSDT',
  type: 'snapshot',
  ts: 1_786_540_363_844,
  data: [
    {
      T: 1_786_540_363_843,
      s: 'BTCUSDT',
      S: 'Buy',
      v: '0.015',
      p: '63976.10',
      L: 'ZeroPlusTick',
      i: 'e799c7b7-1ccc-53d9-b84a-fb7a460397bc',
      BT: false,
      RPI: false,
      seq: 760_579_112_851,
    },
  ],
};
const TICKER = {
  topic: 'tickers.BTCUSDT',
  type: 'snapshot',
  data: {
    symbol: 'BTCUSDT',
    tickDirection: 'ZeroMinusTick',
    lastPrice: '63958.60',
    markPrice: '63958.60',
    indexPrice: '63986.67',
    openInterest: '57798.137',
    openInterestValue: '3696687925.13',
    fundingIntervalHour: '8',
    nextFundingTime: '1786550400000',
    fundingRate: '0.0000544',
    preOpenPrice: '',
  },
  cs: 760_580_211_302,
  ts: 1_786_540_397_684,
};
const CHANGE = {
  topic: 'tickers.BTCUSDT',
  type: 'delta',
  data: { symbol: 'BTCUSDT', indexPrice: '63986.66' },
  cs: 760_580_218_857,
  ts: 1_786_540_397_983,
};
const GRANT = {
  success: true,
  ret_msg: 'subscribe',
  conn_id: 'd9avsh3fo0jvsls9d82g-5m9jh',
  req_id: '1',
  op: 'subscribe',
};
// As documented.
const LIQUIDATION = {
  topic: 'allLiquidation.BTCUSDT',
  type: 'snapshot',
  ts: 1_739_502_303_204,
  data: [{ T: 1_739_502_302_929, s: 'BTCUSDT', S: 'Buy', v: '0.2', p: '95000.5' }],
};

const spot = () => bybitMapper(SYMBOLS, 'spot', new SeenTrades());
const linear = (seen = new SeenTrades()) => bybitMapper(SYMBOLS, 'linear', seen);
const mapped = (message: unknown, map = spot()) => map(JSON.stringify(message), RECEIVED_AT);

describe('bybitMapper', () => {
  test('tells a perpetual from spot by the socket, and dates quotes by the matching engine', () => {
    const quote = { kind: 'quote', time: 1_786_613_159_748, bid: 63_705.3, bidSize: 2.045546, ask: 63_705.4 };
    expect(mapped(BOOK).events).toEqual([{ ...quote, symbol: SPOT, askSize: 2.334566 }] as never);
    expect(mapped(BOOK, linear()).events).toEqual([{ ...quote, symbol: PERPETUAL, askSize: 2.334566 }] as never);
  });

  test('keeps the last level of a side that is empty', () => {
    const map = spot();
    const next = (u: number, b: string[][], a: string[][]) =>
      mapped({ ...BOOK, data: { ...BOOK.data, u, b, a } }, map).events;
    expect(next(1, [['10', '1']], [])).toEqual([]);
    expect(next(2, [], [['11', '2']])).toMatchObject([{ bid: 10, bidSize: 1, ask: 11, askSize: 2 }]);
    expect(next(3, [['9', '3']], [])).toMatchObject([{ bid: 9, bidSize: 3, ask: 11, askSize: 2 }]);
    expect(next(4, [], [])).toMatchObject([{ bid: 9, ask: 11 }]);
  });

  test('skips the repetition of an unchanged quote', () => {
    const map = spot();
    expect(mapped(BOOK, map).events).toHaveLength(1);
    expect(mapped({ ...BOOK, ts: BOOK.ts + 3_000 }, map)).toEqual({ events: [], complaints: [] });
  });

  test('maps every spot trade with an exact id and the taker’s side', () => {
    const { events, complaints } = mapped(SPOT_TRADES);
    expect(complaints).toEqual([]);
    expect(events).toHaveLength(2);
    expect(events[0]).toEqual({
      kind: 'trade',
      symbol: SPOT,
      time: asEpochMs(1_786_538_700_833),
      price: 64_104.5,
      size: 0.00325,
      side: 'sell',
      sideMethod: null,
      id: 2_290_001_190_010_739,
    });
    expect(events[1]).toMatchObject({ id: 2_290_001_190_010_740 });
  });

  test('maps trades of a perpetual without ids, and drops repeated ones on any connection', () => {
    const seen = new SeenTrades();
    const { events } = mapped(LINEAR_TRADES, linear(seen));
    expect(events).toMatchObject([{ symbol: PERPETUAL, price: 63_976.1, size: 0.015, side: 'buy' }]);
    expect(events[0]).not.toContainKey('id');
    expect(mapped(LINEAR_TRADES, linear(seen))).toEqual({ events: [], complaints: [], duplicates: 1 });
  });

  test('maps the ticker of a perpetual, and of a change only what changed', () => {
    expect(mapped(TICKER, linear()).perpetuals).toEqual([
      {
        symbol: PERPETUAL,
        time: asEpochMs(TICKER.ts),
        markPrice: 63_958.6,
        indexPrice: 63_986.67,
        fundingRate: 0.0000544,
        fundingIntervalMs: 8 * HOUR_MS,
        nextFundingTime: asEpochMs(1_786_550_400_000),
        openInterest: 57_798.137,
      },
    ]);
    expect(mapped(CHANGE, linear()).perpetuals).toEqual([
      { symbol: PERPETUAL, time: asEpochMs(CHANGE.ts), indexPrice: 63_986.66 },
    ]);
    expect(mapped({ ...CHANGE, data: { lastPrice: '1' } }, linear())).toEqual({ events: [], complaints: [] });
    const negative = { ...CHANGE, data: { fundingRate: '-0.0001' } };
    expect(mapped(negative, linear()).perpetuals).toMatchObject([{ fundingRate: -0.0001 }]);
  });

  test('states the side of the order that closed a liquidated position', () => {
    const long = { symbol: PERPETUAL, time: asEpochMs(1_739_502_302_929), price: 95_000.5, size: 0.2, side: 'sell' };
    expect(mapped(LIQUIDATION, linear()).liquidations).toEqual([long] as never);
    const short = { ...LIQUIDATION, data: [{ ...LIQUIDATION.data[0], S: 'Sell' }] };
    expect(mapped(short, linear()).liquidations).toMatchObject([{ side: 'buy' }]);
  });

  test('reports replies by request, and a refused optional topic only as a complaint', () => {
    expect(mapped(GRANT).replies).toEqual([{ request: '1', error: null }]);
    const refusal = { ...GRANT, success: false, req_id: 'BTCUSDT', ret_msg: 'Invalid symbol :[orderbook.1.BTCUSDT]' };
    expect(mapped(refusal).replies).toEqual([{ request: 'BTCUSDT', error: refusal.ret_msg, refused: SPOT }]);
    expect(mapped({ ...refusal, ret_msg: 'busy' }).replies).toEqual([{ request: 'BTCUSDT', error: 'busy' }]);
    expect(mapped({ ...refusal, req_id: '' }).replies?.[0]?.request).toBe('*');
    expect(mapped({ ...refusal, req_id: 'optional1' })).toEqual({
      events: [],
      complaints: ['optional topic refused: Invalid symbol :[orderbook.1.BTCUSDT]'],
    });
    expect(mapped({ success: true, ret_msg: 'pong', op: 'ping' })).toEqual({ events: [], complaints: [] });
  });

  test('names every problem', () => {
    const spoilt = (change: object) => mapped({ ...SPOT_TRADES, data: [{ ...SPOT_ROW, ...change }] }).complaints[0];
    expect(spoilt({ i: 'e799c7b7-1ccc-53d9-b84a-fb7a460397bc' })).toStartWith('trade without id: ');
    expect(spoilt({ p: '0' })).toStartWith('trade without price: ');
    expect(spoilt({ S: 'Up' })).toStartWith('trade without side: ');
    expect(spoilt({ T: '1786538700833' })).toStartWith('trade without time: ');
    expect(mapped({ ...BOOK, topic: 'orderbook.1.LUNAUSDT' }).complaints).toEqual([
      'unknown topic: orderbook.1.LUNAUSDT',
    ]);
    expect(mapped(TICKER).complaints).toEqual(['unknown topic: tickers.BTCUSDT']);
    expect(mapped({ ...BOOK, type: 'delta' }).complaints).toEqual(['quote that is not a snapshot: delta']);
    expect(mapped({ ...BOOK, data: { ...BOOK.data, b: [['x', '1']] } }).complaints[0]).toStartWith(
      'quote without price: ',
    );
  });

  test('never throws', () => {
    fuzzMapper(spot, [BOOK, SPOT_TRADES, GRANT]);
    fuzzMapper(linear, [BOOK, LINEAR_TRADES, TICKER, CHANGE, LIQUIDATION, GRANT]);
  });
});

describe('ids of spot trades', () => {
  test('stay consecutive and rise with a new prefix', () => {
    expect(spotId('2290000001190010740')! - spotId('2290000001190010739')!).toBe(1);
    expect(spotId('2300000000000000001')!).toBeGreaterThan(spotId('2290000001190010739')!);
  });

  test('are rejected if they have no exact number', () => {
    expect(['2290010001190010739', '9990000001190010739', '12a', '', 5, null].map(spotId)).toEqual(Array(6).fill(null));
    expect(spotId('1190010739')).toBe(1_190_010_739);
  });

  test('are the same over REST', () => {
    const row = {
      execId: '2290000001190010739',
      symbol: 'BTCUSDT',
      price: '64104.5',
      size: '0.00325',
      side: 'Sell',
      time: '1786538700833',
      isBlockTrade: false,
    };
    expect(bybitRestTrade(row, SPOT)).toEqual(mapped(SPOT_TRADES).events[0] as never);
  });
});
