import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { checkMapped, fuzzMapper } from '../../../../../testing/feeds/mapper-fuzz.fixture.ts';
import { rawMessages } from '../../../../../testing/feeds/recorded-messages.fixture.ts';
import { coinbaseMapper } from './mapper.ts';

const SYMBOLS = new Map([['BTC-USD', asSymbol('BTCUSD')]]);
const MATCH = {
  type: 'match',
  trade_id: 10,
  sequence: 50,
  maker_order_id: 'ac928c66-ca53-498f-9c13-a110027a60e8',
  taker_order_id: '132fb6ae-456b-4654-b4e0-d681ac05cea1',
  time: '2014-11-07T08:19:27.028459Z',
  product_id: 'BTC-USD',
  size: '5.23512',
  price: '400.23',
  side: 'sell',
};
const SNAPSHOT = {
  type: 'snapshot',
  product_id: 'BTC-USD',
  bids: [
    ['10101.10', '0.45054140'],
    ['10101.00', '1.00000000'],
  ],
  asks: [['10102.55', '0.57753524']],
};
const update = (...changes: string[][]) => ({
  type: 'l2update',
  product_id: 'BTC-USD',
  time: '2022-08-04T15:25:05.010758Z',
  changes,
});
const RECEIVED_AT = Date.UTC(2022, 7, 4, 15, 25);
const GRANT = {
  type: 'subscriptions',
  channels: [
    { name: 'matches', product_ids: ['BTC-USD'] },
    // The venue's name of level2_batch.
    { name: 'level2_50', product_ids: ['BTC-USD'] },
  ],
};
const mapped = (...messages: unknown[]) => {
  const map = coinbaseMapper(SYMBOLS);
  return messages.map((message) => map(JSON.stringify(message), RECEIVED_AT)).at(-1)!;
};
const quoteOf = (...messages: unknown[]) =>
  mapped(...messages).events.map(
    (event) => event.kind === 'quote' && [event.bid, event.bidSize, event.ask, event.askSize],
  );

describe('coinbaseMapper', () => {
  test('maps the maker’s side of a match to the taker’s', () => {
    expect(mapped(MATCH).events).toEqual([
      {
        kind: 'trade',
        symbol: asSymbol('BTCUSD'),
        time: asEpochMs(Date.UTC(2014, 10, 7, 8, 19, 27, 28)),
        price: 400.23,
        size: 5.23512,
        side: 'buy',
        sideMethod: null,
        id: 10,
      },
    ]);
    expect(mapped({ ...MATCH, side: 'buy' }).events[0]).toMatchObject({ side: 'sell' });
  });

  test('makes quotes of the best levels of the book, each time they change', () => {
    const time = asEpochMs(RECEIVED_AT);
    const quote = { kind: 'quote', symbol: asSymbol('BTCUSD'), bid: 10_101.1, bidSize: 0.4505414, ask: 10_102.55 };
    expect(mapped(SNAPSHOT).events).toEqual([{ ...quote, time, askSize: 0.57753524 }] as never);
    const inside = mapped(SNAPSHOT, update(['sell', '10102.00', '2.00000000']));
    expect(inside.events).toEqual([
      { ...quote, time: asEpochMs(Date.UTC(2022, 7, 4, 15, 25, 5, 10)), ask: 10_102, askSize: 2 },
    ] as never);
    // The next level becomes the best.
    expect(quoteOf(SNAPSHOT, update(['buy', '10101.10', '0.00000000']))).toEqual([[10_101, 1, 10_102.55, 0.57753524]]);
    // Other spelling of the same price.
    expect(quoteOf(SNAPSHOT, update(['buy', '10101.1', '3']))).toEqual([[10_101.1, 3, 10_102.55, 0.57753524]]);
  });

  test('makes no quote of a change behind the best levels, or while a side is empty', () => {
    expect(mapped(SNAPSHOT, update(['buy', '10000.00', '5']))).toEqual({ events: [], complaints: [] });
    expect(mapped(SNAPSHOT, update(['sell', '10102.55', '0']))).toEqual({ events: [], complaints: [] });
  });

  test('uses the time of a snapshot if it has one', () => {
    expect(mapped({ ...SNAPSHOT, time: '2024-08-04T15:25:05.5Z' }).events[0]!.time as number).toBe(
      Date.UTC(2024, 7, 4, 15, 25, 5, 500),
    );
  });

  test('asks for a new snapshot if a change cannot be read or the book stays crossed', () => {
    expect(mapped(SNAPSHOT, update(['hold', '1', '1'])).closing).toBe('unusable change of the book');
    expect(mapped(SNAPSHOT, { ...update(), time: 0 }).closing).toBe('unusable change of the book');
    expect(mapped({ ...SNAPSHOT, bids: [['x', '1']] }).closing).toBe('unusable snapshot');
    const crossing = update(['buy', '10103.00', '1']);
    expect(mapped(SNAPSHOT, crossing)).toEqual({ events: [], complaints: ['crossed book: BTCUSD'] });
    expect(mapped(SNAPSHOT, ...Array(20).fill(crossing)).closing).toBe('the book of BTCUSD stays crossed');
    // A book that recovers is used again.
    expect(quoteOf(SNAPSHOT, crossing, update(['buy', '10103.00', '0'], ['buy', '10101.10', '9']))).toHaveLength(1);
  });

  test('skips the last match before the subscription, and heartbeats', () => {
    expect(mapped({ ...MATCH, type: 'last_match' })).toEqual({ events: [], complaints: [] });
    expect(mapped({ type: 'heartbeat', last_trade_id: 20 })).toEqual({ events: [], complaints: [] });
  });

  test('confirms subscriptions from the list of active ones, and rejects all on an error', () => {
    expect(mapped(GRANT).replies).toEqual([
      { request: 'matches BTC-USD', error: null },
      { request: 'level2_batch BTC-USD', error: null },
    ]);
    expect(
      mapped({ type: 'error', message: 'Failed to subscribe', reason: 'X-Y is not a valid product' }).replies,
    ).toEqual([{ request: '*', error: 'Failed to subscribe: X-Y is not a valid product' }]);
  });

  test('names every problem', () => {
    expect(mapped({ ...MATCH, trade_id: '10' }).complaints[0]).toStartWith('trade without id: ');
    expect(mapped({ ...MATCH, time: '07.11.2014' }).complaints[0]).toStartWith('trade without time: ');
    expect(mapped({ ...MATCH, product_id: 'LUNA-USD' }).complaints).toEqual(['unknown symbol: LUNA-USD']);
    expect(mapped(update(['buy', '1', '1'])).complaints[0]).toStartWith('change without snapshot: ');
    expect(mapped({ type: 'open' }).complaints).toEqual(['unknown type: open']);
  });

  test('never throws', () => {
    fuzzMapper(
      () => coinbaseMapper(SYMBOLS),
      [MATCH, SNAPSHOT, update(['buy', '1', '1']), GRANT, { type: 'error', message: 'no', reason: 'so' }],
    );
  });
});

test('maps or rejects every real message by name', async () => {
  const messages = await rawMessages('coinbase_pro', 'coinbase');
  expect(messages.length).toBe(10);
  const events = messages.flatMap((message) => {
    const result = mapped(message);
    checkMapped(result);
    return result.events;
  });
  expect(events.map((event) => event.kind).sort()).toEqual(['quote', 'trade']);
});
