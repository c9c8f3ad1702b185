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

  test('reads both sides of minutes', async () => {
    const name = 'oanda/minute/20140501_quote.zip!20140501_xauusd_minute_quote.csv';
    const line = '60000,1291.421,1291.686,1291.352,1291.686,0,1291.698,1291.98,1291.668,1291.98,0\n';
    const { rows } = await importBytes(name, line, { digits: 3 });
    expect(rows[0]).toMatchObject({
      kind: 'bar',
      timeframe: '1m',
      basis: 'bid',
      high: 1291.686,
      ask: { open: 1291.698, high: 1291.98, low: 1291.668, close: 1291.98 },
    });
  });

  test('reads sizes of crypto ticks, and trades without a side', async () => {
    const quotes = await importBytes('coinbase/20240102_btcusd_tick_quote.csv', '5,100.5,2,100.6,3\n', { digits: 2 });
    expect(quotes.rows[0]).toMatchObject({ bid: 100.5, bidSize: 2, ask: 100.6, askSize: 3 });
    const trades = await importBytes('coinbase/20240102_btcusd_tick_trade.csv', '5,100.5,0.25\n', { digits: 2 });
    expect(trades.rows[0]).toMatchObject({ kind: 'trade', price: 100.5, size: 0.25, side: null, id: null });
    const bars = await importBytes('coinbase/20240102_btcusd_minute_trade.csv', '0,1,3,1,2,9.5\n', { digits: 2 });
    expect(bars.rows[0]).toMatchObject({ kind: 'bar', basis: 'trade', volume: 9.5, ask: null });
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
