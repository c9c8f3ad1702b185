// Layouts of real exports: read as they are meant, or refused with the true reason and the flag that helps.
import { describe, expect, test } from 'bun:test';
import { barsIn, importBytes, quotesIn, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

const DAY = utc('2024-01-30T00:00Z');
const UTC = { timezone: 'UTC' };
/** A bar of two, on January 30 and 31. */
const BAR = { kind: 'bar', time: DAY, timeframe: '1d', open: 1.1, high: 1.3, low: 1, close: 1.2 };

describe('bars', () => {
  test.each([
    ['pandas index', ',open,high,low,close,volume\n2024-01-30,1.1,1.3,1.0,1.2,5\n2024-01-31,1,1,1,1,6\n'],
    ['pandas range index', ',date,open,high,low,close\n0,2024-01-30,1.1,1.3,1.0,1.2\n1,2024-01-31,1,1,1,1\n'],
    ['trade_date', 'trade_date,open,high,low,close\n20240130,1.1,1.3,1.0,1.2\n20240131,1,1,1,1\n'],
    [
      'timestamp_utc',
      'timestamp_utc,open,high,low,close\n2024-01-30 00:00:00,1.1,1.3,1.0,1.2\n2024-01-31 00:00:00,1,1,1,1\n',
    ],
    [
      'epoch and date',
      'unix,date,symbol,open,high,low,close\n1706572800,2024-01-30,EUR/USD,1.1,1.3,1.0,1.2\n1706659200,2024-01-31,EUR/USD,1,1,1,1\n',
    ],
    [
      'date and epoch',
      'date,timestamp,open,high,low,close\n2024-01-30,1706572800000,1.1,1.3,1.0,1.2\n2024-01-31,1706659200000,1,1,1,1\n',
    ],
    ['decimal commas', 'Date;Open;High;Low;Close\n30.01.2024;1,10;1,30;1,00;1,20\n31.01.2024;1,0;1,0;1,0;1,0\n'],
    [
      'quoted decimal commas',
      '"Date","Open","High","Low","Close"\n"2024-01-30","1,10","1,30","1,00","1,20"\n"2024-01-31","1,0","1,0","1,0","1,0"\n',
    ],
    [
      'price as the close, newest first, month first',
      '"Date","Price","Open","High","Low","Vol.","Change %"\n"01/31/2024","1.00","1.00","1.00","1.00","","-1%"\n"01/30/2024","1.20","1.10","1.30","1.00","1.5K","0.2%"\n',
    ],
    ['last as the close', 'date,open,high,low,last\n2024-01-30,1.1,1.3,1.0,1.2\n2024-01-31,1,1,1,1\n'],
    [
      'Adj Close as the close',
      'Date,Open,High,Low,Adj Close,Volume\n2024-01-30,1.1,1.3,1.0,1.2,1\n2024-01-31,1,1,1,1,1\n',
    ],
    [
      'Close before Adj Close',
      'Date,Open,High,Low,Close,Adj Close,Volume\n2024-01-30,1.1,1.3,1.0,1.2,0.9,1\n2024-01-31,1,1,1,1,1,1\n',
    ],
    [
      'a title',
      'https://www.example.com/data\n\nDate,Open,High,Low,Close\n2024-01-30,1.1,1.3,1.0,1.2\n2024-01-31,1,1,1,1\n',
    ],
    ['sep=;', 'sep=;\nDate;Open;High;Low;Close\n2024-01-30;1.1;1.3;1.0;1.2\n2024-01-31;1;1;1;1\n'],
    ['day first', 'Date,Open,High,Low,Close\n30/01/2024,1.1,1.3,1.0,1.2\n31/01/2024,1,1,1,1\n'],
    [
      '12-hour clock',
      'Time,Open,High,Low,Close\n1/30/2024 12:00:00 AM,1.1,1.3,1.0,1.2\n1/31/2024 12:00:00 AM,1,1,1,1\n',
    ],
    [
      'bid columns',
      'date,bidopen,bidhigh,bidlow,bidclose,askopen\n2024-01-30,1.1,1.3,1.0,1.2,9\n2024-01-31,1,1,1,1,9\n',
    ],
  ])('%s', async (_name, text) => {
    const { rows, report } = await importBytes('x.csv', text, UTC);
    expect(skippedIn(report)).toEqual({});
    expect(barsIn(rows).toSorted((a, b) => a.time - b.time)[0]).toMatchObject(BAR as never);
    expect(rows.length).toBe(2);
  });

  test('volumes with units, thousands in prices', async () => {
    const text =
      'Date,Price,Open,High,Low,Vol.\n' +
      '2024-01-30,"2,034.50","2,030.10","2,040.00","2,020.00",1.5K\n2024-01-31,"2,034.50","2,030.10","2,040.00","2,020.00",-\n2024-02-01,"2,034.50","2,030.10","2,040.00","2,020.00",2.25M\n';
    const { rows } = await importBytes('x.csv', text, UTC);
    expect(barsIn(rows).map(({ close, volume }) => [close, volume])).toEqual([
      [2034.5, 1_500],
      [2034.5, 0],
      [2034.5, 2_250_000],
    ]);
  });

  test('bid columns are bid bars', async () => {
    const text = 'date,bidopen,bidhigh,bidlow,bidclose\n2024-01-30,1.1,1.3,1.0,1.2\n2024-01-31,1,1,1,1\n';
    expect(barsIn((await importBytes('x.csv', text, UTC)).rows)[0]!.basis).toBe('bid');
  });

  test.each([
    [
      'x.csv',
      'Date,Open,High,Low,Close\n02/03/2024,1,1,1,1\n02/04/2024,1,1,1,1\n',
      'the date 02/03/2024 can be read in two ways, and no row of the file shows which: specify --date-order mdy',
    ],
    ['x.csv', 'Date,Open,High,Low,Close\n02/13/2024,1,1,1,1\n14/02/2024,1,1,1,1\n', 'the file mixes two orders'],
    [
      'x.csv',
      'Date;Open;High;Low;Close\n2024-01-30;1,234;1,234;1,234;1,234\n',
      'the number 1,234 can be read in two ways: specify --decimal comma',
    ],
    ['x.csv', 'date,askopen,askhigh,asklow,askclose\n2024-01-30,1,1,1,1\n', 'the columns are ask prices'],
    ['EURUSD_ASK_1d.csv', 'date,open,high,low,close\n2024-01-30,1,1,1,1\n', 'ask bars'],
    ['x.csv', 'timestamp_utc,open,high,low,close\n2024-01-30 00:00:00,1,1,1,1\n', 'leave --timezone out'],
    [
      'x.csv',
      'date,open,high,close\n2024-01-30,1,1,1\n',
      'missing: low. Columns found: date, open, high, close. If they have other names, specify all of them in order with --columns',
    ],
  ])('%s: %s is refused', async (name, text, says) => {
    const options = { format: 'csv', timezone: text.startsWith('timestamp') ? 'Europe/Athens' : 'UTC' } as const;
    await expect(importBytes(name, text, options)).rejects.toThrow(says);
  });

  test('the order of dates is an option', async () => {
    const text = 'Date,Open,High,Low,Close\n02/03/2024,1,1,1,1\n02/04/2024,1,1,1,1\n';
    const times = async (dateOrder: 'mdy' | 'dmy') =>
      (await importBytes('x.csv', text, { ...UTC, dateOrder, timeframe: '1d' })).rows.map(({ time }) => time as number);
    expect(await times('mdy')).toEqual([utc('2024-02-03'), utc('2024-02-04')]);
    expect(await times('dmy')).toEqual([utc('2024-03-02'), utc('2024-04-02')]);
  });

  test('what a comma means is an option', async () => {
    const text = 'Date;Open;High;Low;Close\n2024-01-30;1,234;1,234;1,234;1,234\n2024-01-31;1,234;1,234;1,234;1,234\n';
    const open = async (decimal: 'comma' | 'point') =>
      barsIn((await importBytes('x.csv', text, { ...UTC, decimal })).rows)[0]!.open;
    expect([await open('comma'), await open('point')]).toEqual([1.234, 1234]);
  });

  test('more decimals than the instrument has are rounded, a half to the even digit, and counted', async () => {
    const text =
      'date,open,high,low,close\n2024-01-30,1.100005,1.300015,1.000025,1.2000351\n2024-01-31,1.1,1.3,1,1.2\n';
    const { rows, report } = await importBytes('x.csv', text, UTC);
    expect(rows[0]).toMatchObject({ open: 1.1, high: 1.30002, low: 1.00002, close: 1.20004 });
    expect([report.rounded, skippedIn(report)]).toEqual([1, {}]);
  });
});

describe('ticks', () => {
  test('bid_amount and ask_amount, with a venue and a symbol', async () => {
    const text =
      'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount\n' +
      'bitmex,EURUSD,1585699202957000,1585699203089980,31,6421.5,6421,10\n';
    const { rows } = await importBytes('x.csv', text);
    expect(quotesIn(rows)[0]).toMatchObject({
      bid: 6421,
      ask: 6421.5,
      bidSize: 10,
      askSize: 31,
      time: 1_585_699_202_957 as never,
    });
  });

  test('rows of other symbols are left out, and are no fault', async () => {
    const text =
      'symbol,time,bid,ask\nEUR/USD,1704153600000,1.1,1.2\nGBP/USD,1704153600000,1.3,1.4\nOANDA:EURUSD,1704153600001,1.1,1.2\n';
    const { rows, report } = await importBytes('x.csv', text);
    expect([rows.length, skippedIn(report), report.faultyLines]).toEqual([2, { unknown_symbol: 1 }, 0]);
  });

  test('more decimals than the instrument has are a fault, unless rounding is asked for', async () => {
    const text = 'time,bid,ask\n1704153600000,1.100005,1.2\n';
    const { rows, report } = await importBytes('x.csv', text);
    expect([rows.length, skippedIn(report)]).toEqual([0, { finer_than_digits: 1 }]);
    expect(quotesIn((await importBytes('x.csv', text, { finer: 'round' })).rows)[0]!.bid).toBe(1.1);
    expect(quotesIn((await importBytes('x.csv', text, { digits: 6 })).rows)[0]!.bid).toBe(1.100005);
  });

  test('UTF-16 with tabs, as MetaTrader 5 writes it', async () => {
    const text = '<DATE>\t<TIME>\t<BID>\t<ASK>\r\n2024.01.02\t00:00:00.000\t1.1\t1.2\r\n';
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const { rows } = await importBytes('x.csv', wide, { timezone: 'broker' });
    expect(rows[0]!.time as number).toBe(utc('2024-01-01T22:00Z'));
  });
});
