import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { check, fuzz } from '../mapper-fuzz.fixture.ts';
import { rawMessages, realData } from '../real-data.fixture.ts';
import { krakenMapper, krakenRestTrade } from './mapper.ts';

const SYMBOLS = new Map([
  ['BTC/USD', asSymbol('BTCUSD')],
  ['MATIC/USD', asSymbol('MATICUSD')],
]);
const LOCAL = 1_695_628_177_000;
const ROW = {
  symbol: 'MATIC/USD',
  side: 'sell',
  price: 0.5117,
  qty: 40,
  ord_type: 'market',
  trade_id: 4_665_906,
  timestamp: '2023-09-25T07:49:37.708706Z',
};
const TRADES = { channel: 'trade', type: 'update', data: [ROW, { ...ROW, side: 'buy', trade_id: 4_665_907 }] };
const TICKER = {
  channel: 'ticker',
  type: 'snapshot',
  data: [
    { symbol: 'BTC/USD', bid: 26_000.1, bid_qty: 0.5, ask: 26_000.2, ask_qty: 1.25, last: 26_000.1, volume: 12.5 },
  ],
};
const GRANT = { method: 'subscribe', req_id: 1, result: { channel: 'trade', symbol: 'BTC/USD' }, success: true };
const mapped = (message: unknown, map = krakenMapper(SYMBOLS)) => map(JSON.stringify(message), LOCAL);

describe('Kraken messages', () => {
  test('each trade of a message is an event with the taker’s side and its time cut to the millisecond', () => {
    const { events, complaints } = mapped(TRADES);
    expect(complaints).toEqual([]);
    expect(events).toHaveLength(2);
    expect(events[0]).toEqual({
      kind: 'trade',
      symbol: asSymbol('MATICUSD'),
      time: asEpochMs(Date.UTC(2023, 8, 25, 7, 49, 37, 708)),
      price: 0.5117,
      size: 40,
      side: 'sell',
      sideMethod: null,
      id: 4_665_906,
    });
  });

  test('one bad trade in a message is named, the others are kept', () => {
    const { events, complaints } = mapped({ ...TRADES, data: [{ ...ROW, price: null }, 5, ROW] });
    expect(events).toHaveLength(1);
    expect(complaints[0]).toStartWith('trade without price: ');
    expect(complaints[1]).toBe('unknown symbol: 5');
  });

  test('a ticker has its own time where it tells one, and the venue’s clock where not', () => {
    const map = krakenMapper(SYMBOLS);
    expect(mapped(TICKER, map).events).toEqual([
      {
        kind: 'quote',
        symbol: asSymbol('BTCUSD'),
        time: asEpochMs(LOCAL),
        bid: 26_000.1,
        ask: 26_000.2,
        bidSize: 0.5,
        askSize: 1.25,
      },
    ]);
    const timed = { ...TICKER, data: [{ ...TICKER.data[0], timestamp: '2023-09-25T07:49:38.5Z' }] };
    expect(mapped(timed, map).events[0]?.time).toBe(asEpochMs(Date.UTC(2023, 8, 25, 7, 49, 38, 500)));
  });

  test('a snapshot of trades is skipped: they happened before', () => {
    expect(mapped({ ...TRADES, type: 'snapshot' })).toEqual({ events: [], complaints: [] });
  });

  test('grants and refusals name request and symbol', () => {
    expect(mapped(GRANT).answers).toEqual([{ request: '1 BTC/USD', error: null }]);
    const refusal = { error: 'Currency pair not supported X/Y', method: 'subscribe', req_id: 2, success: false };
    expect(mapped({ ...refusal, symbol: 'X/Y' }).answers).toEqual([
      { request: '2 X/Y', error: 'Currency pair not supported X/Y' },
    ]);
  });

  test('maintenance is complained of, heartbeats and pongs are not', () => {
    const status = (system: string) => ({ channel: 'status', type: 'update', data: [{ system }] });
    expect(mapped(status('maintenance')).complaints).toEqual(['venue not online: maintenance']);
    for (const message of [status('online'), { channel: 'heartbeat' }, { method: 'pong', req_id: 1 }]) {
      expect(mapped(message)).toEqual({ events: [], complaints: [] });
    }
  });

  test('a row of REST means the same trade as the message, to the millisecond', () => {
    const row = ['0.5117', '40.00000000', 1_695_628_177.708_706, 's', 'm', '', 4_665_906];
    expect(krakenRestTrade(row, asSymbol('MATICUSD'))).toEqual(mapped(TRADES).events[0] as never);
    expect(krakenRestTrade(['1', '1', 1_616_333_924.737, 'b', 'l', '', 1], asSymbol('BTCUSD'))).toMatchObject({
      time: 1_616_333_924_737,
      side: 'buy',
    });
    expect(krakenRestTrade(null, asSymbol('BTCUSD'))).toBe('trade that is no row');
  });

  test('nothing makes it throw', () => {
    fuzz(() => krakenMapper(SYMBOLS), [TRADES, TICKER, GRANT, { channel: 'status', data: [{ system: 'online' }] }]);
  });
});

test.skipIf(!realData('messages'))('every real message, all of older protocols, is refused by name', async () => {
  const messages = await rawMessages('kraken', 'kraken');
  expect(messages.length).toBeGreaterThan(20);
  for (const message of messages) {
    const result = mapped(message);
    check(result);
    expect(result.events).toEqual([]);
    expect(result.complaints).toHaveLength(1);
  }
});
