import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { checkMapped, fuzzMapper } from '../../../../../testing/feeds/mapper-fuzz.fixture.ts';
import { messagesMissing, rawMessages } from '../../../../../testing/feeds/recorded-messages.fixture.ts';
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
const TICKER = {
  type: 'ticker',
  sequence: 37_475_248_783,
  product_id: 'BTC-USD',
  price: '29940.91',
  best_bid: '29940.90',
  best_bid_size: '0.46688654',
  best_ask: '29940.91',
  best_ask_size: '1.56637040',
  side: 'buy',
  time: '2022-06-02T09:20:54.127011Z',
  trade_id: 370_843_401,
  last_size: '11.4396987',
};
const GRANT = { type: 'subscriptions', channels: [{ name: 'matches', product_ids: ['BTC-USD'] }] };
const mapped = (message: unknown) => coinbaseMapper(SYMBOLS)(JSON.stringify(message), 0);

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

  test('maps a ticker to a quote, with size 0 if it has none', () => {
    expect(mapped(TICKER).events).toEqual([
      {
        kind: 'quote',
        symbol: asSymbol('BTCUSD'),
        time: asEpochMs(Date.UTC(2022, 5, 2, 9, 20, 54, 127)),
        bid: 29_940.9,
        ask: 29_940.91,
        bidSize: 0.46688654,
        askSize: 1.5663704,
      },
    ]);
    const { best_bid_size: _, ...old } = TICKER;
    expect(mapped(old).events[0]).toMatchObject({ bidSize: 0 });
  });

  test('skips the last match before the subscription, and heartbeats', () => {
    expect(mapped({ ...MATCH, type: 'last_match' })).toEqual({ events: [], complaints: [] });
    expect(mapped({ type: 'heartbeat', last_trade_id: 20 })).toEqual({ events: [], complaints: [] });
  });

  test('confirms subscriptions from the list of active ones, and rejects all on an error', () => {
    expect(mapped(GRANT).replies).toEqual([{ request: 'matches BTC-USD', error: null }]);
    expect(
      mapped({ type: 'error', message: 'Failed to subscribe', reason: 'X-Y is not a valid product' }).replies,
    ).toEqual([{ request: '*', error: 'Failed to subscribe: X-Y is not a valid product' }]);
  });

  test('names every problem', () => {
    expect(mapped({ ...MATCH, trade_id: '10' }).complaints[0]).toStartWith('trade without id: ');
    expect(mapped({ ...MATCH, time: '07.11.2014' }).complaints[0]).toStartWith('trade without time: ');
    expect(mapped({ ...MATCH, product_id: 'LUNA-USD' }).complaints).toEqual(['unknown symbol: LUNA-USD']);
    expect(mapped({ ...TICKER, best_ask: '0' }).complaints[0]).toStartWith('quote without price: ');
    expect(mapped({ type: 'l2update' }).complaints).toEqual(['unknown type: l2update']);
  });

  test('never throws', () => {
    fuzzMapper(() => coinbaseMapper(SYMBOLS), [MATCH, TICKER, GRANT, { type: 'error', message: 'no', reason: 'so' }]);
  });
});

test.skipIf(messagesMissing)('maps or rejects every real message by name', async () => {
  const messages = await rawMessages('coinbase_pro', 'coinbase');
  expect(messages.length).toBe(10);
  const events = messages.flatMap((message) => {
    const result = mapped(message);
    checkMapped(result);
    return result.events;
  });
  expect(events.map((event) => event.kind).sort()).toEqual(['quote', 'trade']);
});
