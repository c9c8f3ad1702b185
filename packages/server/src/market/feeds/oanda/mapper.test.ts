import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type Bar } from '@tickwire/engine';
import fc from 'fast-check';
import { candleOf, priceOf } from '../../../../testing/feeds/fake-oanda.fixture.ts';
import { checkMapped, fuzzMapper } from '../../../../testing/feeds/mapper-fuzz.fixture.ts';
import {
  recordedCandles,
  recordedInstruments,
  recordedObjects,
  recordedStream,
} from '../../../../testing/feeds/recorded-oanda.fixture.ts';
import { oandaMapper, oandaMinute, offeredInstruments } from './mapper.ts';

const NAMES = new Map([
  ['EUR_USD', asSymbol('EURUSD')],
  ['EUR_JPY', asSymbol('EURJPY')],
]);
const TIME = '2016-10-27T08:38:45.664999999Z';
const map = oandaMapper(NAMES);
const mapped = (message: unknown) => map(JSON.stringify(message), 0);
const price = (more: Record<string, unknown> = {}) => ({
  ...priceOf('EUR_USD', '1.09177', '1.09188', { time: TIME, liquidity: 10_000_000 }),
  ...more,
});

describe('oandaMapper', () => {
  test('maps a price to a quote of the best level on each side, with a truncated time', () => {
    const deep = price({
      bids: [
        { price: '1.09177', liquidity: 1_000_000 },
        { price: '1.09175', liquidity: 10_000_000 },
      ],
    });
    expect(mapped(deep)).toEqual({
      events: [
        {
          kind: 'quote',
          symbol: asSymbol('EURUSD'),
          time: asEpochMs(Date.UTC(2016, 9, 27, 8, 38, 45, 664)),
          bid: 1.09177,
          ask: 1.09188,
          bidSize: 1_000_000,
          askSize: 10_000_000,
        },
      ],
      complaints: [],
    });
  });

  test('passes on a price with more digits than the instrument', () => {
    expect(mapped(price({ bids: [{ price: '1.0917765', liquidity: 1 }] })).events[0]).toMatchObject({ bid: 1.0917765 });
  });

  test('maps a heartbeat to nothing', () => {
    expect(mapped({ type: 'HEARTBEAT', time: TIME })).toEqual({ events: [], complaints: [] });
  });

  test('rejects a price that is not tradeable, by the new field and the deprecated one', () => {
    for (const more of [
      { tradeable: false },
      { status: 'non-tradeable' },
      { status: 'invalid' },
      { tradeable: null },
    ]) {
      expect(mapped(price(more))).toEqual({ events: [], complaints: ['not tradeable: EUR_USD'] });
    }
    expect(mapped(price({ tradeable: undefined })).events).toHaveLength(1);
    expect(mapped(price({ status: undefined })).events).toHaveLength(1);
  });

  test.each([
    ['quote without price', { bids: [] }],
    ['quote without price', { asks: [] }],
    ['quote without price', { asks: 'none' }],
    ['quote without price', { bids: [{ price: '-1', liquidity: 1 }] }],
    ['quote without price', { bids: [{ price: 'NaN', liquidity: 1 }] }],
    ['quote with a bad size', { asks: [{ price: '1.2', liquidity: -5 }] }],
    ['quote without time', { time: '1477557525.664999999' }],
    ['quote without time', { time: undefined }],
    ['unknown symbol', { instrument: 'USD_TRY' }],
    ['unknown symbol', { instrument: undefined }],
    ['unknown type', { type: 'ORDER_FILL' }],
  ])('rejects %s: %j', (name, more) => {
    const { events, complaints } = mapped(price(more));
    expect(events).toEqual([]);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toStartWith(`${name}: `);
  });

  test('uses size 0 if there is none', () => {
    expect(mapped(price({ bids: [{ price: '1.09' }] })).events[0]).toMatchObject({ bid: 1.09, bidSize: 0 });
  });

  test('never throws', () => {
    fuzzMapper(() => oandaMapper(NAMES), [price(), { type: 'HEARTBEAT', time: TIME }, { errorMessage: 'no' }]);
  });

  test('maps every recorded line of a stream', () => {
    const events = recordedStream.map((line) => mapped(line));
    expect(events.flatMap(({ complaints }) => complaints)).toEqual([]);
    expect(events.map(({ events: [event] }) => event)).toEqual([
      quoteAt('EURJPY', Date.UTC(2016, 9, 27, 8, 38, 43, 94), 114.295, 114.312, 1_000_000),
      undefined,
      quoteAt('EURUSD', Date.UTC(2016, 9, 27, 8, 38, 45, 664), 1.09177, 1.09188, 10_000_000),
      quoteAt('EURJPY', Date.UTC(2016, 9, 27, 8, 38, 45, 681), 114.298, 114.315, 1_000_000),
    ]);
  });

  test('rejects every other recorded message by name', () => {
    expect(recordedObjects.length).toBeGreaterThan(200);
    for (const message of recordedObjects) {
      const text = JSON.stringify(message) ?? '';
      const result = map(text, 0);
      checkMapped(result);
      // The transaction stream has heartbeats too.
      const isKnown = recordedStream.includes(message as object) || text.startsWith('{"type":"HEARTBEAT"');
      expect(result.complaints).toHaveLength(isKnown ? 0 : 1);
    }
  });
});

describe('oandaMinute', () => {
  test('maps a complete minute to a bar of bids with the number of prices as volume', () => {
    const bid = { o: '1.09946', h: '1.09954', l: '1.09944', c: '1.09951' };
    expect(oandaMinute({ complete: true, volume: 22, time: '2016-10-17T19:35:00.000000000Z', bid })).toEqual({
      time: asEpochMs(Date.UTC(2016, 9, 17, 19, 35)),
      open: 1.09946,
      high: 1.09954,
      low: 1.09944,
      close: 1.09951,
      volume: 22,
      bidVolume: 0,
      askVolume: 0,
      basis: 'bid',
    });
  });

  test('marks a running minute as partial', () => {
    const whole = oandaMinute(candleOf(60_000)) as Bar;
    expect(oandaMinute(candleOf(60_000, false))).toEqual({ ...whole, partial: true });
  });

  test.each([
    ['candle that is not an object', []],
    ['candle without complete flag', { ...candleOf(60_000), complete: undefined }],
    ['candle without minute', { ...candleOf(60_000), time: '2016-10-17T19:35:07Z' }],
    ['candle without bid prices', { ...candleOf(60_000), bid: undefined, mid: { o: '1', h: '1', l: '1', c: '1' } }],
    ['candle without bid prices', { ...candleOf(60_000), bid: { o: '1', h: '1', l: '0', c: '1' } }],
    ['candle with inconsistent prices', { ...candleOf(60_000), bid: { o: '2', h: '1', l: '1', c: '1' } }],
    ['candle without volume', { ...candleOf(60_000), volume: -1 }],
  ])('%s', (name, candle) => {
    expect(oandaMinute(candle)).toBe(name);
  });

  test('returns a bar or the name of a problem for any input', () => {
    const spoilt = fc
      .tuple(fc.constantFrom('complete', 'volume', 'time', 'bid'), fc.jsonValue())
      .map(([key, value]) => ({ ...candleOf(60_000), [key]: value }));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), spoilt), (candle) => {
        const bar = oandaMinute(candle);
        if (typeof bar === 'string') return;
        expect(bar.low).toBeGreaterThan(0);
        expect(bar.high).toBeGreaterThanOrEqual(bar.low);
      }),
    );
  });

  test('rejects recorded candles of mid prices', () => {
    const { candles } = recordedCandles as { candles: object[] };
    expect(new Set(candles.map(oandaMinute))).toEqual(new Set(['candle without bid prices']));
    // With the side renamed they are bars.
    const bars = candles.map((each) => oandaMinute({ ...each, complete: true, bid: (each as { mid: object }).mid }));
    expect(bars[0]).toMatchObject({ open: 10_503.8, high: 10_508, low: 10_503.8, close: 10_506, volume: 132 });
    expect(bars.every((bar) => typeof bar === 'object')).toBe(true);
  });
});

describe('offeredInstruments', () => {
  test('reads names from a recorded response', () => {
    expect([...offeredInstruments(recordedInstruments)!.keys()]).toEqual(
      expect.arrayContaining(['EU50_EUR', 'EUR_USD', 'US30_USD', 'DE30_EUR']),
    );
  });

  test('returns null without a list, and skips entries without a name', () => {
    expect(offeredInstruments(recordedInstruments)!.get('EUR_USD')).toEqual({ digits: 5, pipSize: 0.0001 });
    expect(offeredInstruments(recordedInstruments)!.get('DE30_EUR')).toEqual({ digits: 1, pipSize: 1 });
    expect(offeredInstruments({ errorMessage: 'no' })).toBeNull();
    expect(offeredInstruments(null)).toBeNull();
    expect([...offeredInstruments({ instruments: [null, 5, { name: 7 }, { name: 'EUR_USD' }] })!]).toEqual([
      ['EUR_USD', null],
    ]);
  });
});

const quoteAt = (symbol: string, time: number, bid: number, ask: number, size: number) =>
  ({ kind: 'quote', symbol: asSymbol(symbol), time: asEpochMs(time), bid, ask, bidSize: size, askSize: size }) as const;
