import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { fuzzMapper } from '../../../../../testing/feeds/mapper-fuzz.fixture.ts';
import { binanceusdmMapper } from './mapper.ts';

const XAU = asSymbol('XAUUSDT.P');
const SYMBOLS = new Map([['XAUUSDT', XAU]]);
const T = 1_776_945_600_123;
const QUOTE = {
  stream: 'xauusdt@bookTicker',
  data: {
    e: 'bookTicker',
    u: 400_900_217,
    E: T + 1,
    T,
    s: 'XAUUSDT',
    b: '4337.01',
    B: '31.210',
    a: '4337.02',
    A: '4.6',
  },
};
const TRADE = {
  stream: 'xauusdt@aggTrade',
  data: { e: 'aggTrade', E: T + 5, a: 5_933_014, s: 'XAUUSDT', p: '4337.02', q: '1.5', f: 100, l: 105, T, m: true },
};
const MARK = {
  stream: 'xauusdt@markPrice',
  data: {
    e: 'markPriceUpdate',
    E: T,
    s: 'XAUUSDT',
    p: '4336.90000000',
    i: '4337.10000000',
    P: '4337.05000000',
    r: '-0.00003816',
    T: 1_776_960_000_000,
  },
};
const FORCED = {
  stream: 'xauusdt@forceOrder',
  data: {
    e: 'forceOrder',
    E: T + 9,
    o: {
      s: 'XAUUSDT',
      S: 'SELL',
      o: 'LIMIT',
      f: 'IOC',
      q: '2',
      p: '4310',
      ap: '4325.5',
      X: 'FILLED',
      l: '1',
      z: '1.9',
      T,
    },
  },
};
const mapped = (message: unknown) => binanceusdmMapper(SYMBOLS)(JSON.stringify(message), T + 50);

describe('binanceusdmMapper', () => {
  test('dates quotes by the venue, whose bookTicker has a time', () => {
    expect(mapped(QUOTE).events).toEqual([
      { kind: 'quote', symbol: XAU, time: asEpochMs(T), bid: 4_337.01, ask: 4_337.02, bidSize: 31.21, askSize: 4.6 },
    ]);
  });

  test('maps an aggregate trade with its own id; the taker sold if the buyer was the maker', () => {
    expect(mapped(TRADE).events).toEqual([
      {
        kind: 'trade',
        symbol: XAU,
        time: asEpochMs(T),
        price: 4_337.02,
        size: 1.5,
        side: 'sell',
        sideMethod: null,
        id: 5_933_014,
      },
    ]);
    expect(mapped({ ...TRADE, data: { ...TRADE.data, m: false } }).events[0]).toMatchObject({ side: 'buy' });
  });

  test('maps mark and index price, the funding rate and its next time', () => {
    expect(mapped(MARK).perpetuals).toEqual([
      {
        symbol: XAU,
        time: asEpochMs(T),
        markPrice: 4_336.9,
        indexPrice: 4_337.1,
        fundingRate: -0.00003816,
        nextFundingTime: asEpochMs(1_776_960_000_000),
      },
    ]);
    const unfunded = mapped({ ...MARK, data: { ...MARK.data, r: '', T: 0 } }).perpetuals![0]!;
    expect(Object.keys(unfunded)).toEqual(['symbol', 'time', 'markPrice', 'indexPrice']);
  });

  test('maps a liquidation at the average price of its fills', () => {
    expect(mapped(FORCED)).toEqual({
      events: [],
      complaints: [],
      liquidations: [{ symbol: XAU, time: asEpochMs(T), price: 4_325.5, size: 1.9, side: 'sell' }],
    });
  });

  test('reports replies under the ids of their requests, and takes the answer to the heartbeat as silence', () => {
    expect(mapped({ result: null, id: 7 }).replies).toEqual([{ request: '7', error: null }]);
    expect(mapped({ error: { code: 2, msg: 'Invalid request' }, id: 7 }).replies?.[0]?.error).toContain('Invalid');
    expect(mapped({ result: ['xauusdt@aggTrade'], id: 0 })).toEqual({ events: [], complaints: [] });
  });

  test('names every problem', () => {
    const spoilt = (message: { data: object }, change: object) =>
      mapped({ ...message, data: { ...message.data, ...change } }).complaints[0]!.split(':')[0];
    expect(spoilt(TRADE, { m: 'yes' })).toBe('trade without side');
    expect(spoilt(TRADE, { p: '0.00' })).toBe('trade without price');
    expect(spoilt(TRADE, { a: '12' })).toBe('trade without id');
    expect(spoilt(TRADE, { s: 'LUNAUSDT' })).toBe('unknown symbol');
    expect(spoilt(QUOTE, { T: undefined })).toBe('quote without time');
    expect(spoilt(QUOTE, { b: '' })).toBe('quote without price');
    expect(spoilt(MARK, { p: null })).toBe('perpetual data incomplete');
    expect(spoilt(FORCED, { o: { s: 'XAUUSDT' } })).toBe('liquidation incomplete');
    expect(spoilt(FORCED, { o: null })).toBe('unknown event');
    expect(spoilt(TRADE, { e: 'trade' })).toBe('unknown event');
    expect(mapped({ stream: 'x' }).complaints).toEqual(['stream without data: x']);
  });

  test('never throws', () => {
    fuzzMapper(() => binanceusdmMapper(SYMBOLS), [QUOTE, TRADE, MARK, FORCED, { result: null, id: 1 }]);
  });
});
