import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

const OANDA = 'lean/xauusd-oanda/tick/20140501_quote.zip!20140501_xauusd_tick_quote.csv';
const FXCM = 'forex/fxcm/tick/eurusd/20140501_quote.zip!20140501_eurusd_tick_quote.csv';

describe('Lean', () => {
  test('truncates fractions of a millisecond', async () => {
    const { rows } = await importBytes(OANDA, '43.142,1291.677,1292.033\n59999.999,1291.652,1292.043', { digits: 3 });
    expect(rows.map(({ time }) => time as number)).toEqual([
      utc('2014-05-01T00:00:00.043Z'),
      utc('2014-05-01T00:00:59.999Z'),
    ]);
    expect(rows[0]).toMatchObject({ kind: 'quote', bid: 1291.677, ask: 1292.033, bidSize: 0, crossed: false });
  });

  test("uses New York's midnight without daylight saving time for FXCM", async () => {
    const { rows } = await importBytes(FXCM, '1787,1.38727,1.38729\r\n1813,1.38731,1.38729\r\n');
    expect(rows[0]!.time as number).toBe(utc('2014-05-01T05:00:01.787Z'));
    expect(rows[1]).toMatchObject({ crossed: true });
  });

  test('reads the bid side of minutes', async () => {
    const name = 'oanda/minute/20140501_quote.zip!20140501_xauusd_minute_quote.csv';
    const line = '60000,1291.421,1291.686,1291.352,1291.686,0,1291.698,1291.98,1291.668,1291.98,0\n';
    const { rows } = await importBytes(name, line, { digits: 3 });
    expect(rows[0]).toMatchObject({
      kind: 'bar',
      timeframe: '1m',
      basis: 'bid',
      high: 1291.686,
    });
  });

  test('reads sizes of crypto ticks, and trades without a side', async () => {
    const quotes = await importBytes('coinbase/20240102_btcusd_tick_quote.csv', '5,100.5,2,100.6,3\n', { digits: 2 });
    expect(quotes.rows[0]).toMatchObject({ bid: 100.5, bidSize: 2, ask: 100.6, askSize: 3 });
    const trades = await importBytes('coinbase/20240102_btcusd_tick_trade.csv', '5,100.5,0.25\n', { digits: 2 });
    expect(trades.rows[0]).toMatchObject({ kind: 'trade', price: 100.5, size: 0.25, side: null, id: null });
    const bars = await importBytes('coinbase/20240102_btcusd_minute_trade.csv', '0,1,3,1,2,9.5\n', { digits: 2 });
    expect(bars.rows[0]).toMatchObject({ kind: 'bar', basis: 'trade', volume: 9.5 });
  });

  test('reads hours and days, with both sides or of trades', async () => {
    const quotes = '20140501 13:00,1.1,1.3,1.0,1.2,5,1.11,1.31,1.01,1.21,6\n20140501 14:00,,,,,0,1.1,1.1,1.1,1.1,1\n';
    const hours = await importBytes('Data/forex/oanda/hour/eurusd.zip!eurusd.csv', quotes);
    expect(hours.rows).toMatchObject([
      { time: utc('2014-05-01T13:00:00Z'), timeframe: '1h', basis: 'bid', close: 1.2, volume: 5 },
    ]);
    expect(skippedIn(hours.report)).toEqual({ one_sided: 1 });
    const trades = '20221213 00:00,1,3,1,2,9.5\n20221214 00:00,2,3,1,2,8\n';
    const daily = 'cryptofuture/binance/daily/adausdt_trade.zip!adausdt_trade_perp.csv';
    const days = await importBytes(daily, trades, { digits: 2 });
    expect(days.rows).toMatchObject([
      { time: utc('2022-12-13T00:00:00Z'), timeframe: '1d', basis: 'trade', volume: 9.5 },
      { time: utc('2022-12-14T00:00:00Z'), volume: 8 },
    ]);
    // Without the folder, the rows tell the length; FXCM is five hours behind UTC.
    const bare = await importBytes('fxcm/eurusd.csv', '20140501 13:00,1,3,1,2,9.5\n20140501 14:00,2,3,1,2,8\n');
    expect(bare.rows[0]).toMatchObject({ time: utc('2014-05-01T18:00:00Z'), timeframe: '1h' });
  });

  test('reads minutes of perpetual futures', async () => {
    const name = 'cryptofuture/bybit/minute/btcusdt/20221213_trade.zip!20221213_btcusdt_minute_trade_perp.csv';
    const { rows } = await importBytes(name, '60000,17200.5,17210,17200,17205,3.5\n', { digits: 2 });
    expect(rows).toMatchObject([{ time: utc('2022-12-13T00:01:00Z'), timeframe: '1m', open: 17200.5, volume: 3.5 }]);
  });

  test('folds seconds into minutes', async () => {
    const lines = [
      '1000,10,12,9,11,1',
      '2000,11,15,11,14,2',
      '59000,14,14,8,9,4',
      '60000,9,10,9,10,1',
      '61000,0,1,1,1,1',
    ];
    const name = 'crypto/coinbase/second/btcusd/20240102_trade.zip!20240102_btcusd_second_trade.csv';
    const { rows, report } = await importBytes(name, `${lines.join('\n')}\n`, { digits: 2 });
    expect(rows).toMatchObject([
      { time: utc('2024-01-02T00:00:00Z'), timeframe: '1m', open: 10, high: 15, low: 8, close: 9, volume: 7 },
      { time: utc('2024-01-02T00:01:00Z'), open: 9, high: 10, low: 9, close: 10, volume: 1 },
    ]);
    expect(skippedIn(report)).toEqual({ bad_price: 1 });
    const quotes = '0,1.1,1.2,1.1,1.2,5,1.3,1.4,1.3,1.4,6\n1000,1.2,1.3,1.0,1.1,7,1.4,1.5,1.2,1.3,8\n';
    const folded = await importBytes('oanda/second/20140501_eurusd_second_quote.csv', quotes);
    expect(folded.rows).toMatchObject([
      {
        basis: 'bid',
        open: 1.1,
        high: 1.3,
        low: 1,
        close: 1.1,
        volume: 7,
      },
    ]);
    const impossible = '0,1.1,1.2,1.1,1.2,5,1.3,1.2,1.3,1.4,6\n1000,1.2,1.3,1.0,1.1,7,1.4,1.5,1.2,1.3,8\n';
    const damaged = await importBytes('oanda/second/20140501_eurusd_second_quote.csv', impossible);
    expect(damaged.rows).toMatchObject([{ open: 1.2, volume: 7 }]);
    expect(skippedIn(damaged.report)).toEqual({ impossible_bar: 1 });
    await expect(importBytes(name, `${lines.toReversed().slice(1).join('\n')}\n`)).rejects.toThrow('sort the file');
  });

  test('requires a time zone without a market in the path', async () => {
    const name = 'data/20140501_eurusd_tick_quote.csv';
    await expect(importBytes(name, '1,1.1,1.2\n')).rejects.toThrow('--timezone');
    const { rows } = await importBytes(name, '1,1.1,1.2\n', { timezone: 'America/New_York' });
    expect(rows[0]!.time as number).toBe(utc('2014-05-01T04:00:00.001Z'));
  });

  test('rejects equities, and skips only bad lines', async () => {
    await expect(importBytes('equity/usa/20140501_spy_minute_trade.csv', '0,1,1,1,1,1\n')).rejects.toThrow('equities');
    const { rows, report } = await importBytes(FXCM, '1,1.1,1.2\n2,1.1\nx,1.1,1.2\n-1,1.1,1.2\n3,1.1,1.2\n');
    expect(rows.length).toBe(2);
    expect(skippedIn(report)).toEqual({ wrong_columns: 1, bad_time: 2 });
  });
});
