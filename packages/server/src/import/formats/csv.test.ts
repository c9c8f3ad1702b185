import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

const TIME = utc('2024-01-02T00:00:00.123Z');
const QUOTE = { kind: 'quote', time: TIME, bid: 1.1, ask: 1.2 };

describe('CSV with named columns', () => {
  test.each([
    ['time,bid,ask\n1704153600123,1.1,1.2\n'],
    ['Timestamp;Bid;Ask\n2024-01-02T00:00:00.123Z;1.1;1.2\n'],
    ['ask|bid|ts\n1.2|1.1|1704153600123456\n'],
    ['"Date","Time","Bid","Offer"\n"2024-01-02","02:00:00.123+02:00","1.1","1.2"\n'],
    [
      'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time\n1,1.1,5,1.2,6,1704153600123,1704153600124\n',
    ],
    ['\ufefftime,bid,ask\r\n1704153600123,1.1,1.2'],
  ])('reads quotes: %j', async (text) => {
    const { rows, report } = await importBytes('x.csv', text);
    expect(rows.length).toBe(1);
    expect(rows[0]).toMatchObject(QUOTE);
    expect(report.files[0]!.format).toBe('csv');
  });

  test('reads trades with optional size, side and id', async () => {
    const text =
      'time,price,size,side,trade_id\n1704153600123,1.1,5,BUY,7\n1704153600123,1.1,5,s,8\n1704153600123,1.1,5,?,9\n';
    const { rows } = await importBytes('x.csv', text);
    expect(rows.map((row) => row.kind === 'trade' && [row.size, row.side, row.id])).toEqual([
      [5, 'buy', 7],
      [5, 'sell', 8],
      [5, null, 9],
    ]);
    const bare = await importBytes('x.csv', 'time,last\n1704153600123,1.1\n');
    expect(bare.rows[0]).toMatchObject({ kind: 'trade', size: 0, side: null, id: null });
  });

  test('reads bars and detects their timeframe', async () => {
    const text = 'date,open,high,low,close,volume\n2024-01-02,1.1,1.3,1.0,1.2,5\n2024-01-03,1.1,1.3,1.0,1.2,6\n';
    const { rows } = await importBytes('x.csv', text, { timezone: 'UTC', basis: 'bid' });
    expect(rows[1]).toMatchObject({ kind: 'bar', timeframe: '1d', volume: 6, basis: 'bid' });
    const odd = 'time,open,high,low,close\n2024-01-02T00:00Z,1,1,1,1\n2024-01-02T00:07Z,1,1,1,1\n';
    await expect(importBytes('x.csv', odd)).rejects.toThrow('7 minutes');
  });

  test('requires a time zone for local times', async () => {
    const text = 'time,bid,ask\n2024-07-02 00:00:00,1.1,1.2\n';
    await expect(importBytes('x.csv', text)).rejects.toThrow('--timezone');
    const { rows } = await importBytes('x.csv', text, { timezone: 'Europe/Athens' });
    expect(rows[0]!.time as number).toBe(utc('2024-07-01T21:00:00Z'));
  });

  test('skips a time that a clock change skipped', async () => {
    const text = 'time,bid,ask\n2024-03-31 03:30:00,1.1,1.2\n2024-03-31 04:30:00,1.1,1.2\n';
    const { rows, report } = await importBytes('x.csv', text, { timezone: 'Europe/Athens' });
    expect([rows.length, skippedIn(report)]).toEqual([1, { bad_time: 1 }]);
  });

  test('names missing columns', async () => {
    const faults = { format: 'csv' } as const;
    await expect(importBytes('x.csv', 'time,bid\n1,1\n', faults)).rejects.toThrow('missing: the ask column');
    await expect(importBytes('x.csv', 'bid,ask\n1,1\n', faults)).rejects.toThrow('missing: a time column');
    await expect(importBytes('x.csv', 'time,name\n1,1\n', faults)).rejects.toThrow('Columns found: time, name');
    await expect(importBytes('x.csv', '1704153600123,1.1,1.2\n', faults)).rejects.toThrow('--columns');
  });

  test('reads columns named by an option', async () => {
    const { rows } = await importBytes('x.csv', '1704153600123,1.2,1.1\n', { columns: 'time,ask,bid' });
    expect(rows[0]).toMatchObject(QUOTE);
  });

  test('skips only lines with bad numbers, too few columns or too many digits', async () => {
    const bad = [
      'NaN,1.2',
      '0,1.2',
      '-1,1.2',
      ',1.2',
      '1.1',
      '1.1000001,1.2',
      'Infinity,1.2',
      '1e400,1.2',
      '0x1,1.2',
      '1.1,abc',
    ];
    const text = `time,bid,ask\n${bad.map((fields) => `1704153600123,${fields}\n`).join('')}1704153600123,1.1,1.2\n`;
    const { rows, report } = await importBytes('x.csv', text);
    expect(rows.length).toBe(1);
    expect(skippedIn(report)).toEqual({ bad_price: 8, wrong_columns: 1, finer_than_digits: 1 });
    const rounded = await importBytes('x.csv', text, { finer: 'round' });
    expect([rounded.rows.length, rounded.report.rounded]).toEqual([2, 1]);
    expect(rounded.rows[0]).toMatchObject(QUOTE);
  });

  test('skips times in the future and impossible bars', async () => {
    const quotes = await importBytes('x.csv', 'time,bid,ask\n4070908800000,1.1,1.2\n1704153600123,1.1,1.2\n');
    expect(skippedIn(quotes.report)).toEqual({ future_time: 1 });
    const text =
      'time,open,high,low,close\n1704153600000,1.1,1.0,1.0,1.1\n1704153660000,1.1,1.2,1.15,1.1\n1704153720000,1.1,1.2,1.0,1.1\n';
    const bars = await importBytes('x.csv', text, { timeframe: '1m' });
    expect([bars.rows.length, skippedIn(bars.report)]).toEqual([1, { impossible_bar: 2 }]);
  });
});
