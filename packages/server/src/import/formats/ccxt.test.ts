import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn } from '../../../testing/import/read-rows.fixture.ts';

const BTC = { symbol: 'BTCUSDT', digits: 2 };
const TRADE = { kind: 'trade', time: 1704153600123, price: 42000.5, size: 0.25, side: 'buy', id: 77 };

describe('ccxt and freqtrade JSON', () => {
  test('reads bars of trades, and skips flat bars without volume', async () => {
    const text =
      '[[1704153600000,42000.5,42010,41990.1,42005,1.5],[1704153900000,42005,42005,42005,42005,0.0],[1704154200000,42005,42006,42004,42006,2e-3]]';
    const { rows, report } = await importBytes('BTC_USDT-5m.json', text, BTC);
    expect(rows).toMatchObject([
      { time: 1704153600000, timeframe: '5m', basis: 'trade', open: 42000.5, low: 41990.1, volume: 1.5 },
      { time: 1704154200000, timeframe: '5m', close: 42006, volume: 0.002 },
    ]);
    expect(skippedIn(report)).toEqual({ flat_bar: 1 });
  });

  test('reads trades of freqtrade, with side and numeric id', async () => {
    const text =
      '[[1704153600123,"77",null,"buy",42000.5,0.25,10500.125],[1704153600124,"a-1",null,null,42000.6,1,42000.6]]';
    const { rows } = await importBytes('BTC_USDT-trades.json', text, BTC);
    expect(rows).toEqual([
      TRADE,
      { ...TRADE, time: 1704153600124, price: 42000.6, size: 1, side: null, id: null },
    ] as never);
  });

  test('reads trades of ccxt with nested objects and brackets in strings, in chunks of any size', async () => {
    const trade = {
      info: { a: ['1]', { b: '}"{' }], p: '42000.5' },
      id: '77',
      timestamp: 1704153600123,
      datetime: '2024-01-02T00:00:00.123Z',
      symbol: 'BTC/USDT:USDT',
      type: null,
      side: 'buy',
      price: 42000.5,
      amount: 0.25,
      fees: [],
    };
    const text = JSON.stringify([trade, { ...trade, id: '78', symbol: 'ETH/USDT' }]);
    for (const lengths of [[], [1], Array(60).fill(7)]) {
      const { rows, report } = await importBytes('trades.json', text, BTC, lengths);
      expect(rows).toEqual([TRADE] as never);
      expect(skippedIn(report)).toEqual({ unknown_symbol: 1 });
    }
  });

  test('rejects files of other prices, and Feather by name', async () => {
    const text = '[[1704153600000,1,1,1,1,1]]';
    await expect(importBytes('BTC_USDT_USDT-1h-mark.json', text, BTC)).rejects.toThrow('mark values');
    await expect(importBytes('BTC_USDT_USDT-1h-funding_rate.json', text, BTC)).rejects.toThrow('funding rate values');
    await expect(importBytes('BTC_USDT-1h.feather', 'ARROW1\0\0...', BTC)).rejects.toThrow(
      /Feather files are not supported: convert it to Parquet .*to_parquet/,
    );
  });
});
