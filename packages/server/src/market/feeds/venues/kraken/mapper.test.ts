import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { checkMapped, fuzzMapper } from '../../../../../testing/feeds/mapper-fuzz.fixture.ts';
import { rawMessages } from '../../../../../testing/feeds/recorded-messages.fixture.ts';
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

describe('krakenMapper', () => {
  test('maps each trade of a message with the taker’s side and a truncated time', () => {
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

  test('names a bad trade in a message and keeps the others', () => {
    const { events, complaints } = mapped({ ...TRADES, data: [{ ...ROW, price: null }, 5, ROW] });
    expect(events).toHaveLength(1);
    expect(complaints[0]).toStartWith('trade without price: ');
    expect(complaints[1]).toBe('unknown symbol: 5');
  });

  test('dates a ticker by its own time, or by the venue’s clock if it has none', () => {
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

  test('skips a snapshot of trades', () => {
    expect(mapped({ ...TRADES, type: 'snapshot' })).toEqual({ events: [], complaints: [] });
  });

  test('reports replies by request and symbol', () => {
    expect(mapped(GRANT).replies).toEqual([{ request: '1 BTC/USD', error: null }]);
    const refusal = { error: 'Currency pair not supported X/Y', method: 'subscribe', req_id: 2, success: false };
    expect(mapped({ ...refusal, symbol: 'X/Y' }).replies).toEqual([
      { request: '2 X/Y', error: 'Currency pair not supported X/Y' },
    ]);
  });

  test('complains of maintenance, not of heartbeats and pongs', () => {
    const status = (system: string) => ({ channel: 'status', type: 'update', data: [{ system }] });
    expect(mapped(status('maintenance')).complaints).toEqual(['venue not online: maintenance']);
    for (const message of [status('online'), { channel: 'heartbeat' }, { method: 'pong', req_id: 1 }]) {
      expect(mapped(message)).toEqual({ events: [], complaints: [] });
    }
  });

  test('maps a REST row to the same trade as the message', () => {
    const row = ['0.5117', '40.00000000', 1_695_628_177.708_706, 's', 'm', '', 4_665_906];
    expect(krakenRestTrade(row, asSymbol('MATICUSD'))).toEqual(mapped(TRADES).events[0] as never);
    expect(krakenRestTrade(['1', '1', 1_616_333_924.737, 'b', 'l', '', 1], asSymbol('BTCUSD'))).toMatchObject({
      time: 1_616_333_924_737,
      side: 'buy',
    });
    expect(krakenRestTrade(null, asSymbol('BTCUSD'))).toBe('trade that is not a row');
  });

  test('accepts a reply whose symbol is not text', () => {
    const message = { ...GRANT, result: { channel: 'trade', symbol: { toString: {} } } };
    expect(mapped(message).replies).toEqual([{ request: '1 ', error: null }]);
  });

  test('never throws', () => {
    fuzzMapper(
      () => krakenMapper(SYMBOLS),
      [TRADES, TICKER, GRANT, { channel: 'status', data: [{ system: 'online' }] }],
    );
  });
});

test('rejects every real message of older protocols by name', async () => {
  const messages = await rawMessages('kraken', 'kraken');
  expect(messages.length).toBeGreaterThan(20);
  for (const message of messages) {
    const result = mapped(message);
    checkMapped(result);
    expect(result.events).toEqual([]);
    expect(result.complaints).toHaveLength(1);
  }
});
